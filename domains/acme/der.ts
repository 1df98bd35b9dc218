import { isoTime } from "../../lib/base/clock.ts";
import { utf8 } from "../../lib/base/digest.ts";

/** A value in DER (X.690): tag, length, contents. */
export type Der = Uint8Array;

/** The tags that certificates are made of. */
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

/** `[number]` around whole values (EXPLICIT), or in the place of the tag of a constructed one. */
export function context(number: number, ...contents: readonly Uint8Array[]): Der {
  return tagged(0xa0 + number, ...contents);
}

/** `[number]` in the place of the tag of a primitive value (IMPLICIT). */
export function implicit(number: number, contents: Uint8Array): Der {
  return tagged(0x80 + number, contents);
}

/** The integer, not negative, whose bytes these are, the highest first. */
export function integer(bytes: Uint8Array): Der {
  let start = 0;
  while (start < bytes.length - 1 && bytes[start] === 0) start++;
  const short = bytes.subarray(start);
  // A first bit would make it negative.
  const sign = (short[0] ?? 0) >= 0x80 || short.length === 0 ? [0] : [];
  return tagged(TAG.integer, Uint8Array.from(sign), short);
}

/** `1.2.840.10045.2.1`. */
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

/** Of whole bytes, the last of which may end in `unused` bits. */
export function bitString(bytes: Uint8Array, unused = 0): Der {
  return tagged(TAG.bitString, Uint8Array.of(unused), bytes);
}

export function utf8String(text: string): Der {
  return tagged(TAG.utf8String, utf8(text));
}

/** To the second; UTCTime until 2049, GeneralizedTime from then on (RFC 5280 §4.1.2.5). */
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
