import { expect, test } from "bun:test";

import { nearest } from "../../../lib/base/nearest.ts";

const names = ["name", "categoryId", "status"];

test("a slip of the finger finds the name that was meant", () => {
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

test("what is like none of the names finds none", () => {
  for (const word of ["", "x", "colour", "vaccinated", "__proto__"]) {
    expect(nearest(word, names)).toBeUndefined();
  }
  expect(nearest("name", [])).toBeUndefined();
});

test("of several that are like it the most alike is found", () => {
  expect(nearest("limits", ["limbs", "limit", "timid"])).toBe("limit");
});

test("a word of any length is looked at in no time that matters", () => {
  expect(nearest("x".repeat(1_000_000), names)).toBeUndefined();
});
