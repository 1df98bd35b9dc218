import type { JsonSchema } from "../base/schema.ts";

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
