import * as v from "valibot";
import { escapePointer } from "./json.ts";
import { nearest } from "./nearest.ts";
import type { FieldError } from "./problem.ts";
import { done, type Result } from "./result.ts";

/** A JSON Schema (2020-12) as OpenAPI 3.1 takes it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Checks a value and describes it: one declaration makes both. Checking never changes the value. */
export interface Schema<Value> {
  readonly json: JsonSchema;
  readonly checks: v.GenericSchema<unknown, Value>;
}

/** Words for people that go into the description. */
export interface Described {
  readonly description?: string;
  readonly examples?: readonly unknown[];
}

/** An integer that JSON carries exactly, from `minimum` to `maximum`. */
export function integer({
  minimum = Number.MIN_SAFE_INTEGER,
  maximum = Number.MAX_SAFE_INTEGER,
  ...more
}: Described & { readonly minimum?: number; readonly maximum?: number } = {}): Schema<number> {
  const range = `must be an integer from ${minimum} to ${maximum}`;
  return {
    json: { type: "integer", format: "int64", minimum, maximum, ...more },
    checks: v.pipe(
      v.number(range),
      v.safeInteger(range),
      v.minValue(minimum, range),
      v.maxValue(maximum, range),
    ),
  };
}

/** A string for which `fault` finds nothing to say; `json` tells the same in JSON Schema. */
export function string(
  fault: (text: string) => string | undefined,
  json: JsonSchema,
): Schema<string> {
  return {
    json: { type: "string", ...json },
    checks: v.pipe(
      v.string("must be a string"),
      v.rawCheck(({ dataset, addIssue }) => {
        const message = dataset.typed ? fault(dataset.value) : undefined;
        if (message !== undefined) addIssue({ message });
      }),
    ),
  };
}

export function oneOf<const Value extends string>(
  values: readonly Value[],
  more: Described & { readonly default?: Value } = {},
): Schema<Value> {
  return {
    json: { type: "string", enum: values, ...more },
    checks: v.picklist(values, `must be one of ${values.join(", ")}`),
  };
}

export function boolean(more: Described = {}): Schema<boolean> {
  return {
    json: { type: "boolean", ...more },
    checks: v.boolean("must be true or false"),
  };
}

/** Any value at all: for what is judged later, one by one. `json` tells what is expected. */
export function anything(json: JsonSchema): Schema<unknown> {
  return { json, checks: v.unknown() };
}

/** What `base` takes, or null. */
export function nullable<Value>(base: Schema<Value>): Schema<Value | null> {
  return { json: { anyOf: [base.json, { type: "null" }] }, checks: v.nullable(base.checks) };
}

export function array<Value>(item: Schema<Value>, more: JsonSchema = {}): Schema<Value[]> {
  return { json: { type: "array", items: item.json, ...more }, checks: v.array(item.checks) };
}

type Fields = Readonly<Record<string, Schema<unknown>>>;
type Values<F extends Fields> = {
  readonly [K in keyof F]: F[K] extends Schema<infer V> ? V : never;
};

/** An object with all of `required`, any of `optional` and nothing else. */
export function object<Required extends Fields, Optional extends Fields = Record<never, never>>(
  required: Required,
  optional?: Optional,
  more: JsonSchema = {},
): Schema<Values<Required> & Partial<Values<Optional>>> {
  const entries: Record<string, v.GenericSchema> = {};
  const properties: Record<string, JsonSchema> = {};
  for (const [name, schema] of Object.entries(required)) {
    entries[name] = schema.checks;
    properties[name] = schema.json;
  }
  for (const [name, schema] of Object.entries(optional ?? {})) {
    entries[name] = v.optional(schema.checks);
    properties[name] = schema.json;
  }
  return {
    json: {
      type: "object",
      required: Object.keys(required),
      properties,
      additionalProperties: false,
      ...more,
    },
    // The entries were built from the very fields that the type is built from.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    checks: v.pipe(noArray, v.strictObject(entries)) as unknown as v.GenericSchema<
      unknown,
      Values<Required> & Partial<Values<Optional>>
    >,
  };
}

/** To valibot, an array is an object whose members are its items. */
const noArray = v.custom<unknown>((value) => !Array.isArray(value));

/** A schema that appears in the description under a name of its own. */
export function named<Value>(
  name: string,
  schema: Schema<Value>,
): Schema<Value> & { readonly name: string } {
  return { ...schema, name };
}

/** The faults of `value`, in the order of its members; absent ones come last, of unknown ones the first is told. */
export function check<Value>(
  schema: Schema<Value>,
  value: unknown,
): Result<Value, readonly [FieldError, ...FieldError[]]> {
  // One fault a member: a number that is too large is not told to be inexact besides.
  const outcome = v.safeParse(schema.checks, value, { abortPipeEarly: true });
  if (outcome.success) return done(outcome.output);
  const order = typeof value === "object" && value !== null ? Object.keys(value) : [];
  const place = (issue: v.BaseIssue<unknown>): number => {
    const index = order.indexOf(String(issue.path?.[0]?.key));
    return index === -1 ? Infinity : index;
  };
  const [first, ...others] = outcome.issues.toSorted((a, b) => {
    const [left, right] = [place(a), place(b)];
    return left === right ? 0 : left - right;
  });
  // A failed parse always has an issue.
  const issues = first === undefined ? outcome.issues : ([first, ...others] as const);
  const known = Object.keys(schema.json["properties"] ?? {});
  return {
    ok: false,
    failure: [
      fieldError(issues[0], known),
      ...issues.slice(1, MAX_ERRORS).map((issue) => fieldError(issue, known)),
    ],
  };
}

/** More than that many faults help nobody, and a stranger decides how many there are. */
const MAX_ERRORS = 20;

function fieldError(issue: v.BaseIssue<unknown>, known: readonly string[]): FieldError {
  const path = issue.path ?? [];
  const pointer = path.map(({ key }) => `/${escapePointer(String(key).slice(0, 80))}`).join("");
  const name = String(path.at(-1)?.key).slice(0, 80);
  if (path.length === 0) {
    return { pointer, code: "invalid_body", message: "The body must be a JSON object." };
  }
  if (issue.type === "strict_object") {
    if (issue.expected === "never") {
      const meant = nearest(name, known);
      const hint = meant === undefined ? "" : ` Did you mean "${meant}"?`;
      return {
        pointer,
        code: "unknown_field",
        message: `The field "${printable(name)}" is not known.${hint}`,
      };
    }
    if (issue.received === "undefined") {
      return { pointer, code: "missing_field", message: `The field "${name}" is required.` };
    }
  }
  return { pointer, code: "invalid_value", message: `"${name}" ${issue.message}.` };
}

/** A stranger's text, fit to be quoted in a message. */
function printable(text: string): string {
  return text.toWellFormed().replaceAll(/\p{Cc}/gu, "\u{FFFD}");
}
