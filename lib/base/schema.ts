import type { Check, Checks } from "./checks.ts";
import { countCodePoints } from "./code-points.ts";
import type { JsonSchema } from "./field-error.ts";
import type { Members, Shape } from "./shape.ts";

export type { JsonSchema } from "./field-error.ts";
export type { ValueOf } from "./shape.ts";

/** A shape that also checks values. Checking never changes the value. */
export interface Schema<Value> extends Shape<Value> {
  /** Makes the check of a value. The library that checks is loaded with the first value, so it is handed in. */
  readonly checks: (v: Checks) => Check<Value>;
}

/** Documentation of a schema in the OpenAPI document. */
export interface Described {
  readonly description?: string;
  readonly examples?: readonly unknown[];
}

/** An integer that JSON carries exactly, from `minimum` to `maximum`. */
// @__NO_SIDE_EFFECTS__
export function integer({
  minimum = Number.MIN_SAFE_INTEGER,
  maximum = Number.MAX_SAFE_INTEGER,
  ...more
}: Described & { readonly minimum?: number; readonly maximum?: number } = {}): Schema<number> {
  const range = `must be an integer from ${minimum} to ${maximum}`;
  return {
    json: { type: "integer", format: "int64", minimum, maximum, ...more },
    checks: (v) =>
      v.pipe(
        v.number(range),
        v.safeInteger(range),
        v.minValue(minimum, range),
        v.maxValue(maximum, range),
      ),
  };
}

/**
 * A string for which `fault` returns undefined; `json` states the same rule in JSON Schema. `maxLength` of `json` is checked
 * here, in code points, as JSON Schema counts (RFC 8259 §7), unless `fault` measures a part of the text, such as the text
 * without white space around it.
 */
// @__NO_SIDE_EFFECTS__
export function string(
  fault: (text: string) => string | undefined,
  json: JsonSchema,
  { measures = false }: { readonly measures?: boolean } = {},
): Schema<string> {
  const maxLength = measures ? undefined : json["maxLength"];
  const faultIn = (text: string): string | undefined =>
    fault(text) ??
    (typeof maxLength === "number" && countCodePoints(text, 2 * maxLength) > maxLength
      ? `must be at most ${maxLength} characters long`
      : undefined);
  return {
    json: { type: "string", ...json },
    checks: (v) =>
      v.pipe(
        v.string("must be a string"),
        v.rawCheck(({ dataset, addIssue }) => {
          const message = dataset.typed ? faultIn(dataset.value) : undefined;
          if (message !== undefined) addIssue({ message });
        }),
      ),
  };
}

/** Accepts every text, for strings that only have a length. */
export function anyText(): undefined {}

// @__NO_SIDE_EFFECTS__
export function oneOf<const Value extends string>(
  values: readonly Value[],
  more: Described & { readonly default?: Value } = {},
): Schema<Value> {
  return {
    json: { type: "string", enum: values, ...more },
    checks: (v) => v.picklist(values, `must be one of ${values.join(", ")}`),
  };
}

// @__NO_SIDE_EFFECTS__
export function boolean(more: Described = {}): Schema<boolean> {
  return {
    json: { type: "boolean", ...more },
    checks: (v) => v.boolean("must be true or false"),
  };
}

/** Any value, for items that are checked later. `json` describes the expected values. */
// @__NO_SIDE_EFFECTS__
export function anything(json: JsonSchema): Schema<unknown> {
  return { json, checks: (v) => v.unknown() };
}

/** Any object, for data that another program creates and validates. */
// @__NO_SIDE_EFFECTS__
export function anyObject(more: Described): Schema<Readonly<Record<string, unknown>>> {
  return {
    json: { type: "object", ...more },
    checks: (v) => v.custom<Readonly<Record<string, unknown>>>(v.isObject, AN_OBJECT),
  };
}

/** A value of `base`, or null. */
// @__NO_SIDE_EFFECTS__
export function nullable<Value>(base: Schema<Value>): Schema<Value | null> {
  return {
    json: { anyOf: [base.json, { type: "null" }] },
    checks: (v) => v.nullable(base.checks(v)),
  };
}

/** A list of `minItems` to `maxItems` items. */
// @__NO_SIDE_EFFECTS__
export function array<Value>(
  item: Schema<Value>,
  more: JsonSchema & { readonly minItems?: number; readonly maxItems?: number } = {},
): Schema<readonly Value[]> {
  const { minItems = 0, maxItems = Infinity } = more;
  return {
    json: { type: "array", items: item.json, ...more },
    checks: (v) =>
      v.pipe(
        v.custom<unknown[]>(Array.isArray, "must be a list"),
        // Checked before the items, because the client decides how many it sends.
        v.minLength(minItems, `must not have fewer items than ${minItems}`),
        v.maxLength(maxItems, `must have at most ${maxItems} items`),
        v.array(item.checks(v)),
      ),
  };
}

