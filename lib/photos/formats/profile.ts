import { joined } from "../../base/parts.ts";
import { ascii } from "./bytes.ts";

/** A colour space that a profile describes. */
export interface ColourSpace {
  readonly name: string;
  /** X, Y and Z of red, green and blue, adapted to D50. */
  readonly primaries: readonly [red: Triple, green: Triple, blue: Triple];
  /** The parameters of the curve from a stored to a linear value: g, or g, a, b, c and d (ICC.1:2010 §10.16). */
  readonly curve: readonly number[];
}

export type Triple = readonly [number, number, number];

const D50: Triple = [0.9642, 1, 0.8249];
/** The adaptation from D65, the white of the spaces that photos keep, to D50 (Bradford). */
const ADAPTATION: readonly number[] = [
  1.04788, 0.02292, -0.05022, 0.02959, 0.99048, -0.01707, -0.00925, 0.01508, 0.75168,
];

/** Makes a profile of version 4 for a display (ICC.1:2010). */
export function madeProfile({ name, primaries, curve }: ColourSpace): Uint8Array {
  const [red, green, blue] = primaries;
  const kindOfCurve = curve.length === 1 ? 0 : 3;
  return assembled([
    { names: ["desc"], data: text(name) },
    { names: ["cprt"], data: text("No copyright") },
    { names: ["wtpt"], data: numbers("XYZ ", D50) },
    { names: ["chad"], data: numbers("sf32", ADAPTATION) },
    { names: ["rXYZ"], data: numbers("XYZ ", red) },
    { names: ["gXYZ"], data: numbers("XYZ ", green) },
    { names: ["bXYZ"], data: numbers("XYZ ", blue) },
    {
      names: ["rTRC", "gTRC", "bTRC"],
      data: joined([ascii("para\0\0\0\0"), words(kindOfCurve * 65_536), fixed(curve)]),
    },
  ]);
}

interface Tag {
  /** The names that share the data. */
  readonly names: readonly string[];
  readonly data: Uint8Array;
}

const HEADER = 128;

/** Writes the header, the table of tags and their data, each at a multiple of four bytes. */
function assembled(tags: readonly Tag[]): Uint8Array {
  const count = tags.flatMap(({ names }) => names).length;
  const table: Uint8Array[] = [words(count)];
  const content: Uint8Array[] = [];
  let at = HEADER + 4 + 12 * count;
  for (const { names, data } of tags) {
    for (const name of names) table.push(ascii(name), words(at, data.length));
    const padded = new Uint8Array(Math.ceil(data.length / 4) * 4);
    padded.set(data);
    content.push(padded);
    at += padded.length;
  }
  const header = new Uint8Array(HEADER);
  header.set(words(at, 0, 0x0430_0000));
  header.set(ascii("mntrRGB XYZ "), 12);
  header.set(ascii("acsp"), 36);
  header.set(fixed(D50), 68);
  return joined([header, ...table, ...content]);
}

function numbers(type: string, values: readonly number[]): Uint8Array {
  return joined([ascii(`${type}\0\0\0\0`), fixed(values)]);
}

/** A text in one language. */
function text(value: string): Uint8Array {
  const utf16 = ascii(Array.from(value, (character) => `\0${character}`).join(""));
  return joined([
    ascii("mluc\0\0\0\0"),
    words(1, 12),
    ascii("enUS"),
    words(utf16.length, 28),
    utf16,
  ]);
}

function words(...values: readonly number[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(4 * values.length));
  for (const [index, value] of values.entries()) view.setUint32(4 * index, value);
  return new Uint8Array(view.buffer);
}

/** Numbers of 16 bits before and 16 bits after the point. */
function fixed(values: readonly number[]): Uint8Array {
  return words(...values.map((value) => Math.round(value * 65_536) >>> 0));
}
