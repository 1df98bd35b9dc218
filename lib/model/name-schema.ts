import { string, type Described, type JsonSchema, type Schema } from "../base/schema.ts";
import { utf8 } from "../base/digest.ts";
import {
  faultOfCharacters,
  faultOfName,
  namePatterns,
  normalLines,
  textPatterns,
  trimText,
} from "./text.ts";

/** Faults of these texts measure them without the white space around. */
const MEASURED = { measures: true };

// Each part states its type: without it, generators of clients take the whole for a value of any type.
const [visible, pattern] = namePatterns();

/** A name of 1 to `max` characters as the caller sends it; white space around it is ignored. */
// @__NO_SIDE_EFFECTS__
export function nameSchema(max: number, { description, ...more }: Described = {}): Schema<string> {
  return string(
    (text) => faultOfName(text, max),
    {
      minLength: 1,
      maxLength: max,
      pattern,
      allOf: [{ type: "string", pattern: visible }],
      description: `${description === undefined ? "" : `${description} `}${ruleOf(max)}`,
      ...more,
    },
    MEASURED,
  );
}

/** A name that may be empty. */
// @__NO_SIDE_EFFECTS__
export function optionalNameSchema(max: number, description: string): Schema<string> {
  return string(
    (text) => (text === "" ? undefined : faultOfName(text, max)),
    {
      maxLength: max,
      anyOf: [
        { type: "string", maxLength: 0 },
        { type: "string", pattern, allOf: [{ type: "string", pattern: visible }] },
      ],
      description: `${description} May be empty. ${ruleOf(max)}`,
    },
    MEASURED,
  );
}

/** A name as the service returns it. A stored name may predate the current rule and break it. */
export function shownName(max: number, more: Described = {}): JsonSchema {
  return { type: "string", minLength: 1, maxLength: max, ...more };
}

/** A text of several lines, of at most `maxBytes` bytes of UTF-8; white space around it is ignored. */
// @__NO_SIDE_EFFECTS__
export function linesSchema(
  maxBytes: number,
  { description = "", ...more }: Described = {},
): Schema<string> {
  return string(
    (text) => faultOfLines(text, maxBytes),
    {
      minLength: 1,
      maxLength: maxBytes,
      pattern: linesPattern,
      allOf: [{ type: "string", pattern: visibleInLines }],
      description: `${description} White space at the ends is removed. What remains has at most ${maxBytes} bytes of UTF-8 in NFC.`,
      ...more,
    },
    MEASURED,
  );
}

const [visibleInLines, linesPattern] = textPatterns("lines");

function faultOfLines(text: string, maxBytes: number): string | undefined {
  if (!text.isWellFormed()) return "must be well-formed Unicode, without lone surrogates";
  const tooLong = `must have at most ${maxBytes} bytes of UTF-8`;
  // NFC rarely makes a text much shorter.
  if (trimText(text).length > maxBytes * 2) return tooLong;
  const normal = normalLines(text);
  if (normal === "") return "must not be empty";
  return utf8(normal).length > maxBytes ? tooLong : faultOfCharacters(normal, "lines");
}

function ruleOf(max: number): string {
  return `White space at the ends is removed. What remains has at most ${max} characters in NFC: at least one is visible, and none is a control character or overrides the text direction.`;
}
