import { problems, type ProblemCode } from "../base/problem.ts";
import type { JsonSchema } from "../base/schema.ts";
import type { HeaderName } from "./endpoint.ts";

const integerHeader = (description: string): JsonSchema => ({
  description,
  schema: { type: "integer" },
});
const stringHeader = (description: string): JsonSchema => ({
  description,
  schema: { type: "string" },
});

const limitHeaderNames = [
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "RateLimit",
  "RateLimit-Policy",
  "X-Request-Id",
] as const;

/** Every header that an answer may carry, as the document explains it. */
export const headerDescriptions: Readonly<
  Record<
    | (typeof limitHeaderNames)[number]
    | Exclude<HeaderName, "Set-Cookie">
    | "Allow"
    | "Retry-After"
    | "WWW-Authenticate",
    JsonSchema
  >
> = {
  "X-RateLimit-Limit": integerHeader("The limit applying to the caller."),
  "X-RateLimit-Remaining": integerHeader("Requests remaining."),
  "X-RateLimit-Reset": integerHeader("Unix timestamp, in seconds, at which the limit resets."),
  RateLimit: stringHeader("Both windows: requests remaining and seconds until they reset."),
  "RateLimit-Policy": stringHeader("Both windows: their limits and lengths in seconds."),
  "X-Request-Id": stringHeader("Names this request in our logs."),
  "Retry-After": integerHeader("Seconds after which a request is worth sending."),
  "WWW-Authenticate": stringHeader("What is wrong with the credential (RFC 6750)."),
  Allow: stringHeader("The methods of this path (RFC 9110 §10.2.1)."),
  ETag: stringHeader("Version of what is answered."),
  Link: stringHeader("Addresses of related pages (RFC 8288)."),
  Location: stringHeader("Address of what was created."),
  "X-Total-Count": integerHeader("Number of all matching items; with `count=true` only."),
  Deprecation: stringHeader("Since when the operation is deprecated (RFC 9745)."),
  Sunset: stringHeader("When the operation will be removed (RFC 8594)."),
  "Idempotent-Replayed": stringHeader("`true` when this is the answer to an earlier request."),
};

/** References to the headers of every answer, and to those named. */
export function headersOf(names: readonly string[]): JsonSchema {
  return Object.fromEntries(
    [...limitHeaderNames, ...names].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
}

export function ref(schema: string): JsonSchema {
  return { $ref: `#/components/schemas/${schema}` };
}

/** Puts a reference wherever a schema that has a name of its own stands inside another one. */
export function shareNamed(schemas: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const names = new Map<unknown, string>(
    Object.entries(schemas).map(([name, schema]) => [schema, name]),
  );
  const share = (value: unknown, top: boolean): unknown => {
    const name = top ? undefined : names.get(value);
    if (name !== undefined) return ref(name);
    if (Array.isArray(value)) return value.map((item) => share(item, false));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, share(inner, false)]),
    );
  };
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, share(schema, true)]),
  );
}

/** The header by which whoever has an answer already asks whether it is still true. */
export const ifNoneMatch: JsonSchema = {
  name: "If-None-Match",
  in: "header",
  description: "An `ETag`: answers 304 while it is still true.",
  schema: { type: "string" },
};

/** The header by which a change is tied to what it was decided on. */
export const ifMatch: JsonSchema = {
  name: "If-Match",
  in: "header",
  description: "An `ETag`: the change is made only if it is still true, else 412.",
  schema: { type: "string" },
};

/** Refusals by their code. */
type Registry = Readonly<Record<string, { readonly status: number; readonly title: string }>>;

/** How an API that knows these refusals describes them. */
export interface DescribedErrors {
  /** The body of every refusal. */
  readonly schema: JsonSchema;
  /** A component for each status that a refusal can have. */
  readonly responses: JsonSchema;
  /** What a refusal of this status looks like; `more` are headers that it carries besides. */
  response(status: number, more: readonly string[]): JsonSchema;
}

/** `headers` are those that some refusals of a status carry. */
export function describedErrors(
  registry: Registry,
  headers: Readonly<Record<number, readonly string[]>>,
): DescribedErrors {
  const response = (status: number, more: readonly string[]): JsonSchema => {
    const codes = Object.entries(registry).filter(([, problem]) => problem.status === status);
    const [code = "", { title } = { title: "" }] = codes[0] ?? [];
    return {
      description: codes.map(([name, problem]) => `\`${name}\`: ${problem.title}.`).join(" "),
      headers: headersOf([...(headers[status] ?? []), ...more]),
      content: {
        "application/json": {
          schema: ref("Error"),
          example: { code, message: `${title}.`, status },
        },
      },
    };
  };
  const statuses = [...new Set(Object.values(registry).map(({ status }) => status))];
  return {
    schema: errorSchema(Object.keys(registry)),
    responses: Object.fromEntries(
      statuses.map((status) => [`Error${status}`, response(status, [])]),
    ),
    response,
  };
}

function errorSchema(codes: readonly string[]): JsonSchema {
  return {
    type: "object",
    required: ["code", "message", "status"],
    properties: {
      code: { type: "string", enum: codes, description: "Machine-readable error code." },
      message: { type: "string", description: "Human-readable description." },
      status: { type: "integer", description: "The HTTP status code." },
      errors: {
        type: "array",
        description: "Every fault of the body; on 400 only.",
        items: {
          type: "object",
          required: ["pointer", "code", "message"],
          properties: {
            pointer: { type: "string", description: "JSON Pointer (RFC 6901)." },
            code: { type: "string" },
            message: { type: "string" },
          },
        },
      },
    },
  };
}

/** Each status that some of the codes have, growing, with their names as a description lists them. */
export function codesByStatus(
  codes: readonly ProblemCode[],
): readonly (readonly [status: number, names: string])[] {
  const statuses = [...new Set(codes.map((code) => problems[code].status))];
  return statuses
    .toSorted((a, b) => a - b)
    .map((status) => {
      const ofIt = codes.filter((code) => problems[code].status === status);
      return [status, ofIt.map((code) => `\`${code}\``).join(", ")];
    });
}
