import { escapePointer } from "./json.ts";
import { distance } from "./nearest.ts";
import type { FieldError } from "./problem.ts";

/** A JSON Schema (2020-12), as in OpenAPI 3.1. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** A fault found by a schema check. */
export interface Issue {
  readonly type: string;
  readonly expected: string | null;
  readonly received: string;
  /** A predicate that follows the field's name: "must be an integer". */
  readonly message: string;
  readonly path: readonly string[];
}

/** Describes a fault to the caller. `json` is the schema of the whole value; `what` names the value in messages. */
export function fieldError(issue: Issue, json: JsonSchema, what: string): FieldError {
  const { path } = issue;
  const pointer = path.map((key) => `/${escapePointer(key.slice(0, 80))}`).join("");
  const name = (path.at(-1) ?? "").slice(0, 80);
  if (path.length === 0) {
    return { pointer, code: "invalid_body", message: `${what} must be a JSON object.` };
  }
  if (issue.type === "strict_object") {
    if (issue.expected === "never") {
      const meant = misspelt(name, namesAt(json, path.slice(0, -1)));
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
  // Faults in list items name the list.
  const place = /^\d+$/.test(name) && path.length > 1 ? `${path.at(-2)}[${name}]` : name;
  return { pointer, code: "invalid_value", message: `"${printable(place)}" ${issue.message}.` };
}

/** Compares two paths by their position in the document. Absent members come last. */
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

/** Returns the member names that the schema allows at a path. */
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

/** Returns the schema and its `anyOf` alternatives. */
function schemasOf(schema: unknown): readonly JsonSchema[] {
  if (!isObject(schema)) return [];
  const { anyOf } = schema;
  return [schema, ...(Array.isArray(anyOf) ? anyOf.filter(isObject) : [])];
}

/**
 * Returns the candidate that `word` misspells: by one edit, or two if the candidate has eight letters or more, and beginning
 * with the same letter. For words that are probably right and name something else: an `age` is not a misspelt `name`.
 */
function misspelt<Candidate extends string>(
  word: string,
  candidates: readonly Candidate[],
): Candidate | undefined {
  const typed = word.slice(0, 64).toLowerCase();
  return candidates.find((candidate) => {
    const wanted = candidate.toLowerCase();
    const begins = typed[0] === wanted[0] || (typed[0] === wanted[1] && typed[1] === wanted[0]);
    return begins && distance(typed, wanted) <= (wanted.length < 8 ? 1 : 2);
  });
}

/** Makes a client's text safe to quote in a message. */
function printable(text: string): string {
  return text.toWellFormed().replaceAll(/\p{Cc}/gu, "\u{FFFD}");
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
