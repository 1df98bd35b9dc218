import type { JsonSchema } from "../../lib/base/schema.ts";

/**
 * Returns a small valid value of a schema: its first example or choice, true, an empty list, or an object with only the
 * required members. Throws for any other schema, such as a text without examples.
 */
export function sampleOf(schema: JsonSchema): unknown {
  const { type, examples, enum: choices, properties, required } = schema as Parts;
  const [example = choices?.[0]] = examples ?? [];
  if (example !== undefined) return example;
  if (type === "boolean") return true;
  if (type === "array") return [];
  if (properties === undefined || required === undefined) {
    throw new Error(`No example of ${JSON.stringify(schema)}.`);
  }
  return Object.fromEntries(required.map((name) => [name, sampleOf(properties[name] ?? {})]));
}

interface Parts {
  readonly type?: string;
  readonly examples?: readonly unknown[];
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}
