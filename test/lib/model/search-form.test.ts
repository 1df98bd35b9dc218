import { expect, test } from "bun:test";
import * as fc from "fast-check";

import { searchForm } from "../../../lib/model/text.ts";
import { runSeed } from "../../helpers/chance.ts";

test("case, accents and character width are ignored", () => {
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

test("letters that only look alike differ", () => {
  expect(searchForm("a")).not.toBe(searchForm("а"));
  expect(searchForm("o")).not.toBe(searchForm("0"));
});

test("a part of a text is found anywhere in it", () => {
  const letters = fc.string({ unit: "grapheme", maxLength: 20 });
  fc.assert(
    fc.property(letters, letters, letters, (before, part, after) =>
      searchForm(before + part + after).includes(searchForm(part)),
    ),
    { seed: runSeed },
  );
});
