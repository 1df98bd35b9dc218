import { isoTime, readTime } from "../../lib/base/clock.ts";
import { utf8 } from "../../lib/base/digest.ts";

/** A value in DER (X.690): tag, length, contents. */
export type Der = Uint8Array;

/** The universal tags found in certificates. */
export const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  oid: 0x06,
  utf8String: 0x0c,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const;

export function tagged(tag: number, ...contents: readonly Uint8Array[]): Der {
  const body = concatenated(contents);
  return concatenated([Uint8Array.of(tag, ...lengthOf(body.length)), body]);
}

export function sequence(...members: readonly Der[]): Der {
  return tagged(TAG.sequence, ...members);
}

export function set(...members: readonly Der[]): Der {
  return tagged(TAG.set, ...members);
}

/** Encodes `[number]` with constructed contents: EXPLICIT, or IMPLICIT over a constructed type. */
export function context(number: number, ...contents: readonly Uint8Array[]): Der {
  return tagged(0xa0 + number, ...contents);
}

/** Encodes `[number]` IMPLICIT over a primitive type. */
export function implicit(number: number, contents: Uint8Array): Der {
  return tagged(0x80 + number, contents);
}

/** Encodes a non-negative integer given as big-endian bytes. */
export function integer(bytes: Uint8Array): Der {
  let start = 0;
  while (start < bytes.length - 1 && bytes[start] === 0) start++;
  const short = bytes.subarray(start);
  // A set high bit would make it negative.
  const sign = (short[0] ?? 0) >= 0x80 || short.length === 0 ? [0] : [];
  return tagged(TAG.integer, Uint8Array.from(sign), short);
}

/** Encodes an object identifier in dotted form, such as `1.2.840.10045.2.1`. */
export function oid(dotted: string): Der {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  return tagged(TAG.oid, Uint8Array.from([first * 40 + second, ...rest].flatMap(base128)));
}

export function boolean(value: boolean): Der {
  return tagged(TAG.boolean, Uint8Array.of(value ? 0xff : 0));
}

export function octetString(bytes: Uint8Array): Der {
  return tagged(TAG.octetString, bytes);
}

/** Encodes a bit string; `unused` is the number of padding bits in the last byte. */
export function bitString(bytes: Uint8Array, unused = 0): Der {
  return tagged(TAG.bitString, Uint8Array.of(unused), bytes);
}

export function utf8String(text: string): Der {
  return tagged(TAG.utf8String, utf8(text));
}

/** Encodes an instant in seconds: UTCTime through 2049, GeneralizedTime from 2050 (RFC 5280 §4.1.2.5). */
export function time(at: number): Der {
  const digits = isoTime(at).slice(0, 19).replaceAll(/\D/g, "");
  return digits < "2050"
    ? tagged(TAG.utcTime, utf8(`${digits.slice(2)}Z`))
    : tagged(TAG.generalizedTime, utf8(`${digits}Z`));
}

function lengthOf(length: number): readonly number[] {
  if (length < 0x80) return [length];
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return [0x80 + bytes.length, ...bytes];
}

function base128(value: number): readonly number[] {
  const bytes = [value % 128];
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) {
    bytes.unshift(0x80 + (rest % 128));
  }
  return bytes;
}

function concatenated(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** A decoded DER value and its members. */
export interface Element {
  readonly tag: number;
  readonly contents: Uint8Array;
  /** The encoding, including tag and length. */
  readonly whole: Uint8Array;
  /** In order; empty for primitive values. */
  readonly members: readonly Element[];
}

/** Thrown for bytes that are not DER or do not have the expected structure. */
export class BadDer extends Error {
  override readonly name = "BadDer";
}

/** Certificates nest about ten deep. */
const MAX_DEPTH = 24;
/** A certificate with a hundred names has about 300 elements. */
const MAX_ELEMENTS = 10_000;

/** Decodes `bytes`, which must hold exactly one value. Throws `BadDer`. */
export function readDer(bytes: Uint8Array): Element {
  const budget = { elements: MAX_ELEMENTS };
  const element = elementAt(bytes, 0, budget);
  if (element.whole.length !== bytes.length) throw new BadDer("something follows the value");
  return element;
}

/** Returns the member at `index`, which must have `tag` if one is given. Throws `BadDer`. */
export function member(element: Element, index: number, tag?: number): Element {
  const found = element.members[index];
  if (found === undefined || (tag !== undefined && found.tag !== tag)) {
    throw new BadDer(`no such member: ${index}`);
  }
  return found;
}

/** Decodes an object identifier to its dotted form. Throws `BadDer`. */
export function oidOf(element: Element): string {
  if (element.tag !== TAG.oid) throw new BadDer("not an object identifier");
  const arcs: number[] = [];
  let arc = 0;
  for (const byte of element.contents) {
    arc = arc * 128 + (byte % 128);
    if (byte < 0x80) {
      arcs.push(arc);
      arc = 0;
    }
  }
  const [first = 0, ...rest] = arcs;
  const root = Math.min(Math.floor(first / 40), 2);
  return [root, first - root * 40, ...rest].join(".");
}

/** Decodes a UTCTime or GeneralizedTime in the profile of RFC 5280 §4.1.2.5. Throws `BadDer`. */
export function timeOf(element: Element): number {
  const text = textOf(element);
  const digits = element.tag === TAG.utcTime ? `${text < "50" ? "20" : "19"}${text}` : text;
  const parts = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(digits)?.slice(1);
  if (parts === undefined) throw new BadDer("not a time");
  const [year, month, day, hour, minute, second] = parts;
  const at = readTime(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  if (at === undefined) throw new BadDer("not a time");
  return at;
}

export function textOf(element: Element): string {
  return new TextDecoder().decode(element.contents);
}

function elementAt(bytes: Uint8Array, depth: number, budget: { elements: number }): Element {
  if (depth > MAX_DEPTH || budget.elements-- === 0) throw new BadDer("too deep or too many");
  const [tag, first] = bytes;
  // Tag numbers above 30 take several bytes and do not occur in certificates.
  if (tag === undefined || first === undefined || tag % 32 === 31) throw new BadDer("no value");
  let length = first;
  let start = 2;
  if (first >= 0x80) {
    start += first - 0x80;
    if (first === 0x80 || start > 6 || start > bytes.length) throw new BadDer("bad length");
    length = bytes.subarray(2, start).reduce((sum, byte) => sum * 256 + byte, 0);
  }
  const contents = bytes.subarray(start, start + length);
  if (contents.length !== length) throw new BadDer("cut off");
  const members: Element[] = [];
  if ((tag & 0x20) !== 0) {
    for (let rest = contents; rest.length > 0;) {
      const next = elementAt(rest, depth + 1, budget);
      members.push(next);
      rest = rest.subarray(next.whole.length);
    }
  }
  return { tag, contents, whole: bytes.subarray(0, start + length), members };
}
