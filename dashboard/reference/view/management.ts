import { markup, type Markup, type Part } from "../../../lib/publishing/storefront/markup.ts";
import { sampleIn } from "../model/call.ts";
import { nameIn, type Description, type Schema } from "../model/description.ts";
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
import { codeBlock, inline, jsonText, paragraphs } from "./prose.ts";
import { members, schemaId, type Schemas } from "./schema.ts";

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
    navigation: navigation(
      reference,
      tagPath(name),
      markup`<ul>${operations.map(entry)}</ul>`,
      schemas,
    ),
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

/** The pages, with the contents of the current one; its path is absent for the first page. */
function navigation(
  reference: Reference,
  current?: string,
  contents?: Markup,
  schemas: Schemas = {},
): Part {
  const names = Object.keys(schemas);
  const pages = [
    ...sectionsOf(reference).map(({ name }) => [tagPath(name), titleOf(name)] as const),
    ...(messagesOf(reference.description).length === 0
      ? []
      : [[messagesPath, "Webhook messages"] as const]),
  ];
  return [
    list("Overview", OVERVIEW, current === undefined ? "" : HOME),
    markup`
      <div class="group"><p>Operations</p><ul>${pages.map(
        ([path, title]) => markup`
          <li><a href="${path}"${path === current && markup` aria-current="page"`}>
          <span>${title}</span></a>${path === current && contents}</li>
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
  return reachable(
    operations.flatMap(({ body, answers, parameters }) => [
      body?.schema,
      parameters,
      ...answers.map(({ schema }) => schema),
    ]),
    all,
  );
}

function reachable(from: readonly unknown[], all: Schemas): Schemas {
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
  visit(from);
  return Object.fromEntries(Object.entries(all).filter(([name]) => used.has(name)));
}

/** The page of the messages that webhooks get. */
export const messagesPath = `${HOME}/webhook-messages`;

/** A message to webhooks. */
export interface Message {
  readonly type: string;
  readonly description: string;
  /** The schema of its data. */
  readonly data: Schema;
  readonly example: unknown;
}

/** Returns the messages to webhooks, in the order of the document. */
export function messagesOf({ webhooks = {} }: Description): readonly Message[] {
  return Object.entries(webhooks).flatMap(([type, { post }]) => {
    const json = post.requestBody?.content["application/json"];
    if (json === undefined) return [];
    const { data = {} } = json.schema.properties ?? {};
    return [{ type, description: post.description, data, example: json.example }];
  });
}

/** The anchor of a message: that of its data's schema if it has one. */
function messageId({ type, data }: Message): string {
  return schemaId(data.$ref === undefined ? type : nameIn(data.$ref));
}

/** Writes the page of the messages that webhooks get. */
export function messagesPage(reference: Reference, place: Place): string {
  const { description, schemas } = reference;
  const messages = messagesOf(description);
  const own = new Set(messages.map(messageId));
  const others = Object.fromEntries(
    Object.entries(reachable(Object.values(description.webhooks ?? {}), schemas)).filter(
      ([name]) => !own.has(schemaId(name)),
    ),
  );
  return frame({
    title: "Webhook messages · Management API",
    api: managementApi,
    summary: "Every message to webhooks, with its data.",
    place,
    navigation: navigation(
      reference,
      messagesPath,
      markup`
      <ul>${messages.map(
        (message) => markup`<li><a href="#${messageId(message)}">${message.type}</a></li>`,
      )}</ul>
    `,
    ),
    main: markup`
      <section class="intro"><p class="eyebrow"><a href="${HOME}">Management API</a></p><h1>Webhook messages</h1>
      <p class="lead">Every message to webhooks, with its data.</p></section>
      <section id="messages"><h2>Messages</h2>${messages.map(
        (message) => markup`
          <section class="schema" id="${messageId(message)}"><h3><a href="#${messageId(message)}">${message.type}</a></h3>
          ${paragraphs(message.description)}${members(message.data, schemas)}${codeBlock(
            jsonText(message.example),
            `Example of ${message.type}`,
          )}</section>
        `,
      )}</section>${schemaSections(others)}
    `,
  });
}
