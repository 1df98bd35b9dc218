import { markup, type Markup, type Part } from "../../../lib/publishing/storefront/markup.ts";
import { sampleIn } from "../model/call.ts";
import { nameIn } from "../model/description.ts";
import {
  managementApi,
  serverOf,
  type Reference,
  type ReferenceOperation,
  type TagSection,
} from "../model/reference.ts";
import { errorsSection, headersSection, schemaSections } from "./introduction.ts";
import { methodMark, operationOf } from "./operation.ts";
import { entry, frame, list } from "./page.ts";
import type { Place } from "./place.ts";
import { codeBlock, inline, paragraphs } from "./prose.ts";
import { schemaId, type Schemas } from "./schema.ts";

const { page: HOME } = managementApi;

/** The address of the page with a tag's operations. */
export function tagPath(tag: string): string {
  return `${HOME}/${tag}`;
}

/** Returns the sections of the reference, one for each tag. */
export function sectionsOf({ groups }: Reference): readonly TagSection[] {
  return groups.flatMap(({ sections }) => sections);
}

/** Writes the first page of the management API's reference: how to call it, and all operations. */
export function managementPage(reference: Reference, place: Place): string {
  const { info, components } = reference.description;
  const { help } = place;
  const server = serverOf(managementApi, place);
  const { Error: errorBody = {} } = reference.schemas;
  return frame({
    title: "Management API · API reference",
    api: managementApi,
    summary: info.summary,
    place,
    navigation: navigation(reference),
    main: markup`
      <section id="introduction" class="intro"><p class="eyebrow">API reference · version ${info.version}</p>
      <h1>Management API</h1><p class="lead">${info.summary}</p>${paragraphs(info.description)}
      <p class="links"><a href="${server}/openapi.json">OpenAPI 3.1 document</a> <a href="${help}/help/management">Guide</a>
       <a href="${help}/llms.txt">llms.txt</a></p></section>
      <section id="authentication"><h2>Authentication</h2><ul class="fields">${Object.values(
        components.securitySchemes,
      ).map(({ description }) => markup`<li>${inline(description)}</li>`)}</ul>
      <p>${inline(
        "Create a token with `petstore tokens create`, and send it in the `Authorization` header as a bearer token.",
      )}</p>${codeBlock(
        sampleIn("curl", { method: "GET", url: `${server}/me`, secret: managementApi.secret }),
        "A curl request with a token",
      )}</section>
      <section id="operations"><h2>Operations</h2>${sectionsOf(reference).map(summary)}</section>
      ${errorsSection(reference, place)}${headersSection(reference)}${schemaSections({ Error: errorBody })}
    `,
  });
}

/** Writes the page of a tag: its operations, and the schemas that they use. */
export function tagPage(section: TagSection, reference: Reference, place: Place): string {
  const { name, description, operations } = section;
  const here = { ...place, details: HOME };
  const schemas = usedSchemas(operations, reference.schemas);
  return frame({
    title: `${titleOf(name)} · Management API`,
    api: managementApi,
    summary: description,
    place: here,
    navigation: navigation(reference, section, schemas),
    main: markup`
      <section class="intro"><p class="eyebrow"><a href="${HOME}">Management API</a></p><h1>${titleOf(name)}</h1>
      <p class="lead">${description}</p></section><section id="operations"><h2>Operations</h2></section>
      ${operations.map((operation) => operationOf(operation, reference, here))}
      ${schemaSections(schemas)}
    `,
  });
}

function titleOf(tag: string): string {
  return tag.charAt(0).toUpperCase() + tag.slice(1);
}

/** A tag and its operations, as links. */
function summary({ name, description, operations }: TagSection): Markup {
  return markup`
    <section class="tag-summary" id="tag-${name}"><h3><a href="${tagPath(name)}">${titleOf(name)}</a></h3><p>${description}</p>
    <ul>${operations.map(
      ({ id, method, path, summary: does }) => markup`
        <li><a href="${tagPath(name)}#${id}">${does}</a> <span>${methodMark(method)} <code>${path}</code></span></li>
      `,
    )}</ul></section>
  `;
}

/** The pages, with the contents of the current one. */
function navigation(reference: Reference, current?: TagSection, schemas: Schemas = {}): Part {
  const page = current === undefined ? "" : HOME;
  const names = Object.keys(schemas);
  return [
    list("Overview", OVERVIEW, page),
    markup`
      <div class="group"><p>Operations</p><ul>${sectionsOf(reference).map(
        ({ name, operations }) => markup`
          <li><a href="${tagPath(name)}"${name === current?.name && markup` aria-current="page"`}>
          <span>${titleOf(name)}</span></a>${
            name === current?.name && markup`<ul>${operations.map(entry)}</ul>`
          }</li>
        `,
      )}</ul></div>
    `,
    names.length > 0 &&
      list(
        "Schemas",
        names.map((name) => [schemaId(name), name] as const),
      ),
  ];
}

const OVERVIEW = [
  ["introduction", "Introduction"],
  ["authentication", "Authentication"],
  ["operations", "All operations"],
  ["errors", "Errors"],
  ["headers", "Response headers"],
] as const;

/** Returns the named schemas that the operations refer to, directly or through others, in the order of the document. */
export function usedSchemas(operations: readonly ReferenceOperation[], all: Schemas): Schemas {
  const used = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    if ("$ref" in value && typeof value.$ref === "string") {
      const name = nameIn(value.$ref);
      if (!used.has(name)) {
        used.add(name);
        visit(all[name]);
      }
    }
    for (const inner of Object.values(value)) visit(inner);
  };
  for (const { body, answers, parameters } of operations) {
    visit(body?.schema);
    visit(parameters);
    for (const { schema } of answers) visit(schema);
  }
  return Object.fromEntries(Object.entries(all).filter(([name]) => used.has(name)));
}
