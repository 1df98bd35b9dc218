import { readTime } from "../../lib/base/clock.ts";

/** The universal tags found in certificates. */
export const TAG = {
  boolean: 0x01,
  integer: 0x02,
  octetString: 0x04,
  oid: 0x06,
  utcTime: 0x17,
  sequence: 0x30,
} as const;

/** A decoded DER value (X.690) and its members. */
export interface Element {
  readonly tag: number;
  readonly contents: Uint8Array;
  /** The encoding, including tag and length. */
  readonly whole: Uint8Array;
  /** The members in order; empty for primitive values. */
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
