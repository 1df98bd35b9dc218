import { describe, expect, test } from "bun:test";

import { bunSqliteStore } from "../../adapters/sqlite/bun.ts";
import { nodeSqliteStore } from "../../adapters/sqlite/node.ts";
import { memoryStore } from "../../lib/storage/memory.ts";
import { scratch } from "../helpers/sqlite.ts";
import { openOffice } from "../helpers/management.ts";
import { NewPetSchema, PetPatchSchema } from "../../lib/catalogue/schema.ts";
import {
  after,
  before,
  live,
  petFieldTests,
  propertiesOf,
  settable,
  type Fields,
} from "./pet-fields.ts";

const file = scratch();

describe("in memory", () => petFieldTests(async () => memoryStore()));
describe("on bun:sqlite", () => petFieldTests(() => bunSqliteStore({ path: file() })));
describe("on node:sqlite", () => petFieldTests(() => nodeSqliteStore({ path: file() })));

test("a caller can set and change every visible field except the id", () => {
  expect(Object.keys(propertiesOf(NewPetSchema.json)).toSorted()).toEqual(settable.toSorted());
  expect(Object.keys(propertiesOf(PetPatchSchema.json)).toSorted()).toEqual(settable.toSorted());
  for (const field of settable) expect(after[field]).not.toEqual(before[field]);
});

test("every field of a pet survives in the management API", async () => {
  const office = await openOffice();
  const path = `/manage/v1/accounts/${office.accountId}/production/pets`;
  await live(office.as("staff"), path);
  await office.as("staff").delete(`${path}/1`);
  const [deleted] = (await office.as("staff").get<readonly Fields[]>(`${path}/deleted`)).body;
  expect(deleted).toMatchObject({ ...after, id: 1 });
});
