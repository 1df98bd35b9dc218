import { expect, test } from "bun:test";

import { beliefs } from "../../../lib/base/beliefs.ts";

interface Copy {
  readonly of: string;
}

test("a copy is believed for a second after it was read, and not before that", () => {
  const known = beliefs<Copy>(10);
  known.set("a", { of: "a" }, 5_000, known.mark());
  expect(known.get("a", 5_000)).toEqual({ of: "a" });
  expect(known.get("a", 5_999)).toEqual({ of: "a" });
  expect(known.get("a", 6_000)).toBeUndefined();
  // The clock was put back: how old the copy is cannot be told.
  expect(known.get("a", 4_999)).toBeUndefined();
});

test("each confirmation makes it a second more", () => {
  const known = beliefs<Copy>(10);
  known.set("a", { of: "a" }, 0, known.mark());
  known.confirm(900);
  expect(known.get("a", 1_899)).toEqual({ of: "a" });
  expect(known.get("a", 1_900)).toBeUndefined();
});

test("what is forgotten is gone, the rest stays", () => {
  const known = beliefs<Copy>(10);
  for (const of of ["a", "b"]) known.set(of, { of }, 0, known.mark());
  known.forget((copy) => copy.of === "a");
  expect([known.get("a", 0), known.get("b", 0)]).toEqual([undefined, { of: "b" }]);
  known.forgetAll();
  expect(known.get("b", 0)).toBeUndefined();
});

test("what was read before something was forgotten is not kept after", () => {
  const known = beliefs<Copy>(10);
  const mark = known.mark();
  known.forget((copy) => copy.of === "a");
  known.set("a", { of: "a" }, 0, mark);
  expect(known.get("a", 0)).toBeUndefined();
});

test("there are never more than allowed: the one not used for longest goes", () => {
  const known = beliefs<Copy>(2);
  for (const of of ["a", "b"]) known.set(of, { of }, 0, known.mark());
  known.get("a", 0);
  known.set("c", { of: "c" }, 0, known.mark());
  expect(["a", "b", "c"].map((of) => known.get(of, 0)?.of)).toEqual(["a", undefined, "c"]);
});
