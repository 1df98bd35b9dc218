import { problems } from "../../../lib/base/problem.ts";
import { markup, type Markup, type Part } from "../../../lib/publishing/storefront/markup.ts";
import type { Answer, ReferenceOperation } from "../model/reference.ts";
import { errorAddress, type Place } from "./place.ts";
import { codeBlock, inline, jsonText } from "./prose.ts";
import { members, typeLink, type Schemas } from "./schema.ts";

/** Every answer of the operation, each to be opened; the one that is hoped for is open. */
export function answersOf(
  { id, answers }: ReferenceOperation,
  schemas: Schemas,
  place: Place,
): Markup {
  return markup`<h4 id="${id}-answers">Answers</h4><div class="answers">${answers.map((answer) =>
    answerOf(answer, schemas, place),
  )}</div>`;
}

function answerOf(answer: Answer, schemas: Schemas, place: Place): Markup {
  const { status, codes, schema, example } = answer;
  const kind = status < 300 ? "good" : status < 400 ? "same" : status < 500 ? "refused" : "broken";
  return markup`
    <details class="answer ${kind}"${status < 300 && markup` open`}>
    <summary><b>${status}</b> <span>${headline(answer)}</span></summary><div>
    ${codes.length > 0 ? codeList(answer, place) : markup`<p>${inline(answer.description)}</p>`}
    ${schema !== undefined && codes.length === 0 && markup`<p>Body: ${typeLink(schema)}</p>`}
    ${schema !== undefined && schema.type === "object" && members(schema, schemas)}
    ${headerList(answer)}${
      example !== undefined &&
      status >= 400 &&
      codeBlock(jsonText(example), `Example of an answer ${status}`)
    }</div></details>
  `;
}

/** What the closed line says: the codes, or in a word what it means. */
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
  204: "Done, and nothing to say",
  304: "Not modified",
};

function codeList({ codes }: Answer, place: Place): Markup {
  return markup`<ul class="codes">${codes.map(
    (code) =>
      markup`<li><a href="${errorAddress(place, code)}"><code>${code}</code></a> ${problems[code].title}.</li>`,
  )}</ul>`;
}

function headerList({ headers }: Answer): Part {
  if (headers.length === 0) return false;
  const names = headers.map(([name], index) => [
    index > 0 && ", ",
    markup`<a href="#${headerId(name)}"><code>${name}</code></a>`,
  ]);
  return markup`<p class="headers">Headers: ${names}</p>`;
}

/** Where the page tells what a header says. */
export function headerId(name: string): string {
  return `header-${name.toLowerCase()}`;
}
