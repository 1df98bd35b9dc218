import { problems } from "../../lib/base/problem.ts";
import { plainText, type Entry } from "../guides/search/entry.ts";
import { nameIn, type Schema } from "./model/description.ts";
import {
  managementApi,
  publicApi,
  type Reference,
  type ReferenceOperation,
} from "./model/reference.ts";
import { errorId } from "./view/introduction.ts";
import { messagesPath, sectionsOf, tagPath, usedSchemas } from "./view/management.ts";
import { headerId } from "./view/operation.ts";
import { schemaId } from "./view/schema.ts";

/** Returns the index of the reference's search, for one API or both. Shared headers, parameters and errors appear once. */
export function referenceEntries(references: readonly Reference[]): readonly Entry[] {
  const once = new Set<string>();
  const isNew = (...key: readonly string[]): boolean => {
    const written = JSON.stringify(key);
    if (once.has(written)) return false;
    once.add(written);
    return true;
  };
  const all = references.map((reference) => ({ reference, pageOf: pages(reference) }));
  return [
    ...all.flatMap(({ reference, pageOf }) => [
      ...introductions(reference),
      ...reference.operations.map((one) => operationEntry(one, reference, pageOf.operation(one))),
    ]),
    ...all.flatMap(({ reference, pageOf }) =>
      Object.entries(reference.schemas).map(([name, schema]): Entry => {
        const path = `${pageOf.schema(name)}#${schemaId(name)}`;
        return ["schema", name, path, reference.api.name, ...membersOf(schema)];
      }),
    ),
    ...all.flatMap(({ reference, pageOf }) =>
      reference.operations.flatMap((operation) =>
        operation.parameters
          .filter(({ name, description }) => isNew("parameter", name, description))
          .map(({ name, in: place, description }): Entry => {
            const path = `${pageOf.operation(operation)}#${operation.id}`;
            const where = `${place} · ${operation.summary}`;
            return ["parameter", name, path, where, "", plainText(description)];
          }),
      ),
    ),
    ...all.flatMap(({ reference: { api, description } }) =>
      Object.entries(description.components.headers)
        .filter(([name]) => isNew("header", name))
        .map(([name, header]): Entry => {
          const path = `${api.page}#${headerId(name)}`;
          return ["header", name, path, api.name, "", plainText(header.description)];
        }),
    ),
    ...all.flatMap(({ reference: { api, schemas } }) =>
      Object.entries(problems)
        .filter(([code]) => schemas["Error"]?.properties?.["code"]?.enum?.includes(code) === true)
        .filter(([code]) => isNew("error", code))
        .map(([code, { status, title }]): Entry => {
          const path = `${api.page}#${errorId(code)}`;
          return ["error", code, path, `${status} · ${title}`, String(status), ""];
        }),
    ),
  ];
}

interface Pages {
  readonly operation: (operation: ReferenceOperation) => string;
  readonly schema: (name: string) => string;
}

/** Finds the pages of operations and schemas. The management API has a page for each tag. */
function pages(reference: Reference): Pages {
  if (reference.api === publicApi) {
    return { operation: () => publicApi.page, schema: () => publicApi.page };
  }
  const tags = new Map<ReferenceOperation, string>();
  const schemas = new Map<string, string>();
  for (const { name, operations } of sectionsOf(reference)) {
    for (const operation of operations) tags.set(operation, tagPath(name));
    for (const schema of Object.keys(usedSchemas(operations, reference.schemas))) {
      if (!schemas.has(schema)) schemas.set(schema, tagPath(name));
    }
  }
  return {
    operation: (operation) => tags.get(operation) ?? managementApi.page,
    schema: (name) => schemas.get(name) ?? messagesPath,
  };
}

function introductions({ api, description, groups }: Reference): readonly Entry[] {
  const { info, components, tags } = description;
  const schemes = Object.values(components.securitySchemes).map((one) => one.description);
  const used = new Set(groups.flatMap(({ sections }) => sections.map(({ name }) => name)));
  return [
    [
      "page",
      api.name,
      `${api.page}#introduction`,
      "",
      "",
      plainText(`${info.summary} ${info.description}`),
    ],
    [
      "text",
      "Authentication",
      `${api.page}#authentication`,
      api.name,
      "",
      plainText(schemes.join(" ")),
    ],
    ...(api === publicApi
      ? []
      : tags
          .filter(({ name }) => used.has(name))
          .map(({ name, description: text }): Entry => {
            const title = name.charAt(0).toUpperCase() + name.slice(1);
            return ["page", title, tagPath(name), api.name, "", plainText(text)];
          })),
  ];
}

function operationEntry(
  { id, method, path, summary, description }: ReferenceOperation,
  { api }: Reference,
  page: string,
): Entry {
  const root = api === publicApi ? "/v1" : "/manage/v1";
  return [
    "operation",
    summary,
    `${page}#${id}`,
    `${method} ${root}${path}`,
    // The path is also a name, so that it ranks like one.
    `${id} ${path}`,
    plainText(description),
  ];
}

/** Returns the names of a schema's members, and their descriptions. */
function membersOf(schema: Schema): readonly [names: string, text: string] {
  const names: string[] = [];
  const texts: string[] = schema.description === undefined ? [] : [schema.description];
  const visit = ({ properties = {}, items }: Schema): void => {
    for (const [name, member] of Object.entries(properties)) {
      names.push(name);
      if (member.description !== undefined) texts.push(member.description);
      if (member.$ref === undefined) visit(member);
      else names.push(nameIn(member.$ref));
    }
    if (items !== undefined && items.$ref === undefined) visit(items);
  };
  visit(schema);
  return [names.join(" "), plainText(texts.join(" "))];
}
