import { countCodePoints } from "../base/code-points.ts";
import { readTime } from "../base/clock.ts";
import { SINCE_1970 } from "../base/instant-pattern.ts";
import { MAX_ID } from "../base/id.ts";
import { nearest } from "../base/nearest.ts";
import { problem, type Problem } from "../base/problem.ts";
import { done, refused, type Result } from "../base/result.ts";
import { integer, type JsonSchema } from "../base/schema.ts";
import type { Named } from "../base/shape.ts";

/** A query parameter, checked before the operation runs. Clients pass a `Sent`; the operation gets a `Value`. */
export interface Parameter<Value = unknown, Sent = Value> {
  readonly description: string;
  readonly json: JsonSchema;
  /** The allowed values in words: "must be …". */
  readonly rule: string;
  /** Returns undefined for an invalid text. */
  read(text: string): Value | undefined;
  /** True for a list. Its parameter may be repeated, and each occurrence may hold several values. */
  readonly list?: true;
  /** The value if the parameter is absent. Default: the value is absent too. */
  readonly fallback?: Value;
  /** Carries the type that a client passes; never present. */
  readonly "~sent"?: Sent;
}

/** A parameter whose value is never absent. */
export interface Defaulted<Value> extends Parameter<Value> {
  readonly fallback: Value;
}

/** A query parameter with its name. */
export type NamedParameter = Named<Parameter>;

/** Query parameters by name. */
export type Parameters = Readonly<Record<string, Parameter>>;

/** The values that an operation gets. */
export type QueryOf<Declared extends Parameters> = {
  readonly [Name in keyof Declared as IfDefaulted<Declared[Name], Name, never>]: ValueOf<
    Declared[Name]
  >;
} & {
  readonly [Name in keyof Declared as IfDefaulted<Declared[Name], never, Name>]?: ValueOf<
    Declared[Name]
  >;
};

type ValueOf<One> = One extends Parameter<infer Value, infer _Sent> ? Value : never;
type IfDefaulted<One, Yes, No> = One extends Defaulted<unknown> ? Yes : No;

/** The values that a client passes. */
export type SentQueryOf<Declared extends Parameters> = {
  readonly [Name in keyof Declared]?:
    | (Declared[Name] extends Parameter<infer _Value, infer Sent> ? Sent : never)
    | undefined;
};

// @__NO_SIDE_EFFECTS__
export function namedParameters(parameters: Parameters): readonly NamedParameter[] {
  return Object.entries(parameters).map(([name, parameter]) => ({ name, ...parameter }));
}

const INTEGER = /^(?:0|[1-9]\d{0,15})$/;

/** Gives a parameter a default, which the OpenAPI document shows. */
// @__NO_SIDE_EFFECTS__
export function withFallback<Value>(
  { json, ...parameter }: Parameter<Value>,
  fallback: NoInfer<Value>,
): Defaulted<Value> {
  return { ...parameter, json: { ...json, default: fallback }, fallback };
}

/** An integer from `minimum` to `maximum`. */
// @__NO_SIDE_EFFECTS__
export function integerParameter(
  description: string,
  {
    minimum = 0,
    maximum = Number.MAX_SAFE_INTEGER,
  }: { readonly minimum?: number; readonly maximum?: number } = {},
): Parameter<number> {
  return {
    description,
    json: integer({ minimum, maximum }).json,
    rule: `must be an integer from ${minimum} to ${maximum}`,
    read: (text) => {
      const value = INTEGER.test(text) ? Number(text) : undefined;
      return value !== undefined && value >= minimum && value <= maximum ? value : undefined;
    },
  };
}

/** The id of a row. */
// @__NO_SIDE_EFFECTS__
export function idParameter(description: string): Parameter<number> {
  return integerParameter(description, { minimum: 1, maximum: MAX_ID });
}

