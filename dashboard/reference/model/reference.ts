import { problems, type ProblemCode } from "../../../lib/base/problem.ts";
import {
  nameIn,
  type Description,
  type Header,
  type Operation,
  type Parameter,
  type Response,
  type Schema,
} from "./description.ts";
import type { GuideHost } from "../../guides/guides.ts";
import type { Call } from "./call.ts";
import { exampleOf } from "./words.ts";

/** One of the two documented APIs. */
export interface Api {
  readonly name: "Public API" | "Management API";
  /** Its name between those of other APIs. */
  readonly short: "Public" | "Management";
  /** The address of its reference. */
  readonly page: "/docs" | "/docs/management";
  /** The environment variable with the bearer token in samples. */
  readonly secret: NonNullable<Call["secret"]>;
}

export const publicApi: Api = {
  name: "Public API",
  short: "Public",
  page: "/docs",
  secret: "PETSTORE_KEY",
};

export const managementApi: Api = {
  name: "Management API",
  short: "Management",
  page: "/docs/management",
  secret: "PETSTORE_TOKEN",
};

/** A response of an operation. */
export interface Answer {
  readonly status: number;
  readonly description: string;
  /** The error codes with this status. */
  readonly codes: readonly ProblemCode[];
  readonly headers: readonly (readonly [name: string, header: Header])[];
  readonly schema?: Schema;
  readonly example?: unknown;
}

/** An operation with its address and all references resolved. */
export interface ReferenceOperation {
  readonly id: string;
  readonly method: string;
  /** Relative to the API, with placeholders: `/pets/{petId}`. */
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly deprecated: boolean;
  /** The removal date: `2030-12-05`. */
  readonly sunset?: string;
  readonly stability?: string;
  /** Whether the page shows a try-it panel. */
  readonly tryable: boolean;
  readonly parameters: readonly Parameter[];
  readonly body?: { readonly schema: Schema; readonly example: unknown };
  /** The media types of a file that the operation accepts. */
  readonly uploads: readonly string[];
  /** The media type of the file that the operation returns. */
  readonly file?: string;
  /** The environment variable with the bearer token in samples; null if the operation needs none. */
  readonly secret: NonNullable<Call["secret"]> | null;
  readonly answers: readonly Answer[];
}

/** The operations of a tag, possibly none. */
export interface TagSection {
  readonly name: string;
  readonly description: string;
  readonly operations: readonly ReferenceOperation[];
}

/** A group of the navigation. A group without tags has one empty section of its name. */
export interface Group {
  readonly name: string;
  readonly sections: readonly TagSection[];
}

/** The document in reading order. */
export interface Reference {
  readonly api: Api;
  readonly description: Description;
  readonly groups: readonly Group[];
  readonly operations: readonly ReferenceOperation[];
  readonly schemas: Readonly<Record<string, Schema>>;
  /** The headers that every response of every operation has. */
  readonly commonHeaders: readonly string[];
}

/** Returns the address of an API on a host. Samples of the public API use Production. */
export function serverOf(
  { page }: Api,
  { origin, production }: Pick<GuideHost, "origin" | "production">,
): string {
  return page === "/docs" ? production : `${origin}/manage/v1`;
}

/** A minimal request of the operation. */
export function plainCall(
  { method, path, parameters, body, uploads, file, secret, answers }: ReferenceOperation,
  schemas: Readonly<Record<string, Schema>>,
  server: string,
): Call {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const schema = parameters.find((one) => one.name === name)?.schema ?? {};
    // Like the placeholders of commands: `/accounts/ACCOUNT`.
    const unknown = schema.type === "string" && schema.enum === undefined;
    return unknown ? name.toUpperCase() : String(exampleOf(schema, schemas));
  });
  const [type] = uploads;
  const empty = answers.every(({ status, schema }) => status >= 300 || schema === undefined);
  return {
    method,
    url: server + filled,
    secret,
    ...(body === undefined ? {} : { body: JSON.stringify(body.example) }),
    ...(body !== undefined || type === undefined
      ? {}
      : { upload: { name: FILES[type] ?? "file", type } }),
    ...(file === undefined
      ? empty && { returns: "nothing" }
      : { returns: { file: FILES[file] ?? "file" } }),
  };
}

