import { problems } from "../../../lib/base/problem.ts";
import { markup, type Markup } from "../../../lib/publishing/storefront/markup.ts";
import { sampleIn } from "../model/call.ts";
import { publicApi, type Reference } from "../model/reference.ts";
import { headerId } from "./operation.ts";
import { errorAddress, type Place } from "./place.ts";
import { codeBlock, inline, paragraphs } from "./prose.ts";
import { credentialsState } from "./try-panel.ts";
import { facts, fieldLine, members, schemaId, typeLink, type Schemas } from "./schema.ts";

/** The sections before the operations. */
export function introduction({ description }: Reference, place: Place): Markup {
  const { info, servers, components } = description;
  const { production, staging, help } = place;
  const [scheme] = Object.values(components.securitySchemes);
  const addresses: Readonly<Record<string, string>> = { Production: production, Staging: staging };
  return markup`
    <section id="introduction" class="intro"><p class="eyebrow">API reference · version ${info.version}</p>
    <h1>${info.title}</h1><p class="lead">${info.summary}</p>${paragraphs(info.description)}
    <p class="links"><a href="${production}/openapi.json">OpenAPI 3.1 document</a> <a href="${help}/help/api">API guide</a>
     <a href="${help}/help/limits">Limits</a> <a href="${help}/llms.txt">llms.txt</a></p></section>
    <section id="environments"><h2>Environments</h2>
    <p>The same operations with separate catalogues, keys and counters.</p><dl class="servers">${servers.map(
      ({ url, description: name }) => markup`
        <div><dt>${name}</dt><dd><code>${addresses[name] ?? url}</code></dd></div>
      `,
    )}</dl></section>
    <section id="authentication"><h2>Authentication</h2>${
      scheme !== undefined &&
      markup`
        <p>${inline(
          `${scheme.description} Send it in the \`Authorization\` header as a bearer token: ${bearerForms(scheme.bearerFormat ?? "")}.`,
        )}</p>
      `
    }${codeBlock(
      sampleIn("curl", { method: "GET", url: `${production}/rate-limit` }),
      "A curl request with a key",
    )}<p class="credentials-line" hidden><button type="button" class="credentials-state" popovertarget="credentials">
    ${credentialsState(publicApi)}</button></p></section>
  `;
}

/** Formats both forms in `pet_live_… or pet_test_…` as code. */
function bearerForms(format: string): string {
  return format
    .split(" or ")
    .map((form) => `\`${form}\``)
    .join(" or ");
}

/** The sections after the operations: errors, headers and schemas. */
export function appendix(reference: Reference, place: Place): Markup {
  return markup`
    ${errorsSection(reference, place)}${headersSection(reference)}${schemaSections(reference.schemas)}
  `;
}

/** The anchor of an error code in the table. */
export function errorId(code: string): string {
  return `error-${code}`;
}

/** The table of all error codes. */
export function errorsSection({ schemas }: Reference, place: Place): Markup {
  const codes = schemas["Error"]?.properties?.["code"]?.enum ?? [];
  const known = Object.entries(problems).filter(([code]) => codes.includes(code));
  return markup`
    <section id="errors"><h2>Errors</h2>
    <p>Every error response has the body <a href="#${schemaId("Error")}">Error</a>. ${inline(
      "Programs can rely on its `code`, whose meaning never changes. Each code links to its explanation.",
    )}</p>
    <div class="table" tabindex="0" role="group" aria-labelledby="errors"><table><thead><tr><th scope="col">Status</th>
    <th scope="col">Code</th><th scope="col">Meaning</th></tr></thead><tbody>${known.map(
      ([code, { status, title }]) => markup`
        <tr id="${errorId(code)}"><td>${status}</td><td><a href="${errorAddress(place, code)}"><code>${code}</code></a></td><td>${title}</td></tr>
      `,
    )}</tbody></table></div></section>
  `;
}

/** The descriptions of all response headers. */
export function headersSection({ description, schemas, commonHeaders }: Reference): Markup {
  const { headers } = description.components;
  const common = commonHeaders.map((name) => `\`${name}\``).join(", ");
  return markup`
    <section id="headers"><h2>Response headers</h2><p>${inline(`Every response has ${common}.`)}</p>
    <ul class="fields">${Object.entries(headers).map(
      ([name, header]) => markup`
        <li id="${headerId(name)}">${fieldLine(name, { ...header.schema, description: header.description }, false, schemas)}</li>
      `,
    )}</ul></section>
  `;
}

/** The named schemas. */
export function schemaSections(schemas: Schemas): Markup {
  return markup`
    <section id="schemas"><h2>Schemas</h2>${Object.entries(schemas).map(
      ([name, schema]) => markup`
        <section class="schema" id="${schemaId(name)}"><h3><a href="#${schemaId(name)}">${name}</a></h3>
        <p>${typeLink(schema)}</p>${facts(schema, schemas)}${members(schema.items ?? schema, schemas)}</section>
      `,
    )}</section>
  `;
}
