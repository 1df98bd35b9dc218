import { readTime } from "../base/clock.ts";
import { check, integer, type Schema } from "../base/schema.ts";
import { MAX_ID } from "../model/pet.ts";
import { countCodePoints } from "../model/text.ts";
import type { ManagementParameter } from "./endpoint.ts";

type Query = Readonly<Record<string, unknown>>;

/** An integer within its bounds, both included; `fallback` is described only. */
export function integerParameter(
  name: string,
  description: string,
  {
    minimum = 0,
    maximum = Number.MAX_SAFE_INTEGER,
    fallback,
  }: { readonly minimum?: number; readonly maximum?: number; readonly fallback?: number } = {},
): ManagementParameter {
  const schema = integer({ minimum, maximum });
  return {
    name,
    description,
    json: fallback === undefined ? schema.json : { ...schema.json, default: fallback },
    rule: `must be an integer from ${minimum} to ${maximum}`,
    read: (text) => {
      const value = /^(?:0|[1-9]\d{0,15})$/.test(text) ? Number(text) : undefined;
      return value !== undefined && check(schema, value).ok ? value : undefined;
    },
  };
}

/** How many rows come at a time: one at least. */
export function limitParameter({
  maximum,
  fallback,
}: {
  readonly maximum: number;
  readonly fallback: number;
}): ManagementParameter {
  return integerParameter("limit", "At most so many.", { minimum: 1, maximum, fallback });
}

/** One of a few words; `fallback` is described only. */
export function choiceParameter(
  name: string,
  description: string,
  choices: readonly string[],
  fallback?: string,
): ManagementParameter {
  const json = { type: "string", enum: choices };
  return {
    name,
    description,
    json: fallback === undefined ? json : { ...json, default: fallback },
    rule: `must be one of ${choices.join(", ")}`,
    read: (text) => (choices.includes(text) ? text : undefined),
  };
}

/** Some of a few words, separated by commas. */
export function choicesParameter(
  name: string,
  description: string,
  choices: readonly string[],
): ManagementParameter {
  return {
    name,
    description,
    json: {
      type: "array",
      items: { type: "string", enum: choices },
      minItems: 1,
      maxItems: choices.length,
    },
    rule: `must be some of ${choices.join(", ")}, separated by commas`,
    read: (text) => {
      const words = text.split(",", choices.length + 1);
      return words.length <= choices.length && words.every((word) => choices.includes(word))
        ? words
        : undefined;
    },
  };
}

/** Some ids, separated by commas: at most a hundred. */
export function idsParameter(name: string, description: string): ManagementParameter {
  const max = 100;
  return {
    name,
    description,
    json: {
      type: "array",
      items: integer({ minimum: 1, maximum: MAX_ID }).json,
      minItems: 1,
      maxItems: max,
    },
    rule: `must be one to ${max} ids, separated by commas`,
    read: (text) => {
      const ids = text.split(",", max + 1).map((part) => (ID.test(part) ? Number(part) : 0));
      return ids.length <= max && ids.every((id) => id >= 1 && id <= MAX_ID) ? ids : undefined;
    },
  };
}

const ID = /^[1-9]\d{0,15}$/;

/** `true` or `false`. */
export function booleanParameter(
  name: string,
  description: string,
  fallback: boolean,
): ManagementParameter {
  return {
    name,
    description,
    json: { type: "boolean", default: fallback },
    rule: "must be true or false",
    read: (text) => (text === "true" ? true : text === "false" ? false : undefined),
  };
}

const DAY = "(?:19[7-9][0-9]|[2-9][0-9]{3})-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])";
const HOUR = "(?:[01][0-9]|2[0-3])";
const SIXTY = "[0-5][0-9]";
const SINCE_1970 = `^${DAY}T${HOUR}:${SIXTY}:${SIXTY}(?:\\.[0-9]{1,9})?(?:Z|[+-]${HOUR}:${SIXTY})$`;

/** An instant in RFC 3339, read as milliseconds since the Unix epoch. */
export function instantParameter(name: string, description: string): ManagementParameter {
  return {
    name,
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

/** A text of 1 to `maxLength` characters that `pattern`, which has no flags, matches. */
export function textParameter(
  name: string,
  description: string,
  { maxLength, rule, pattern }: TextRule,
): ManagementParameter {
  const fits = (text: string): boolean =>
    countCodePoints(text, maxLength * 2) <= maxLength && (pattern?.test(text) ?? true);
  return {
    name,
    description,
    json: {
      type: "string",
      minLength: 1,
      maxLength,
      ...(pattern === undefined ? {} : { pattern: pattern.source }),
    },
    rule,
    read: (text) => (text !== "" && fits(text) ? text : undefined),
  };
}

interface TextRule {
  readonly maxLength: number;
  /** "must be …" */
  readonly rule: string;
  /** Default: any text matches. */
  readonly pattern?: RegExp;
}

/** A text that the schema of a body's member takes; `rule` says what is allowed. */
export function memberParameter(
  name: string,
  schema: Schema<string>,
  { rule, description }: { readonly rule: string; readonly description: string },
): ManagementParameter {
  return {
    name,
    description,
    json: { ...schema.json, description },
    rule,
    read: (text) => (check(schema, text).ok ? text : undefined),
  };
}

/** A parameter that its endpoint reads as a number. */
export function numberIn(query: Query, name: string): number | undefined {
  const value = query[name];
  return typeof value === "number" ? value : undefined;
}

/** A parameter that its endpoint reads as numbers. */
export function numbersIn(query: Query, name: string): readonly number[] | undefined {
  const value = query[name];
  return Array.isArray(value) && value.every((one) => typeof one === "number") ? value : undefined;
}

/** A parameter that its endpoint reads as a text. */
export function textIn(query: Query, name: string): string | undefined {
  const value = query[name];
  return typeof value === "string" ? value : undefined;
}

/** A parameter that its endpoint reads as true or false. */
export function booleanIn(query: Query, name: string): boolean | undefined {
  const value = query[name];
  return typeof value === "boolean" ? value : undefined;
}
