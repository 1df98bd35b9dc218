import { nearest } from "../base/nearest.ts";
import { problem, type Problem } from "../base/problem.ts";
import { done, refused, type Result } from "../base/result.ts";
import { check, integer, oneOf, type JsonSchema } from "../base/schema.ts";
import { MAX_ID } from "../catalogue/model.ts";

/** Checked query parameters; an absent one without a default is absent. */
export interface Query {
  readonly limit?: number;
  readonly sort?: string;
  readonly cursor?: string;
  readonly count?: boolean;
  readonly id?: readonly number[];
  readonly status?: string;
  readonly categoryId?: number;
  readonly petId?: number;
}

type Value = NonNullable<Query[keyof Query]>;

/** A query parameter: how its text is read, and how it is described. */
export interface Parameter {
  readonly name: keyof Query;
  readonly description: string;
  readonly json: JsonSchema;
  readonly default?: Value;
  /** The value, or undefined when the text is not allowed. */
  read(text: string): Value | undefined;
  /** What is allowed, in words: "must be …". */
  readonly rule: string;
}

const INTEGER = /^(0|[1-9]\d{0,15})$/;

function integerParameter(
  name: keyof Query,
  description: string,
  { minimum, maximum, fallback }: { minimum: number; maximum: number; fallback?: number },
): Parameter {
  const schema = integer({ minimum, maximum });
  return {
    name,
    description,
    json: fallback === undefined ? schema.json : { ...schema.json, default: fallback },
    ...(fallback === undefined ? {} : { default: fallback }),
    rule: `must be an integer from ${minimum} to ${maximum}`,
    read: (text) => {
      const value = INTEGER.test(text) ? Number(text) : undefined;
      return value !== undefined && check(schema, value).ok ? value : undefined;
    },
  };
}

function choiceParameter(
  name: keyof Query,
  description: string,
  choices: readonly string[],
  fallback?: string,
): Parameter {
  const schema = oneOf(choices);
  return {
    name,
    description,
    json: fallback === undefined ? schema.json : { ...schema.json, default: fallback },
    ...(fallback === undefined ? {} : { default: fallback }),
    rule: `must be one of ${choices.join(", ")}`,
    read: (text) => (choices.includes(text) ? text : undefined),
  };
}

/** The most ids that one request may ask for. */
const MAX_IDS = 100;

const id = { minimum: 1, maximum: MAX_ID };

export const parameters: {
  readonly limit: Parameter;
  readonly cursor: Parameter;
  readonly sort: Parameter;
  readonly count: Parameter;
  readonly ids: Parameter;
  readonly id: (name: keyof Query, description: string) => Parameter;
  readonly choice: (
    name: keyof Query,
    description: string,
    choices: readonly string[],
  ) => Parameter;
} = {
  limit: integerParameter("limit", "Maximum number of items returned.", {
    minimum: 1,
    maximum: 100,
    fallback: 20,
  }),
  cursor: {
    name: "cursor",
    description: "Where a page begins, as found in the `Link` header. Opaque.",
    json: { type: "string", minLength: 1 },
    rule: "must be taken from a Link header",
    read: (text) => (text === "" ? undefined : text),
  },
  sort: choiceParameter(
    "sort",
    "`-id` is newest first, `id` is oldest first.",
    ["-id", "id"],
    "-id",
  ),
  count: {
    name: "count",
    description: "`true` adds the number of all matching items as `X-Total-Count`.",
    json: { type: "boolean", default: false },
    default: false,
    rule: "must be true or false",
    read: (text) => (text === "true" ? true : text === "false" ? false : undefined),
  },
  ids: {
    name: "id",
    description: "Only the animals with these ids: up to 100, separated by commas.",
    json: { type: "array", items: { type: "integer", format: "int64", ...id }, maxItems: MAX_IDS },
    rule: `must be one to ${MAX_IDS} ids, separated by commas`,
    read: (text) => {
      const parts = text.split(",", MAX_IDS + 1);
      const ids = parts.map((part) => (INTEGER.test(part) ? Number(part) : 0));
      return parts.length <= MAX_IDS && ids.every((value) => value >= 1 && value <= MAX_ID)
        ? ids
        : undefined;
    },
  },
  id: (name, description) => integerParameter(name, description, id),
  choice: (name, description, choices) => choiceParameter(name, description, choices),
};

/** More parameters than any operation has, and fewer than it costs anything to look at. */
const MAX_PARAMETERS = 20;

/** Reads the text after `?`; the first thing wrong with it is refused. */
export function readQuery(text: string, known: readonly Parameter[]): Result<Query, Problem> {
  const read = readParameters(text, known);
  if (!read.ok) return read;
  const query = { ...read.value };
  for (const parameter of known) {
    if (parameter.default !== undefined) query[parameter.name] ??= parameter.default;
  }
  // Each parameter reads the type that stands beside its name in `Query`; its test says so.
  return done(query as Query); // oxlint-disable-line typescript/no-unsafe-type-assertion
}

/** What must be known of a parameter to read it. */
type Readable = Pick<Parameter, "rule"> & {
  readonly name: string;
  /** The value, or undefined when the text is not allowed. */
  read(text: string): unknown;
};

/** The values by name; an absent parameter is absent. */
export function readParameters(
  text: string,
  known: readonly Readable[],
): Result<Readonly<Record<string, unknown>>, Problem> {
  const query: Record<string, unknown> = {};
  if (text !== "") {
    const parts = text.split("&", MAX_PARAMETERS + 1);
    if (parts.length > MAX_PARAMETERS) {
      return refused(problem("invalid_parameter", "There are too many query parameters."));
    }
    for (const part of parts) {
      // `a=1&&b=2` and a trailing `&` hold no parameter.
      if (part === "") continue;
      const equals = part.indexOf("=");
      const name = decode(equals === -1 ? part : part.slice(0, equals));
      const parameter = known.find((one) => one.name === name);
      if (parameter === undefined) return refused(unknownParameter(name, known));
      if (Object.hasOwn(query, parameter.name)) {
        return refused(problem("invalid_parameter", `"${parameter.name}" is given twice.`));
      }
      const raw = equals === -1 ? "" : decode(part.slice(equals + 1));
      const value = raw === undefined ? undefined : parameter.read(raw);
      if (value === undefined) {
        return refused(problem("invalid_parameter", `"${parameter.name}" ${parameter.rule}.`));
      }
      query[parameter.name] = value;
    }
  }
  return done(query);
}

function decode(text: string): string | undefined {
  if (!text.includes("%") && !text.includes("+")) return text;
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return undefined;
  }
}

function unknownParameter(name: string | undefined, known: readonly Readable[]): Problem {
  if (name === undefined) {
    return problem("unknown_parameter", "A query parameter is not valid UTF-8.");
  }
  const shown = name
    .slice(0, 40)
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, "\u{FFFD}");
  const meant = nearest(
    name,
    known.map((parameter) => parameter.name),
  );
  const hint = meant === undefined ? "" : ` Did you mean "${meant}"?`;
  return problem("unknown_parameter", `The query parameter "${shown}" is not known.${hint}`);
}
