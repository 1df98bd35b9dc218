import { refused, done, type Result } from "./result.ts";

/** What is wrong with a JSON text, beyond what `JSON.parse` would mind. */
export interface JsonFault {
  readonly code: "invalid_json" | "invalid_value";
  /** JSON Pointer (RFC 6901) to the place; empty for the whole. */
  readonly pointer: string;
  readonly message: string;
}

const decoder = new TextDecoder("utf-8", { fatal: true });

/**
 * Reads JSON as strictly as RFC 8259 allows: invalid UTF-8, members named twice, nesting over `maxDepth`
 * and integers that a double cannot carry exactly are refused, for two parsers would read them differently.
 * `what` is its name in a sentence.
 */
export function parseJson(
  data: Uint8Array,
  maxDepth: number,
  what = "The body",
): Result<unknown, JsonFault> {
  let text: string;
  try {
    text = decoder.decode(data);
  } catch {
    return fault("invalid_json", "", `${what} is not valid UTF-8.`);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The engine's message quotes the body and differs by runtime.
    return fault("invalid_json", "", `${what} is not valid JSON.`);
  }
  const found = inspect(text, maxDepth, what);
  return found === undefined ? done(value) : { ok: false, failure: found };
}

function fault(
  code: JsonFault["code"],
  pointer: string,
  message: string,
): { readonly ok: false; readonly failure: JsonFault } {
  return refused({ code, pointer, message });
}

/** One object or array that is open at the place of the scan. */
interface Level {
  /** Names seen; undefined in an array. */
  readonly names: Set<string> | undefined;
  name: string | number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Walks over a text that `JSON.parse` accepted; undefined when nothing is wrong. */
function inspect(text: string, maxDepth: number, what: string): JsonFault | undefined {
  const levels: Level[] = [];
  let awaitsName = false;
  for (let index = 0; index < text.length; index++) {
    const level = levels.at(-1);
    switch (text.charCodeAt(index)) {
      case QUOTE: {
        const end = endOfString(text, index);
        if (awaitsName && level?.names !== undefined) {
          const raw = text.slice(index, end + 1);
          const name = raw.includes("\\") ? String(JSON.parse(raw)) : raw.slice(1, -1);
          level.name = name;
          if (level.names.has(name)) {
            return {
              code: "invalid_json",
              pointer: pointerTo(levels),
              message: `The member ${JSON.stringify(name.slice(0, 80))} appears twice.`,
            };
          }
          level.names.add(name);
          awaitsName = false;
        }
        index = end;
        break;
      }
      case 0x7b: // {
      case 0x5b: {
        const isObject = text.charCodeAt(index) === 0x7b;
        levels.push({ names: isObject ? new Set() : undefined, name: 0 });
        awaitsName = isObject;
        if (levels.length > maxDepth) {
          return {
            code: "invalid_json",
            pointer: "",
            message: `${what} is nested deeper than ${maxDepth} levels.`,
          };
        }
        break;
      }
      case 0x7d: // }
      case 0x5d:
        levels.pop();
        awaitsName = false;
        break;
      case 0x2c: // ,
        awaitsName = level?.names !== undefined;
        if (typeof level?.name === "number") level.name++;
        break;
      default: {
        if (!startsNumber(text.charCodeAt(index))) break;
        const end = endOfNumber(text, index);
        const literal = text.slice(index, end);
        if (!isExact(literal)) {
          return {
            code: "invalid_value",
            pointer: pointerTo(levels),
            message: `The number ${literal.slice(0, 40)} cannot be carried exactly.`,
          };
        }
        index = end - 1;
      }
    }
  }
  return undefined;
}

function endOfString(text: string, start: number): number {
  let index = start + 1;
  while (text.charCodeAt(index) !== QUOTE) {
    index += text.charCodeAt(index) === BACKSLASH ? 2 : 1;
  }
  return index;
}

function startsNumber(code: number): boolean {
  return code === 0x2d || (code >= 0x30 && code <= 0x39);
}

function endOfNumber(text: string, start: number): number {
  let index = start + 1;
  while (index < text.length && "0123456789.eE+-".includes(text.charAt(index))) index++;
  return index;
}

/** False when the literal reads as an integer that is not the number written. */
function isExact(literal: string): boolean {
  if (literal.length < 16 && !/[.eE]/.test(literal)) return true;
  const value = Number(literal);
  if (!Number.isInteger(value)) return true;
  const [, whole = "", fraction = "", exponent = "0"] =
    /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(literal) ?? [];
  const digits = (whole + fraction).replace(/^0+/, "");
  const kept = digits.replace(/0+$/, "");
  if (kept === "") return true;
  const zeros = Number(exponent) - fraction.length + (digits.length - kept.length);
  if (zeros < 0) return false;
  // Longer than any safe integer: the schema refuses the magnitude with better words.
  if (kept.length + zeros > 17) return true;
  return BigInt(kept + "0".repeat(zeros)) === BigInt(Math.abs(value));
}

function pointerTo(levels: readonly Level[]): string {
  return levels.map(({ name }) => `/${escapePointer(String(name))}`).join("");
}

/** One reference token of a JSON Pointer (RFC 6901 §3). */
export function escapePointer(token: string): string {
  return token.replaceAll("~", "~0").replaceAll("/", "~1");
}
