import { readTime } from "../base/clock.ts";
import { check, integer } from "../base/schema.ts";
import { MAX_ID } from "../model/pet.ts";
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
    json: { type: "string", examples: [choices.slice(0, 2).join(",")] },
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
    json: { type: "string", examples: ["1,2,3"] },
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

/** An instant in RFC 3339, read as milliseconds since the Unix epoch. */
export function instantParameter(name: string, description: string): ManagementParameter {
  return {
    name,
    description,
    json: { type: "string", format: "date-time", examples: ["2026-11-20T09:30:00Z"] },
    rule: "must be an instant such as 2026-11-20T09:30:00Z",
    read: readTime,
  };
}

/** A text for which `fault` finds nothing to say; `rule` says what is allowed. */
export function textParameter(
  name: string,
  description: string,
  { maxLength, rule, allowed }: TextRule,
): ManagementParameter {
  return {
    name,
    description,
    json: { type: "string", minLength: 1, maxLength },
    rule,
    read: (text) => (text !== "" && allowed(text) ? text : undefined),
  };
}

interface TextRule {
  readonly maxLength: number;
  /** "must be …" */
  readonly rule: string;
  readonly allowed: (text: string) => boolean;
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
