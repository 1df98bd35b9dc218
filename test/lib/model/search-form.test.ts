import { expect, test } from "bun:test";
import * as fc from "fast-check";

import { searchForm } from "../../../lib/model/text.ts";
import { runSeed } from "../../helpers/chance.ts";

test("neither case nor accents nor the width of characters tell two texts apart", () => {
  const same = [
    ["Zoë", "ZOE", "zoe\u0308"],
    ["Straße", "STRASSE", "strasse"],
    ["İstanbul", "istanbul", "ISTANBUL"],
    ["ΣΑΣ", "σας", "Σας"],
    ["Ｒｅｘ", "rex"],
    ["Жук", "жУК"],
  ];
  for (const [first = "", ...others] of same) {
    for (const other of others) {
      expect([other, searchForm(other)]).toEqual([other, searchForm(first)]);
    }
  }
});

test("letters that only look alike stay apart", () => {
  expect(searchForm("a")).not.toBe(searchForm("а"));
  expect(searchForm("o")).not.toBe(searchForm("0"));
});

test("a part of a text is found in it, whatever comes before and after", () => {
  const letters = fc.string({ unit: "grapheme", maxLength: 20 });
  fc.assert(
    fc.property(letters, letters, letters, (before, part, after) =>
      searchForm(before + part + after).includes(searchForm(part)),
    ),
    { seed: runSeed },
  );
});
