import { markup, type Markup } from "../../../lib/publishing/storefront/markup.ts";
import { sampleIn, sampleLanguages, type Call } from "../model/call.ts";
import { exampleOf } from "../model/example.ts";
import type { ReferenceOperation } from "../model/reference.ts";
import type { Place } from "./place.ts";
import { codeBlock } from "./prose.ts";
import type { Schemas } from "./schema.ts";

/** The plainest request that the operation takes. */
export function plainCall(
  { method, path, parameters, body }: ReferenceOperation,
  schemas: Schemas,
  server: string,
): Call {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const parameter = parameters.find((one) => one.name === name);
    return String(parameter === undefined ? 1 : exampleOf(parameter.schema, schemas));
  });
  return {
    method,
    url: server + filled,
    ...(body === undefined ? {} : { body: JSON.stringify(body.example) }),
  };
}

/** The request in each language. One of them is shown; which, is for the reader to choose, without a script as well. */
export function samplesOf(
  operation: ReferenceOperation,
  schemas: Schemas,
  { production }: Place,
): Markup {
  const call = plainCall(operation, schemas, production);
  const choices = sampleLanguages.map(
    (language, index) => markup`
      <label><input type="radio" name="sample-${operation.id}" value="${language}"${
        index === 0 && markup` checked`
      }>${language}</label>
    `,
  );
  const blocks = sampleLanguages.map(
    (language) => markup`
      <div class="sample" data-language="${language}">${codeBlock(
        sampleIn(language, call),
        `${operation.summary}, in ${language}`,
      )}</div>
    `,
  );
  return markup`
    <div class="samples"><div class="tabs" role="radiogroup" aria-label="Language of the samples">${choices}
    <button type="button" class="copy" hidden>Copy</button></div>${blocks}</div>
  `;
}