/** The size of a page: 1 to `maximum` rows. */
// @__NO_SIDE_EFFECTS__
export function limitParameter({
  maximum,
  fallback,
}: {
  readonly maximum: number;
  readonly fallback: number;
}): Defaulted<number> {
  const bounds = { minimum: 1, maximum };
  return withFallback(integerParameter("Maximum number of items returned.", bounds), fallback);
}

/** One of `choices`. */
// @__NO_SIDE_EFFECTS__
export function choiceParameter<const Value extends string>(
  description: string,
  choices: readonly Value[],
): Parameter<Value> {
  return {
    description,
    json: { type: "string", enum: choices },
    rule: `must be one of ${choices.join(", ")}`,
    read: (text) => choices.find((choice) => choice === text),
  };
}

/** Some of `choices`, separated by commas. */
// @__NO_SIDE_EFFECTS__
export function choicesParameter<const Value extends string>(
  description: string,
  choices: readonly Value[],
): Parameter<readonly Value[]> {
  const items = { type: "string", enum: choices };
  return {
    description,
    json: { type: "array", items, minItems: 1, maxItems: choices.length },
    rule: `must be some of ${choices.join(", ")}, separated by commas`,
    list: true,
    read: (text) => {
      const words = text.split(",", choices.length + 1);
      const known = words.flatMap((word) => choices.find((choice) => choice === word) ?? []);
      return words.length <= choices.length && known.length === words.length ? known : undefined;
    },
  };
}

const MAX_IDS = 100;

/** One to a hundred ids, separated by commas. */
// @__NO_SIDE_EFFECTS__
export function idsParameter(
  description: string,
): Parameter<readonly number[], number | readonly number[]> {
  const items = integer({ minimum: 1, maximum: MAX_ID }).json;
  return {
    description,
    json: { type: "array", items, minItems: 1, maxItems: MAX_IDS },
    rule: `must be one to ${MAX_IDS} ids, separated by commas`,
    list: true,
    read: (text) => {
      const ids = text
        .split(",", MAX_IDS + 1)
        .map((part) => (INTEGER.test(part) ? Number(part) : 0));
      return ids.length <= MAX_IDS && ids.every((id) => id >= 1 && id <= MAX_ID) ? ids : undefined;
    },
  };
}

/** `true` or `false`. */
// @__NO_SIDE_EFFECTS__
export function booleanParameter(description: string): Parameter<boolean> {
  return {
    description,
    json: { type: "boolean" },
    rule: "must be true or false",
    read: (text) => (text === "true" ? true : text === "false" ? false : undefined),
  };
}

/** An instant: RFC 3339 from the client, milliseconds since the Unix epoch for the operation. */
// @__NO_SIDE_EFFECTS__
export function instantParameter(description: string): Parameter<number, string> {
  return {
    description,
    json: {
      type: "string",
      format: "date-time",
      pattern: SINCE_1970,
      examples: ["2026-11-20T09:30:00Z"],
    },
    rule: "must be an instant such as 2026-11-20T09:30:00Z",
    read: readTime,
  };
}

/** A text of 1 to `maxLength` characters that matches `pattern`, which must have no flags. */
// @__NO_SIDE_EFFECTS__
export function textParameter(
  description: string,
  {
    maxLength,
    rule,
    pattern,
  }: {
    readonly maxLength: number;
    /** "must be …" */
    readonly rule: string;
    /** Default: any text matches. */
    readonly pattern?: RegExp;
  },
): Parameter<string> {
  return {
    description,
    json: {
      type: "string",
      minLength: 1,
      maxLength,
      ...(pattern === undefined ? {} : { pattern: pattern.source }),
    },
    rule,
    read: (text) =>
      text !== "" &&
      countCodePoints(text, maxLength * 2) <= maxLength &&
      (pattern?.test(text) ?? true)
        ? text
        : undefined,
  };
}

/** More than any operation has, with a whole list one by one, and few enough to parse cheaply. */
const MAX_PARAMETERS = MAX_IDS + 20;

