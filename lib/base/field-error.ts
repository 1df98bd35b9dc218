import { escapePointer } from "./json.ts";
import { nearest } from "./nearest.ts";
import type { FieldError } from "./problem.ts";

/** A JSON Schema (2020-12), as in OpenAPI 3.1. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** A fault that a check found. */
export interface Issue {
  readonly type: string;
  readonly expected: string | null;
  readonly received: string;
  /** Continues a sentence that begins with the member's name. */
  readonly message: string;
  readonly path: readonly string[];
}

/** Describes a fault to the caller. `json` is the schema; `what` names the value in messages. */
export function fieldError(issue: Issue, json: JsonSchema, what: string): FieldError {
  const { path } = issue;
  const pointer = path.map((key) => `/${escapePointer(key.slice(0, 80))}`).join("");
  const name = (path.at(-1) ?? "").slice(0, 80);
  if (path.length === 0) {
    return { pointer, code: "invalid_body", message: `${what} must be a JSON object.` };
  }
  if (issue.type === "strict_object") {
    if (issue.expected === "never") {
      const meant = nearest(name, namesAt(json, path.slice(0, -1)));
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
  // A fault of an item names its list.
  const place = /^\d+$/.test(name) && path.length > 1 ? `${path.at(-2)}[${name}]` : name;
  return { pointer, code: "invalid_value", message: `"${printable(place)}" ${issue.message}.` };
}

/** Compares two places by their order in a document, absent ones last. */
export function compareInDocument(
  document: unknown,
  a: readonly string[],
  b: readonly string[],
): number {
  let within = document;
  for (const [depth, name] of a.entries()) {
    const other = b[depth];
    if (other !== name) {
      const [left, right] = [placeOf(within, name), placeOf(within, other)];
      return left === right ? 0 : left - right;
    }
    within = memberOf(within, name);
  }
  return a.length - b.length;
}

function placeOf(within: unknown, name: string | undefined): number {
  if (name === undefined) return -1;
  if (Array.isArray(within)) return Number(name);
  const place = isObject(within) ? Object.keys(within).indexOf(name) : -1;
  return place === -1 ? Infinity : place;
}

function memberOf(within: unknown, name: string): unknown {
  if (Array.isArray(within)) return within[Number(name)];
  return isObject(within) ? within[name] : undefined;
}

/** Returns the names of members that the schema has at a place. */
function namesAt(json: JsonSchema, path: readonly string[]): readonly string[] {
  let found: readonly JsonSchema[] = [json];
  for (const key of path) {
    found = found.flatMap((schema) => [
      ...schemasOf(propertiesOf(schema)[key]),
      ...schemasOf(schema["items"]),
    ]);
  }
  return found.flatMap((schema) => Object.keys(propertiesOf(schema)));
}

function propertiesOf({ properties }: JsonSchema): Readonly<Record<string, unknown>> {
  return isObject(properties) ? properties : {};
}

/** Returns the schema and its alternatives. */
function schemasOf(schema: unknown): readonly JsonSchema[] {
  if (!isObject(schema)) return [];
  const { anyOf } = schema;
  return [schema, ...(Array.isArray(anyOf) ? anyOf.filter(isObject) : [])];
}

/** Prepares a client's text for a quotation in a message. */
function printable(text: string): string {
  return text.toWellFormed().replaceAll(/\p{Cc}/gu, "\u{FFFD}");
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
