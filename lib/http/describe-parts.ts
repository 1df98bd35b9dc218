import { problems, type ProblemCode } from "../base/problem.ts";
import type { JsonSchema } from "../base/schema.ts";
import { ENTITY_TAGS } from "./preconditions.ts";
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

/** The descriptions of all headers that responses have. */
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
  "X-RateLimit-Limit": integerHeader("The limit that applies to the caller."),
  "X-RateLimit-Remaining": integerHeader("Requests remaining."),
  "X-RateLimit-Reset": integerHeader("Unix timestamp, in seconds, at which the limit resets."),
  RateLimit: stringHeader("Both windows: requests remaining and seconds until they reset."),
  "RateLimit-Policy": stringHeader("Both windows: their limits and lengths in seconds."),
  "X-Request-Id": stringHeader("Identifies this request in the service's logs."),
  "Retry-After": integerHeader("Seconds to wait before the next request."),
  "WWW-Authenticate": stringHeader(
    "The required credential, and the fault of the one sent (RFC 6750).",
  ),
  Allow: stringHeader("The methods of this path (RFC 9110 §10.2.1)."),
  ETag: stringHeader("Version of the response body."),
  Link: stringHeader("Addresses of related pages (RFC 8288)."),
  Location: stringHeader("Address of the created resource."),
  "X-Total-Count": integerHeader("Number of all matching items; with `count=true` only."),
  Deprecation: stringHeader("When the operation was deprecated (RFC 9745)."),
  Sunset: stringHeader("When the operation will be removed (RFC 8594)."),
  "Idempotent-Replayed": stringHeader("`true` if this is the response to an earlier request."),
};

/** Returns references to the headers that all responses have, and to those in `names`. */
export function headersOf(names: readonly string[]): JsonSchema {
  return Object.fromEntries(
    [...limitHeaderNames, ...names].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
}

export function ref(schema: string): JsonSchema {
  return { $ref: `#/components/schemas/${schema}` };
}

/** Replaces named schemas inside other schemas with references. */
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

/** The request header with which a client revalidates its copy. */
export const ifNoneMatch: JsonSchema = {
  name: "If-None-Match",
  in: "header",
  description: "An `ETag`: the response is 304 while it is current.",
  schema: { type: "string" },
};

/** The request header that makes a change conditional on the version that the client read. */
export const ifMatch: JsonSchema = {
  name: "If-Match",
  in: "header",
  description: "An `ETag`: the change is made only while it is current; otherwise 412.",
  // One pattern: generators of clients that know no union of texts would leave the operation out.
  schema: { type: "string", pattern: `^(?:\\*|${ENTITY_TAGS.slice(1, -1)})$` },
};

/** Refusals by their code. */
type Registry = Readonly<Record<string, { readonly status: number; readonly title: string }>>;

/** The refusals of an API, described. */
export interface DescribedErrors {
  /** The body of every refusal. */
  readonly schema: JsonSchema;
  /** A component for each status of a refusal. */
  readonly responses: JsonSchema;
  /** Describes the refusals of a status; `more` are additional headers. */
  response(status: number, more: readonly string[]): JsonSchema;
}

/** Describes refusals. `headers` lists the headers that some refusals of a status have. */
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
        description: "All faults of the body; only with 400.",
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

/** Returns the statuses of the codes in ascending order, each with its codes as a description lists them. */
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
