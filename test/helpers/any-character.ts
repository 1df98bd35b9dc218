import * as fc from "fast-check";

const FIRST_SURROGATE = 0xd800;
const SURROGATES = 0x800;
const LAST = 0x10ffff;

/**
 * Any Unicode character, as a unit of `fc.string`. The same as its unit "binary", for which fast-check makes a table of a million
 * characters in each process.
 */
export const anyCharacter: fc.Arbitrary<string> = fc
  .integer({ min: 0, max: LAST - SURROGATES })
  .map(
    (number) => String.fromCodePoint(number < FIRST_SURROGATE ? number : number + SURROGATES),
    (character) => {
      const point = String(character).codePointAt(0) ?? 0;
      if (String.fromCodePoint(point) !== character) throw new Error("not one character");
      return point < FIRST_SURROGATE ? point : point - SURROGATES;
    },
  );