/** Parses the text after `?` into values by name. Refuses the first fault. */
export function readParameters(
  text: string,
  known: readonly NamedParameter[],
): Result<Readonly<Record<string, unknown>>, Problem> {
  const query: Record<string, unknown> = {};
  let lists: Map<string, string> | undefined;
  if (text !== "") {
    const parts = text.split("&", MAX_PARAMETERS + 1);
    if (parts.length > MAX_PARAMETERS) {
      return refused(problem("invalid_parameter", "There are too many query parameters."));
    }
    for (const part of parts) {
      // `&&` and a trailing `&` contain no parameter.
      if (part === "") continue;
      const equals = part.indexOf("=");
      const name = decode(equals === -1 ? part : part.slice(0, equals));
      const parameter = known.find((one) => one.name === name);
      if (parameter === undefined) return refused(unknownParameter(name, known));
      const isRepeated = Object.hasOwn(query, parameter.name);
      if (isRepeated && parameter.list !== true) {
        return refused(problem("invalid_parameter", `"${parameter.name}" is given twice.`));
      }
      let raw = equals === -1 ? "" : decode(part.slice(equals + 1));
      if (raw !== undefined && parameter.list === true) {
        lists ??= new Map();
        const before = lists.get(parameter.name);
        if (before !== undefined) raw = `${before},${raw}`;
        lists.set(parameter.name, raw);
      }
      const value = raw === undefined ? undefined : parameter.read(raw);
      if (value === undefined) {
        return refused(problem("invalid_parameter", `"${parameter.name}" ${parameter.rule}.`));
      }
      query[parameter.name] = value;
    }
  }
  return done(withFallbacks(query, known));
}

/** Adds the defaults of absent parameters. */
export function withFallbacks(
  query: Record<string, unknown>,
  known: readonly NamedParameter[],
): Readonly<Record<string, unknown>> {
  for (const { name, fallback } of known) {
    if (fallback !== undefined) query[name] ??= fallback;
  }
  return query;
}

function decode(text: string): string | undefined {
  if (!text.includes("%") && !text.includes("+")) return text;
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return undefined;
  }
}

function unknownParameter(name: string | undefined, known: readonly NamedParameter[]): Problem {
  if (name === undefined) {
    return problem("unknown_parameter", "A query parameter is not valid UTF-8.");
  }
  const shown = name
    .slice(0, 40)
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, "\u{FFFD}");
  const suggestion = nearest(
    name,
    known.map((parameter) => parameter.name),
  );
  const hint = suggestion === undefined ? "" : ` Did you mean "${suggestion}"?`;
  return problem("unknown_parameter", `The query parameter "${shown}" is not known.${hint}`);
}

const cursor: Parameter<string> = {
  description: "Where a page begins, as found in the `Link` header. Opaque.",
  json: { type: "string", minLength: 1 },
  rule: "must be taken from a Link header",
  read: (text) => (text === "" ? undefined : text),
};

/** The query parameters that all lists of the public API have. */
export const listParameters = {
  /** Items per page, 1 to 100; default 20. */
  limit: limitParameter({ maximum: 100, fallback: 20 }),
  /** `-id` (default) is newest first, `id` oldest first. */
  sort: withFallback(
    choiceParameter("`-id` is newest first, `id` is oldest first.", ["-id", "id"]),
    "-id",
  ),
  /** `next` of an earlier page of the same list. */
  cursor,
  /** Requests `total`. */
  count: withFallback(
    booleanParameter("`true` adds the number of all matching items as `X-Total-Count`."),
    false,
  ),
} satisfies Parameters;

/** Returns the id in a path; 0, which no row has, for an invalid one such as `abc`, `01` or 2^60. */
export function idIn<Name extends string>(
  { params }: { readonly params: Readonly<Record<Name, string>> },
  name: Name,
): number {
  const text = params[name];
  const id = PATH_ID.test(text) ? Number(text) : 0;
  return id <= MAX_ID ? id : 0;
}

const PATH_ID = /^[1-9]\d{0,15}$/;
