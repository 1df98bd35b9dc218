import { isObject } from "../../lib/base/field-error.ts";
import { parseJson } from "../../lib/base/json.ts";

/** An object of which nothing is known yet. */
export type Fields = Readonly<Record<string, unknown>>;

/** Nothing that a CA sends is deeper than five. */
const MAX_DEPTH = 16;
const MAX_TEXT = 8_192;

/** The object in `body`; undefined when it holds none. */
export function fieldsIn(body: Uint8Array): Fields | undefined {
  const parsed = parseJson(body, MAX_DEPTH);
  return parsed.ok ? fields(parsed.value) : undefined;
}

export function fields(value: unknown): Fields | undefined {
  return isObject(value) ? value : undefined;
}

/** A text of at most 8,192 characters; undefined when it is anything else. */
export function text(value: unknown): string | undefined {
  return typeof value === "string" && value.length <= MAX_TEXT ? value : undefined;
}

/** The items of a list, at most `max`; none when it is anything else. */
export function list(value: unknown, max: number): readonly unknown[] {
  return Array.isArray(value) ? value.slice(0, max) : [];
}

/** The objects among the items of a list, of which `max` are looked at. */
export function objects(value: unknown, max: number): readonly Fields[] {
  return list(value, max).filter(isObject);
}

const MAX_URL = 2_048;

/** An https address; undefined when it is anything else. */
export function httpsUrl(value: unknown): string | undefined {
  const address = text(value);
  if (address === undefined || address.length > MAX_URL || !address.startsWith("https://")) {
    return undefined;
  }
  return URL.canParse(address) ? address : undefined;
}
