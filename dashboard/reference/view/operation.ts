import { problems } from "../../../lib/base/problem.ts";
import { markup, type Markup, type Part } from "../../../lib/publishing/storefront/markup.ts";
import { sampleIn, sampleLanguages } from "../model/call.ts";
import type { Place as Where } from "../model/description.ts";
import {
  plainCall,
  publicApi,
  serverOf,
  type Answer,
  type Reference,
  type ReferenceOperation,
} from "../model/reference.ts";
import { dayWords } from "../model/words.ts";
import { type Place, errorAddress } from "./place.ts";
import { codeBlock, jsonText, paragraphs, inline } from "./prose.ts";
import { fieldLine, members, typeLink, type Schemas } from "./schema.ts";
import { tryPanel } from "./try-panel.ts";

/** An operation: its description on one side, samples on the other. */
export function operationOf(
  operation: ReferenceOperation,
  reference: Reference,
  place: Place,
): Markup {
  const { api, schemas } = reference;
  const { id, method, path, summary, description, body, uploads, answers } = operation;
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
    }${
      uploads.length > 0 &&
      markup`
        <h4>${body === undefined ? "Body" : "Or a file as body"}</h4><p>${uploads.map(
          (type, index) => [index > 0 && ", ", markup`<code>${type}</code>`],
        )}</p>
      `
    }${answersOf(operation, reference, place)}</div><div class="beside">${samplesOf(operation, schemas, serverOf(api, place))}${
      success?.example !== undefined &&
      markup`
        <figure class="example"><figcaption>Response <b>${success.status}</b></figcaption>
        ${codeBlock(jsonText(success.example), `Example response ${success.status}`)}</figure>
      `
    }${tryPanel(operation)}</div></section>
  `;
}

/** The method as a coloured badge. */
export function methodMark(method: string): Markup {
  return markup`<span class="method ${method.toLowerCase()}">${method}</span>`;
}

/** The stability and deprecation badges. */
export function badges({ stability, deprecated }: ReferenceOperation): Part {
  return [
    stability !== undefined && markup` <span class="badge ${stability}">${stability}</span>`,
    deprecated && markup` <span class="badge deprecated">Deprecated</span>`,
  ];
}

/** The removal notice of a deprecated operation. */
function deprecation({ deprecated, sunset }: ReferenceOperation): Part {
  return (
    deprecated &&
    sunset !== undefined &&
    markup`<p class="notice">Deprecated, to be removed on <time datetime="${sunset}">${dayWords(sunset)}</time>.</p>`
  );
}

const PLACES = ["path", "query", "header"] as const;

const TITLES: Readonly<Record<Where, string>> = {
  path: "Path parameters",
  query: "Query parameters",
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

/** All responses of the operation, collapsed except the successful one. */
function answersOf(
  { id, answers }: ReferenceOperation,
  reference: Reference,
  place: Place,
): Markup {
  return markup`<h4 id="${id}-answers">Responses</h4><div class="answers">${
    reference.api === publicApi
      ? answers.map((answer) => answerOf(answer, reference, place))
      : [
          answers
            .filter(({ status }) => status < 300)
            .map((answer) => answerOf(answer, reference, place)),
          refusalsOf(answers, place),
        ]
  }</div>`;
}

/** All refusals of an operation in one list. The management API has too many operations for an example of each. */
function refusalsOf(answers: readonly Answer[], place: Place): Part {
  const codes = answers.flatMap(({ status, codes: all }) =>
    all.map((code) => [status, code] as const),
  );
  return markup`
    <details class="answer refused"><summary><b>4xx, 5xx</b> <span>${codes.length} error codes</span></summary><div>
    <ul class="codes brief">${codes.map(
      ([status, code]) =>
        markup`<li>${status} <a href="${errorAddress(place, code)}"><code>${code}</code></a></li>`,
    )}</ul></div></details>
  `;
}

function answerOf(answer: Answer, reference: Reference, place: Place): Markup {
  const { schemas } = reference;
  const { status, codes, schema, example } = answer;
  const kind = status < 300 ? "good" : status < 400 ? "same" : status < 500 ? "refused" : "broken";
  return markup`
    <details class="answer ${kind}"${status < 300 && markup` open`}>
    <summary><b>${status}</b> <span>${headline(answer)}</span></summary><div>
    ${codes.length > 0 ? codeList(answer, place) : markup`<p>${inline(answer.description)}</p>`}
    ${schema !== undefined && codes.length === 0 && markup`<p>Body: ${typeLink(schema)}</p>`}
    ${schema !== undefined && schema.type === "object" && members(schema, schemas)}
    ${headerList(answer, reference, place)}${
      example !== undefined &&
      status >= 400 &&
      codeBlock(jsonText(example), `Example response ${status}`)
    }</div></details>
  `;
}

/** The summary of a response: its error codes, or its reason phrase. */
function headline({ status, codes }: Answer): Part {
  if (codes.length > 0) {
    const more = codes.length - SHOWN_CODES;
    return [
      codes
        .slice(0, SHOWN_CODES)
        .map((code, index) => [index > 0 && ", ", markup`<code>${code}</code>`]),
      more > 0 && ` and ${more} more`,
    ];
  }
  return REASONS[status] ?? "";
}

const SHOWN_CODES = 2;

const REASONS: Readonly<Record<number, string>> = {
  200: "OK",
  201: "Created",
  204: "No content",
  304: "Not modified",
};

function codeList({ codes }: Answer, place: Place): Markup {
  return markup`<ul class="codes">${codes.map(
    (code) =>
      markup`<li><a href="${errorAddress(place, code)}"><code>${code}</code></a> ${problems[code].title}.</li>`,
  )}</ul>`;
}

/** The headers of a response, without listing those that every response has. */
function headerList(
  { headers }: Answer,
  { commonHeaders }: Reference,
  { details = "" }: Place,
): Markup {
  const names = headers
    .filter(([name]) => !commonHeaders.includes(name))
    .map(([name]) => markup`<a href="${details}#${headerId(name)}"><code>${name}</code></a>, `);
  return markup`
    <p class="headers">Headers: ${names}<a href="${details}#headers">those of every response</a></p>
  `;
}

/** The anchor of a header's description. */
export function headerId(name: string): string {
  return `header-${name.toLowerCase()}`;
}

/** The request in each language, with tabs that work without scripts. */
function samplesOf(operation: ReferenceOperation, schemas: Schemas, server: string): Markup {
  const call = plainCall(operation, schemas, server);
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
    <div class="samples"><div class="tabs" role="radiogroup" aria-label="Sample language">${choices}
    <button type="button" class="copy" hidden>Copy</button></div>${blocks}</div>
  `;
}
