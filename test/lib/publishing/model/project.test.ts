import { expect, test } from "bun:test";
import {
  faultOfFilter,
  faultOfTheme,
  normalFilter,
  normalTheme,
} from "../../../../lib/publishing/model/project.ts";

test("a filter has at most 100 category ids and at least one status", () => {
  const ids = Array.from({ length: 100 }, (_, index) => index + 1);
  expect(faultOfFilter({ categoryIds: ids, statuses: ["sold"] })).toBeUndefined();
  expect(faultOfFilter({ categoryIds: [...ids, 101], statuses: ["sold"] })).toContain("100");
  expect(faultOfFilter({ categoryIds: [], statuses: [] })).toContain("status");
  for (const id of [0, -1, 1.5, 2 ** 53, NaN]) {
    expect(faultOfFilter({ categoryIds: [id], statuses: ["sold"] })).toContain("ids");
  }
  // As it may come from JSON.
  expect(faultOfFilter({ categoryIds: [], statuses: ["gone" as "sold"] })).toContain("available");
});

test("filters are normalized", () => {
  expect(normalFilter({ categoryIds: [3, 1, 3], statuses: ["sold", "available", "sold"] })).toEqual(
    {
      categoryIds: [3, 1],
      statuses: ["available", "sold"],
    },
  );
});

test("a theme has a six-digit colour and a known scheme", () => {
  expect(faultOfTheme({})).toBeUndefined();
  expect(faultOfTheme({ accent: "#1F6feb", scheme: "auto" })).toBeUndefined();
  for (const accent of ["", "red", "#fff", "#1f6febff", "1f6feb", "#1f6feg", "#1f6feb;"]) {
    expect(faultOfTheme({ accent })).toContain("colour");
  }
  expect(faultOfTheme({ scheme: "blue" as "dark" })).toContain("scheme");
  expect(normalTheme({ accent: "#1F6FEB" })).toEqual({ accent: "#1f6feb" });
});
