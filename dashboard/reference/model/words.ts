import { nameIn, type Schema } from "./description.ts";

/** Describes a type: `array of Pet`, `integer (int64) or null`. */
export function typeWords(schema: Schema): string {
  const { $ref, type = "any value", format, items } = schema;
  if ($ref !== undefined) return nameIn($ref);
  const choices = choicesOf(schema);
  if (choices.length > 0) return choices.map(typeWords).join(" or ");
  const types = typeof type === "string" ? [type] : type;
  return types
    .map((one) => {
      if (one === "array" && items !== undefined) return `array of ${typeWords(items)}`;
      return format === undefined || one === "null" ? one : `${one} (${format})`;
    })
    .join(" or ");
}

/** Returns the schemas between which a value of any type chooses. */
function choicesOf({ type, anyOf = [] }: Schema): readonly Schema[] {
  return type === undefined ? anyOf : [];
}

/** Describes the constraints of a schema beyond its type, with code in backticks. */
export function constraintWords(schema: Schema): readonly string[] {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, pattern } = schema;
  return [
    ...(schema.enum === undefined ? [] : [`one of ${schema.enum.map(quoted).join(", ")}`]),
    ...range(minimum, maximum, ""),
    ...range(minLength, maxLength, "character"),
    ...range(minItems, maxItems, "item"),
    // Longer patterns list characters, which the description explains.
    ...(pattern === undefined || pattern.length > MAX_PATTERN
      ? []
      : [`matches ${quoted(pattern)}`]),
    ...(schema.default === undefined ? [] : [`default ${quoted(schema.default)}`]),
    ...(schema.additionalProperties === false ? [NO_OTHERS] : []),
    ...(schema.items === undefined || schema.items.$ref !== undefined
      ? []
      : constraintWords(schema.items).map((words) =>
          words === NO_OTHERS ? `${words} in each` : `each ${words}`,
        )),
    ...choicesOf(schema).flatMap(constraintWords),
  ];
}

const MAX_PATTERN = 80;
const NO_OTHERS = "no other members";

/** `unit` is in the singular; empty for plain numbers. */
function range(min: number | undefined, max: number | undefined, unit: string): readonly string[] {
  const of = (count: number): string => {
    if (unit === "") return String(count);
    return `${count} ${unit}${count === 1 ? "" : "s"}`;
  };
  if (min === undefined) return max === undefined ? [] : [`at most ${of(max)}`];
  return [max === undefined ? `at least ${of(min)}` : `${min} to ${of(max)}`];
}

function quoted(value: unknown): string {
  return `\`${typeof value === "string" ? value : JSON.stringify(value)}\``;
}

/** Formats `2030-12-05` as `5 December 2030`. Returns other texts unchanged. */
export function dayWords(day: string): string {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day) ?? [];
  const name = MONTHS[Number(month) - 1];
  return name === undefined ? day : `${Number(date)} ${name} ${year}`;
}

const MONTHS: readonly string[] = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

/**
 * Makes a minimal valid value. Omits optional members, except the first one when all are optional, as an example of a
 * change.
 */
export function exampleOf(schema: Schema, schemas: Readonly<Record<string, Schema>>): unknown {
  if (schema.$ref !== undefined) {
    const found = schemas[nameIn(schema.$ref)];
    return found === undefined ? null : exampleOf(found, schemas);
  }
  const [choice] = choicesOf(schema);
  if (choice !== undefined) return exampleOf(choice, schemas);
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
