import { markup, type Markup, type Part } from "../../../lib/publishing/storefront/markup.ts";
import { dayWords } from "../model/day.ts";
import type { Place as Where } from "../model/description.ts";
import type { ReferenceOperation } from "../model/reference.ts";
import { answersOf } from "./answers.ts";
import type { Place } from "./place.ts";
import { codeBlock, jsonText, paragraphs } from "./prose.ts";
import { samplesOf } from "./samples.ts";
import { fieldLine, members, typeLink, type Schemas } from "./schema.ts";
import { tryPanel } from "./try-panel.ts";

/** Everything about one operation: what it is on one side, how it is used on the other. */
export function operationOf(operation: ReferenceOperation, schemas: Schemas, place: Place): Markup {
  const { id, method, path, summary, description, body, answers } = operation;
  const success = answers.find(({ status }) => status < 300);
  return markup`
    <section class="operation" id="${id}" aria-labelledby="${id}-title"><div class="about">
    <h3 id="${id}-title"><a href="#${id}">${summary}</a></h3>
    <p class="address">${methodMark(method)} <code>${path}</code>${badges(operation)}</p>
    ${deprecation(operation)}${paragraphs(description)}
    ${PLACES.map((where) => parametersIn(where, operation, schemas))}
    ${
      body !== undefined &&
      markup`<h4>Body</h4><p>JSON: ${typeLink(body.schema)}</p>${members(body.schema, schemas)}`
    }${answersOf(operation, schemas, place)}</div><div class="beside">${samplesOf(operation, schemas, place)}${
      success?.example !== undefined &&
      markup`
        <figure class="example"><figcaption>Answer <b>${success.status}</b></figcaption>
        ${codeBlock(jsonText(success.example), `Example of an answer ${success.status}`)}</figure>
      `
    }${tryPanel(operation)}</div></section>
  `;
}

/** The method, coloured by what it does. */
export function methodMark(method: string): Markup {
  return markup`<span class="method ${method.toLowerCase()}">${method}</span>`;
}

/** How far the operation can be relied upon, where there is something to say. */
export function badges({ stability, deprecated }: ReferenceOperation): Part {
  return [
    stability !== undefined && markup` <span class="badge ${stability}">${stability}</span>`,
    deprecated && markup` <span class="badge deprecated">Deprecated</span>`,
  ];
}

/** When a deprecated operation ends. */
function deprecation({ deprecated, sunset }: ReferenceOperation): Part {
  return (
    deprecated &&
    sunset !== undefined &&
    markup`<p class="notice">Deprecated, to be removed on <time datetime="${sunset}">${dayWords(sunset)}</time>.</p>`
  );
}

const PLACES = ["path", "query", "header"] as const;

const TITLES: Readonly<Record<Where, string>> = {
  path: "In the path",
  query: "In the query",
  header: "Headers",
};

function parametersIn(where: Where, { parameters }: ReferenceOperation, schemas: Schemas): Part {
  const here = parameters.filter((parameter) => parameter.in === where);
  if (here.length === 0) return false;
  return markup`<h4>${TITLES[where]}</h4><ul class="fields">${here.map(
    ({ name, description, required = false, schema }) =>
      markup`<li>${fieldLine(name, { ...schema, description }, required, schemas)}</li>`,
  )}</ul>`;
}
