import type { Result } from "../../lib/base/result.ts";
import { integer, string } from "../../lib/base/schema.ts";

/** A number of bytes, rows or files. */
export const size = integer({ minimum: 0 });

export const anyText = string(() => undefined, {});

/** A SHA-256 in hex. */
export const digest = matching(/^[\da-f]{64}$/);

/** Returns the schema of texts of a form. */
export function matching(pattern: RegExp) {
  return string((text) => (pattern.test(text) ? undefined : "has a wrong form"), {
    pattern: pattern.source,
  });
}

/** What a text turned out to be: `newer` was written by a newer program. */
export type ReadAs<Value> = Value | "newer" | "damaged";

/** Reads a JSON document whose member `format` is its version, and which this program knows up to `known`. */
export function readAs<Value>(
  text: string,
  known: number,
  checked: (value: unknown) => Result<Value, unknown>,
): ReadAs<Value> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return "damaged";
  }
  if (isNewer(value, known)) return "newer";
  const outcome = checked(value);
  return outcome.ok ? outcome.value : "damaged";
}

function isNewer(value: unknown, known: number): boolean {
  if (typeof value !== "object" || value === null || !("format" in value)) return false;
  return typeof value.format === "number" && value.format > known;
}
