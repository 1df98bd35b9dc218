import { nameIn, type Schema } from "./description.ts";

/**
 * A value that fits the schema, as plain as can be. Members that may be left out are left out, but where all of them may:
 * there the first one stands for a change.
 */
export function exampleOf(schema: Schema, schemas: Readonly<Record<string, Schema>>): unknown {
  if (schema.$ref !== undefined) {
    const found = schemas[nameIn(schema.$ref)];
    return found === undefined ? null : exampleOf(found, schemas);
  }
  const [example] = schema.examples ?? [];
  if (example !== undefined) return example;
  if (schema.default !== undefined) return schema.default;
  if (schema.enum?.[0] !== undefined) return schema.enum[0];
  const type = typeof schema.type === "string" ? schema.type : schema.type?.[0];
  switch (type) {
    case "object": {
      const members = Object.entries(schema.properties ?? {});
      const needed = members.filter(([name]) => schema.required?.includes(name));
      const shown = needed.length === 0 ? members.slice(0, 1) : needed;
      return Object.fromEntries(shown.map(([name, member]) => [name, exampleOf(member, schemas)]));
    }
    case "array":
      return schema.items === undefined ? [] : [exampleOf(schema.items, schemas)];
    case "integer":
      return schema.minimum ?? 1_795_132_800;
    case "boolean":
      return true;
    case "string":
      return schema.format === "date-time" ? "2030-12-05T00:00:00.000Z" : "text";
    case undefined:
    default:
      return null;
  }
}
