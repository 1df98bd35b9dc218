import type { JsonSchema } from "../../base/schema.ts";

/** What is only sent, and so never checked: described under a name of its own. */
export interface Shape {
  readonly name: string;
  readonly json: JsonSchema;
}

/** An object with all of `required` and any of `optional`. */
export function shape(
  name: string,
  required: Readonly<Record<string, JsonSchema>>,
  optional: Readonly<Record<string, JsonSchema>> = {},
): Shape {
  return {
    name,
    json: {
      type: "object",
      required: Object.keys(required),
      properties: { ...required, ...optional },
      additionalProperties: false,
    },
  };
}

export function listOf(name: string, item: Shape): Shape {
  return { name, json: { type: "array", items: item.json } };
}

export function instant(description: string): JsonSchema {
  return { type: "string", format: "date-time", description };
}

export function text(description: string): JsonSchema {
  return { type: "string", description };
}
