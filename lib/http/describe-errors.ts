import { problems, type ProblemCode } from "../base/problem.ts";
import type { JsonSchema } from "../base/schema.ts";
import { headersOf } from "./describe-headers.ts";
import { ref } from "./describe-schemas.ts";

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