/** An object of at most `maxProperties` members whose names match `name`. */
// @__NO_SIDE_EFFECTS__
export function record<Value>(
  name: Schema<string>,
  value: Schema<Value>,
  more: JsonSchema & { readonly maxProperties: number },
): Schema<Readonly<Record<string, Value>>> {
  const { maxProperties } = more;
  return {
    json: {
      type: "object",
      propertyNames: name.json,
      additionalProperties: value.json,
      ...more,
    },
    checks: (v) =>
      v.pipe(
        v.custom<Readonly<Record<string, unknown>>>(v.isObject, AN_OBJECT),
        v.maxEntries(maxProperties, `must have at most ${maxProperties} members`),
        v.record(
          // A schema of strings accepts only strings.
          // oxlint-disable-next-line typescript/no-unsafe-type-assertion
          name.checks(v) as unknown as Check<string, string>,
          value.checks(v),
        ),
      ),
  };
}

/** `false`, or a value of `base`. */
// @__NO_SIDE_EFFECTS__
export function orFalse<Value>(base: Schema<Value>): Schema<Value | false> {
  return {
    json: { anyOf: [{ const: false }, base.json] },
    checks: (v) => {
      const [isFalse, others] = [v.literal(false), base.checks(v)];
      // Branches first, so that an object's faults are reported with their own paths.
      return v.lazy((value) => (value === false ? isFalse : others));
    },
  };
}

/** One of the given numbers. */
// @__NO_SIDE_EFFECTS__
export function oneOfNumbers<const Value extends number>(
  values: readonly Value[],
  more: Described & { readonly default?: Value } = {},
): Schema<Value> {
  return {
    json: { type: "integer", enum: values, ...more },
    checks: (v) => v.picklist(values, `must be one of ${values.join(", ")}`),
  };
}

const AN_OBJECT = "must be an object";

type Fields = Readonly<Record<string, Schema<unknown>>>;

/** An object with all of `required`, any of `optional` and nothing else. */
// @__NO_SIDE_EFFECTS__
export function object<Required extends Fields, Optional extends Fields = Record<never, never>>(
  required: Required,
  optional?: Optional,
  more: JsonSchema = {},
): Schema<Members<Required, Optional>> {
  const properties: Record<string, JsonSchema> = {};
  for (const [name, { json }] of Object.entries({ ...required, ...optional })) {
    properties[name] = json;
  }
  return {
    json: {
      type: "object",
      required: Object.keys(required),
      properties,
      additionalProperties: false,
      ...more,
    },
    checks: (v) => {
      const entries: Record<string, Check<unknown>> = {};
      for (const [name, { checks }] of Object.entries(required)) entries[name] = checks(v);
      for (const [name, { checks }] of Object.entries(optional ?? {})) {
        entries[name] = v.optional(checks(v));
      }
      // `strictObject` of valibot accepts arrays.
      const noArray = v.custom<unknown>((value) => !Array.isArray(value), AN_OBJECT);
      // The entries and the type come from the same fields.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      return v.pipe(noArray, v.strictObject(entries, AN_OBJECT)) as unknown as Check<
        Members<Required, Optional>
      >;
    },
  };
}

/** A value of `base` for which `fault` returns undefined; a fault is reported at `member`. `json` states the same rule. */
// @__NO_SIDE_EFFECTS__
export function where<Value extends object>(
  base: Schema<Value>,
  member: string,
  fault: (value: Value) => string | undefined,
  json: JsonSchema,
): Schema<Value> {
  return {
    json: { ...base.json, ...json },
    checks: (v) =>
      v.pipe(
        base.checks(v),
        v.rawCheck(({ dataset, addIssue }) => {
          const message = dataset.typed ? fault(dataset.value) : undefined;
          if (message === undefined || !dataset.typed) return;
          const input = Object.fromEntries(Object.entries(dataset.value));
          const path = [
            { type: "object", origin: "value", input, key: member, value: undefined },
          ] as const;
          addIssue({ message, path: [...path] });
        }),
      ),
  };
}

/** Names a schema in the OpenAPI document. */
// @__NO_SIDE_EFFECTS__
export function named<Value>(
  name: string,
  schema: Schema<Value>,
): Schema<Value> & { readonly name: string } {
  return { ...schema, name };
}
