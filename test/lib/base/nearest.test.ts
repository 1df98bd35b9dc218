import { expect, test } from "bun:test";

import { nearest } from "../../../lib/base/nearest.ts";

const names = ["name", "categoryId", "status"];

test("a typo finds the intended name", () => {
  for (const [word, meant] of [
    ["nmae", "name"],
    ["names", "name"],
    ["nam", "name"],
    ["categoryid", "categoryId"],
    ["category_id", "categoryId"],
    ["satus", "status"],
    ["STATUS", "status"],
  ] as const) {
    expect(nearest(word, names)).toBe(meant);
  }
});

test("a word unlike all names finds none", () => {
  for (const word of ["", "x", "colour", "vaccinated", "__proto__"]) {
    expect(nearest(word, names)).toBeUndefined();
  }
  expect(nearest("name", [])).toBeUndefined();
});

test("the most similar name wins", () => {
  expect(nearest("limits", ["limbs", "limit", "timid"])).toBe("limit");
});

test("a word of any length is compared quickly", () => {
  expect(nearest("x".repeat(1_000_000), names)).toBeUndefined();
});
