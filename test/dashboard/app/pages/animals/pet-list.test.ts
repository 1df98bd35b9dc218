import { expect, test } from "bun:test";

import {
  afterEvent,
  comparing,
  type Shown,
  fits,
  petQuery,
} from "../../../../../dashboard/app/pages/animals/pet-list.ts";
import type { Pet, PetStatus } from "../../../../../lib/catalogue/model.ts";
import { newPet } from "../../../../../testing/shelter.ts";

const pet = (id: number, status: PetStatus = "available", name = `Pet ${id}`): Pet => ({
  id,
  ...newPet({ name, status }),
});
const petEvent = (type: string, one: Pet, environment = "production") => ({
  type,
  environment,
  data: { pet: one },
});
const shown: Shown = {
  environment: "production",
  order: "newest",
  more: false,
  fits: () => true,
};
const list = [pet(9), pet(5), pet(3)];
const ids = (pets: readonly Pet[]): readonly number[] => pets.map(({ id }) => id);

test("a new animal is inserted by its age", () => {
  expect(ids(afterEvent(list, petEvent("pet.created", pet(10)), shown))).toEqual([10, 9, 5, 3]);
  expect(ids(afterEvent(list, petEvent("pet.restored", pet(4)), shown))).toEqual([9, 5, 4, 3]);
  expect(ids(afterEvent([], petEvent("pet.created", pet(1)), shown))).toEqual([1]);
});

test("a list of the oldest first keeps its order", () => {
  const oldest: Shown = { ...shown, order: "oldest", more: true };
  const rising = list.toReversed();
  expect(ids(afterEvent(rising, petEvent("pet.restored", pet(4)), oldest))).toEqual([3, 4, 5, 9]);
  expect(afterEvent(rising, petEvent("pet.created", pet(10)), oldest)).toBe(rising);
});

test("a list by name is sorted as people sort, and keeps its order", () => {
  const named = ["Äpfel", "Bo 10", "bo 9", "Zoe"].map((name, index) =>
    pet(9 - index, "sold", name),
  );
  expect(named.toReversed().toSorted(comparing("name"))).toEqual(
    [named[0], named[2], named[1], named[3]].flatMap((one) => one ?? []),
  );
  const byName: Shown = { ...shown, order: "name" };
  const sorted = named.toSorted(comparing("name"));
  const added = afterEvent(sorted, petEvent("pet.created", pet(20, "sold", "Carlo")), byName);
  expect(added.map(({ name }) => name)).toEqual(["Äpfel", "bo 9", "Bo 10", "Carlo", "Zoe"]);
});

test("an animal older than the loaded part is not inserted", () => {
  const more = { ...shown, more: true };
  expect(afterEvent(list, petEvent("pet.restored", pet(2)), more)).toBe(list);
  expect(ids(afterEvent(list, petEvent("pet.restored", pet(4)), more))).toEqual([9, 5, 4, 3]);
});

test("an animal outside the filter is not inserted, and one that no longer matches stays", () => {
  const available = { ...shown, fits: ({ status }: Pet) => status === "available" };
  expect(afterEvent(list, petEvent("pet.created", pet(10, "sold")), available)).toBe(list);
  const changed = afterEvent(list, petEvent("pet.status_changed", pet(5, "sold")), available);
  expect(changed.map(({ status }) => status)).toEqual(["available", "sold", "available"]);
});

test("a deleted animal is removed, and a repeated event changes nothing", () => {
  const once = afterEvent(list, petEvent("pet.deleted", pet(5)), shown);
  expect(ids(once)).toEqual([9, 3]);
  expect(afterEvent(once, petEvent("pet.deleted", pet(5)), shown)).toEqual(once);
});

test.each([
  petEvent("pet.created", pet(10), "staging"),
  { type: "pet.created", environment: "production", data: {} },
  { type: "pet.created", data: { pet: pet(10) } },
  { type: "pet.created", environment: "production", data: { pet: null } },
  undefined,
  "pet.created",
])("%j does not concern this list", (event) => {
  expect(afterEvent(list, event, shown)).toBe(list);
});

const nothing = { name: undefined, status: undefined, categoryId: undefined };

test.each([
  [{}, nothing],
  [{ status: "sold" }, { ...nothing, status: "sold" as const }],
  [{ status: "gone" }, nothing],
  [{ category: "3" }, { ...nothing, categoryId: 3 }],
  [{ category: "0" }, nothing],
  [{ category: "3&limit=9" }, nothing],
  [{ name: "Rex" }, { ...nothing, name: "Rex" }],
  [{ name: "" }, nothing],
])("invalid filters in the address %j are ignored", (query, expected) => {
  expect(petQuery(query)).toEqual(expected);
});

test("a searched name is cut to the longest name of an animal", () => {
  expect(petQuery({ name: "x".repeat(500) }).name).toHaveLength(120);
});

test("an animal matches if all filters match, with names compared as the service does", () => {
  const zoe = { id: 1, ...newPet({ name: "Zoë", categoryId: 2, status: "pending" }) };
  const ask = (query: Parameters<typeof petQuery>[0]) => fits(petQuery(query), zoe);
  expect(ask({})).toBe(true);
  expect(ask({ name: "zoe", status: "pending", category: "2" })).toBe(true);
  expect(ask({ name: "zo", status: "sold" })).toBe(false);
  expect(ask({ category: "3" })).toBe(false);
  expect(ask({ name: "max" })).toBe(false);
});
