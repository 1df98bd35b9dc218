import { readTime } from "../../lib/base/clock.ts";
import { TAG } from "./der.ts";

/** One value out of DER, with those in it. */
export interface Element {
  readonly tag: number;
  readonly contents: Uint8Array;
  /** Tag and length included. */
  readonly whole: Uint8Array;
  /** In order; empty for what is not constructed. */
  readonly members: readonly Element[];
}

/** Not DER, or not what was expected there. */
export class BadDer extends Error {
  override readonly name = "BadDer";
}

/** Certificates nest about ten deep. */
const MAX_DEPTH = 24;
/** One of a hundred names has about 300. */
const MAX_ELEMENTS = 10_000;

/** Reads `bytes`, which hold one value and nothing after it; throws `BadDer`. */
export function readDer(bytes: Uint8Array): Element {
  const budget = { elements: MAX_ELEMENTS };
  const element = elementAt(bytes, 0, budget);
  if (element.whole.length !== bytes.length) throw new BadDer("something follows the value");
  return element;
}

/** The member at `index`, of that tag; throws `BadDer` when there is no such. */
export function member(element: Element, index: number, tag?: number): Element {
  const found = element.members[index];
  if (found === undefined || (tag !== undefined && found.tag !== tag)) {
    throw new BadDer(`no such member: ${index}`);
  }
  return found;
}

/** `1.2.840.10045.2.1`. */
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

/** The instant of a UTCTime or GeneralizedTime as certificates have them (RFC 5280 §4.1.2.5). */
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
  // Tags over 30 take more bytes; nothing of ours has them.
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