/** Names of files in samples. */
const FILES: Readonly<Record<string, string>> = {
  "application/gzip": "site.tar.gz",
  "application/zip": "photos.zip",
  "image/jpeg": "photo.jpg",
  "image/webp": "photo.webp",
  "text/csv": "animals.csv",
};

export function referenceOf(description: Description, api: Api = publicApi): Reference {
  const { schemas } = description.components;
  const tagged = Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      tags: operation.tags,
      operation: operationOf(description, path, method.toUpperCase(), operation, api),
    })),
  );
  const section = (name: string): TagSection => ({
    name,
    description: description.tags.find((tag) => tag.name === name)?.description ?? "",
    operations: tagged.filter(({ tags }) => tags.includes(name)).map((one) => one.operation),
  });
  const groups = description["x-tagGroups"] ?? [
    { name: api.name, tags: description.tags.map(({ name }) => name) },
  ];
  return {
    api,
    description,
    groups: groups.map(({ name, tags }) => ({
      name,
      sections: (tags.length === 0 ? [name] : tags).map(section),
    })),
    operations: tagged.map(({ operation }) => operation),
    schemas,
    commonHeaders: Object.keys(description.components.headers).filter((name) =>
      tagged.every(({ operation }) =>
        operation.answers.every(({ headers }) => headers.some(([one]) => one === name)),
      ),
    ),
  };
}

function operationOf(
  description: Description,
  path: string,
  method: string,
  operation: Operation,
  api: Api,
): ReferenceOperation {
  const { schemas } = description.components;
  const { "x-stability": stability, "x-deprecated-sunset": sunset } = operation;
  const accepted = operation.requestBody?.content ?? {};
  const body = accepted["application/json"];
  const [returned = []] = Object.entries(operation.responses).flatMap(([status, { content }]) =>
    Number(status) < 300 ? [Object.keys(content ?? {})] : [],
  );
  const json = returned.length === 0 || returned.includes("application/json");
  return {
    id: operation.operationId,
    method,
    path,
    summary: operation.summary,
    description: operation.description,
    deprecated: operation.deprecated === true,
    ...(sunset === undefined ? {} : { sunset }),
    ...(stability === undefined ? {} : { stability }),
    // A management token can delete whole accounts, so the page tries only what reads.
    tryable:
      operation["x-hideTryItPanel"] !== true && (api === publicApi || (method === "GET" && json)),
    uploads: Object.keys(accepted).filter((type) => type !== "application/json"),
    ...(json || returned[0] === undefined ? {} : { file: returned[0] }),
    secret: operation.security?.length === 0 ? null : api.secret,
    parameters: operation.parameters,
    ...(body === undefined
      ? {}
      : {
          body: { schema: body.schema, example: body.example ?? exampleOf(body.schema, schemas) },
        }),
    answers: Object.entries(operation.responses).map(([status, response]) =>
      answerOf(description, Number(status), response),
    ),
  };
}

function answerOf({ components }: Description, status: number, written: Response): Answer {
  const shared = written.$ref === undefined ? {} : components.responses[nameIn(written.$ref)];
  const { description, headers = {}, content = {} }: Response = { ...shared, ...written };
  const codes = status < 400 ? [] : codesIn(description);
  const [code] = codes;
  const json = content["application/json"];
  return {
    status,
    description,
    codes,
    headers: Object.entries(headers).map(([name, { $ref, ...header }]) => {
      const found = $ref === undefined ? undefined : components.headers[nameIn($ref)];
      return [name, found ?? header];
    }),
    ...(json === undefined
      ? {}
      : {
          schema: json.schema,
          // The document has one example per status; this one uses an error code of the operation.
          example:
            code === undefined
              ? (json.example ?? exampleOf(json.schema, components.schemas))
              : { code, message: `${problems[code].title}.`, status },
        }),
  };
}

function codesIn(description: string): readonly ProblemCode[] {
  return Array.from(description.matchAll(/`(\w+)`/g), ([, name = ""]) => name).filter(isCode);
}

function isCode(name: string): name is ProblemCode {
  return Object.hasOwn(problems, name);
}
