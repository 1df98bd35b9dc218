import { nameIn, type Schema } from "./description.ts";

/** What a value is, in words: `array of Pet`, `integer (int64) or null`. */
export function typeWords(schema: Schema): string {
  const { $ref, type = "any value", format, items } = schema;
  if ($ref !== undefined) return nameIn($ref);
  const types = typeof type === "string" ? [type] : type;
  return types
    .map((one) => {
      if (one === "array" && items !== undefined) return `array of ${typeWords(items)}`;
      return format === undefined || one === "null" ? one : `${one} (${format})`;
    })
    .join(" or ");
}

/** Everything that the schema asks of a value beyond its type, each in a few words; code stands between backticks. */
export function constraintWords(schema: Schema): readonly string[] {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, pattern } = schema;
  return [
    ...(schema.enum === undefined ? [] : [`one of ${schema.enum.map(quoted).join(", ")}`]),
    ...range(minimum, maximum, ""),
    ...range(minLength, maxLength, " characters"),
    ...range(minItems, maxItems, " items"),
    // Longer ones list characters: the description says the same in words.
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
  ];
}

const MAX_PATTERN = 80;
const NO_OTHERS = "no other members";

function range(min: number | undefined, max: number | undefined, unit: string): readonly string[] {
  if (min === undefined) return max === undefined ? [] : [`at most ${max}${unit}`];
  return [max === undefined ? `at least ${min}${unit}` : `${min} to ${max}${unit}`];
}

function quoted(value: unknown): string {
  return `\`${typeof value === "string" ? value : JSON.stringify(value)}\``;
}
