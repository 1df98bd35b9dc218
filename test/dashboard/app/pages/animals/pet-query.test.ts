import { expect, test } from "bun:test";

import { fits, petQuery } from "../../../../../dashboard/app/pages/animals/pet-query.ts";

const nothing = { name: undefined, status: undefined, categoryId: undefined };

test.each([
  [{}, nothing],
  [{ status: "sold" }, { ...nothing, status: "sold" }],
  [{ status: "gone" }, nothing],
  [{ category: "3" }, { ...nothing, categoryId: "3" }],
  [{ category: "0" }, nothing],
  [{ category: "3&limit=9" }, nothing],
  [{ name: "Rex" }, { ...nothing, name: "Rex" }],
  [{ name: "" }, nothing],
])("of the address %j only what means something is asked for", (query, expected) => {
  expect(petQuery(query)).toEqual(expected);
});

test("no longer name is asked for than an animal can have", () => {
  expect(petQuery({ name: "x".repeat(500) }).name).toHaveLength(120);
});

test("an animal fits where everything fits, its name as the service searches it", () => {
  const zoe = { id: 1, name: "Zoë", categoryId: 2, status: "pending" } as const;
  const ask = (query: Parameters<typeof petQuery>[0]) => fits(petQuery(query), zoe);
  expect(ask({})).toBe(true);
  expect(ask({ name: "zoe", status: "pending", category: "2" })).toBe(true);
  expect(ask({ name: "zo", status: "sold" })).toBe(false);
  expect(ask({ category: "3" })).toBe(false);
  expect(ask({ name: "max" })).toBe(false);
});
