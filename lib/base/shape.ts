import type { JsonSchema } from "./field-error.ts";

/** The JSON Schema and the type of a value. Times are milliseconds in the value and RFC 3339 in the JSON. */
export interface Shape<Value> {
  readonly json: JsonSchema;
  /** Carries the type of the value; never present. */
  readonly "~value"?: Value;
}

/** The type of the values that a shape or a schema describes. */
export type ValueOf<Described> = Described extends Shape<infer Value> ? Value : never;

/** A shape with its own name in the OpenAPI document. */
export type Named<Described> = Described & { readonly name: string };

type Fields = Readonly<Record<string, Shape<unknown>>>;

/** The members described by `Required` and `Optional`, as one object type. */
export type Members<Required extends Fields, Optional extends Fields> = {
  readonly [Name in keyof Required]: Required[Name] extends Shape<infer Value> ? Value : never;
} & {
  readonly [Name in keyof Optional]?: Optional[Name] extends Shape<infer Value> ? Value : never;
} extends infer Both
  ? { readonly [Name in keyof Both]: Both[Name] }
  : never;

/** A named object with all of `required`, any of `optional`. */
// @__NO_SIDE_EFFECTS__
export function shape<
  Required extends Fields,
  // oxlint-disable-next-line typescript/no-empty-object-type -- no members
  Optional extends Fields = {},
>(
  name: string,
  required: Required,
  optional?: Optional,
): Named<Shape<Members<Required, Optional>>> {
  return { name, ...fields(required, optional) };
}

/** An unnamed object; `more` adds to its JSON Schema, such as a description. */
// @__NO_SIDE_EFFECTS__
export function fields<
  Required extends Fields,
  // oxlint-disable-next-line typescript/no-empty-object-type -- no members
  Optional extends Fields = {},
>(
  required: Required,
  optional?: Optional,
  more: JsonSchema = {},
): Shape<Members<Required, Optional>> {
  const properties = Object.entries({ ...required, ...optional });
  return {
    json: {
      type: "object",
      required: Object.keys(required),
      properties: Object.fromEntries(properties.map(([name, { json }]) => [name, json])),
      additionalProperties: false,
      ...more,
    },
  };
}

/** A named object with the members of `base` and `more` ones. */
// @__NO_SIDE_EFFECTS__
export function extended<Value, More extends Fields>(
  name: string,
  { json }: Shape<Value>,
  more: More,
): Named<Shape<Value & Members<More, Record<never, never>>>> {
  const added = fields(more).json;
  const both = (key: string): unknown[] => [json[key], added[key]].flatMap((one) => one ?? []);
  return {
    name,
    json: {
      ...json,
      required: both("required"),
      properties: Object.assign({}, ...both("properties")),
    },
  };
}

/** A named list. */
// @__NO_SIDE_EFFECTS__
export function listOf<Value>(name: string, item: Shape<Value>): Named<Shape<readonly Value[]>> {
  return { name, ...list(item) };
}

// @__NO_SIDE_EFFECTS__
export function list<Value>(item: Shape<Value>, more: JsonSchema = {}): Shape<readonly Value[]> {
  return { json: { type: "array", items: item.json, ...more } };
}

/**
 * Milliseconds since the Unix epoch in the value, RFC 3339 in the JSON. The member needs a name that says so, such as
 * `createdAt` or `until` (`lib/base/wire.ts`).
 */
// @__NO_SIDE_EFFECTS__
export function instant(description?: string): Shape<number> {
  const more = description === undefined ? {} : { description };
  return { json: { type: "string", format: "date-time", ...more } };
}

// @__NO_SIDE_EFFECTS__
export function text(description?: string, more: JsonSchema = {}): Shape<string> {
  return {
    json: { type: "string", ...(description === undefined ? {} : { description }), ...more },
  };
}

/** An integer; `more` adds bounds and a description. */
// @__NO_SIDE_EFFECTS__
export function whole(more: JsonSchema = {}): Shape<number> {
  return { json: { type: "integer", ...more } };
}

/** An integer of 0 or more. */
// @__NO_SIDE_EFFECTS__
export function count(description?: string): Shape<number> {
  return whole({
    format: "int64",
    minimum: 0,
    ...(description === undefined ? {} : { description }),
  });
}

// @__NO_SIDE_EFFECTS__
export function flag(description?: string): Shape<boolean> {
  return { json: { type: "boolean", ...(description === undefined ? {} : { description }) } };
}

// @__NO_SIDE_EFFECTS__
export function choice<const Value extends string>(
  values: readonly Value[],
  description?: string,
): Shape<Value> {
  return {
    json: { type: "string", enum: values, ...(description === undefined ? {} : { description }) },
  };
}

/** A value of `base`, or null. Its description moves to the union. */
// @__NO_SIDE_EFFECTS__
export function orNull<Value>({ json }: Shape<Value>): Shape<Value | null> {
  const { description, ...rest } = json;
  return {
    json: {
      // Without a description the same schema object is kept: the document refers to a named schema by identity.
      anyOf: [description === undefined ? json : rest, { type: "null" }],
      ...(description === undefined ? {} : { description }),
    },
  };
}

/** `base` with another description. */
// @__NO_SIDE_EFFECTS__
export function describedAs<Value>(base: Shape<Value>, description: string): Shape<Value> {
  return { json: { ...base.json, description } };
}

/** A type that the builders above cannot express. The caller must make sure that it agrees with `json`. */
// @__NO_SIDE_EFFECTS__
export function declared<Value>(json: JsonSchema): Shape<Value> {
  return { json };
}
