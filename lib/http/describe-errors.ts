import { publicProblems } from "../base/problem.ts";
import type { JsonSchema } from "../base/schema.ts";
import { headersOf } from "./describe-headers.ts";
import type { HeaderName } from "./endpoint.ts";

export function ref(schema: string): JsonSchema {
  return { $ref: `#/components/schemas/${schema}` };
}

/** The body of every refusal. */
export const errorSchema: JsonSchema = {
  type: "object",
  required: ["code", "message", "status"],
  properties: {
    code: {
      type: "string",
      enum: Object.keys(publicProblems),
      description: "Machine-readable error code.",
    },
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

/** A component for each status that a refusal can have. */
export function errorResponses(): JsonSchema {
  const statuses = [...new Set(Object.values(publicProblems).map(({ status }) => status))];
  return Object.fromEntries(
    statuses.map((status) => [`Error${status}`, errorResponse(status, [])]),
  );
}

/** Headers that some refusals of a status carry. */
const refusalHeaders: Readonly<Record<number, readonly string[]>> = {
  400: ["Idempotent-Replayed"],
  401: ["WWW-Authenticate"],
  403: ["Idempotent-Replayed", "WWW-Authenticate"],
  404: ["Idempotent-Replayed"],
  409: ["Idempotent-Replayed", "Retry-After"],
  412: ["Idempotent-Replayed"],
  429: ["Retry-After"],
  503: ["Retry-After"],
};

/** What a refusal of this status looks like; `more` are headers that it carries here besides. */
export function errorResponse(status: number, more: readonly HeaderName[]): JsonSchema {
  const codes = Object.entries(publicProblems).filter(([, problem]) => problem.status === status);
  const [code = "", { title } = { title: "" }] = codes[0] ?? [];
  return {
    description: codes.map(([name, problem]) => `\`${name}\`: ${problem.title}.`).join(" "),
    headers: headersOf([...(refusalHeaders[status] ?? []), ...more]),
    content: {
      "application/json": {
        schema: ref("Error"),
        example: { code, message: `${title}.`, status },
      },
    },
  };
}
