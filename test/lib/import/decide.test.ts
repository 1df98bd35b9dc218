import { expect, test } from "bun:test";

import { decideAnimals } from "../../../lib/import/decide.ts";
import { presentLooks } from "../../../lib/import/looks.ts";
import { isReady, planImport } from "../../../lib/import/plan.ts";
import { createPetstore } from "../../../lib/index.ts";
import { system } from "../../../lib/model/actor.ts";
import { memoryStore } from "../../../lib/storage/memory.ts";
import { manualClock } from "../../../testing/clock.ts";
import { must } from "../../helpers/outcome.ts";
import { categories, planned, tableOf } from "./tables.ts";

const clock = manualClock(1_794_960_000_000);

async function catalogue() {
  const store = memoryStore();
  const { client } = createPetstore({ store, clock });
  const created = must(await client.accounts.create({ name: "A" }));
  const id = (await store.catalogues.of(created.id, "production"))?.id ?? 0;
  /** Brings the rows of a file into the catalogue. */
  const bring = async (
    columns: readonly string[],
    rows: readonly (readonly string[])[],
    skips = false,
  ) => {
    const { first } = await planned(columns, rows);
    const looks = await presentLooks(store, id);
    const skip = skips ? { skip: looks } : {};
    const { changes, applied } = await decideAnimals(store, id, first, {
      at: clock.now(),
      ...skip,
    });
    const committed = await store.commit(changes, system);
    if (!committed.ok) throw new Error(committed.failure.refusal);
    return applied(committed.value);
  };
  const pets = () => store.pets.list(id, {}, { limit: 100, order: "asc" });
  const plan = async (columns: readonly string[], rows: readonly (readonly string[])[]) =>
    planImport({
      table: tableOf(columns, rows),
      choices: {},
      categories,
      today: "2026-11-26",
      catalogue: { store, id, looks: await presentLooks(store, id) },
    });
  return { store, id, bring, pets, plan };
}

const header = ["name", "category", "status", "external id", "breed", "good with dogs"];

test("with a key, the second import changes what the file says and keeps the rest", async () => {
  const { store, id, bring, pets } = await catalogue();
  const first = await bring(header, [
    ["Rex", "Dogs", "available", "1", "Beagle", "yes"],
    ["Minka", "Cats", "available", "2", "", ""],
  ]);
  expect(first.map(({ kind }) => kind)).toEqual(["added", "added"]);
  const second = await bring(
    ["name", "category", "status", "external id", "good with cats"],
    [
      ["Rex", "Dogs", "Reserved", "1", "no"],
      ["Minka", "Cats", "available", "2", ""],
      ["Rex", "Dogs", "available", "3", ""],
    ],
  );
  expect(second.map(({ kind }) => kind)).toEqual(["updated", "same", "added"]);
  expect(second[0]).toMatchObject({
    before: { pet: { id: 1, status: "available" }, profile: { petId: 1 } },
  });
  expect((await pets()).map(({ name, status }) => `${name} ${status}`)).toEqual([
    "Rex pending",
    "Minka available",
    "Rex available",
  ]);
  expect((await store.profiles.of(id, [1]))[0]?.fields).toEqual({
    breed: { text: "Beagle" },
    goodWith: { dogs: "yes", cats: "no" },
    externalId: "1",
  });
});

test("without a key, animals that look like present ones are counted first, and can be left out", async () => {
  const { bring, pets, plan } = await catalogue();
  const rows = [
    ["Waldo", "Dogs", "available"],
    ["waldo", "Cats", "available"],
  ];
  const columns = ["name", "category", "status"];
  await bring(columns, rows);
  const again = await plan(columns, [...rows, ["Lumi", "Cats", "available"]]);
  expect([again.alike.count, again.alike.first.map(({ line }) => line)]).toEqual([2, [2, 3]]);
  expect(isReady(again, { goodRows: true })).toBe(false);
  expect(isReady(again, { goodRows: false, alike: "skip" })).toBe(true);
  const left = await bring(columns, [...rows, ["Lumi", "Cats", "available"]], true);
  expect(left.map(({ kind }) => kind)).toEqual(["skipped", "skipped", "added"]);
  expect((await pets()).length).toBe(3);
});

test("two animals with different keys may share a name; one without a key is compared by its name", async () => {
  const { bring, plan } = await catalogue();
  await bring(header, [["Rex", "Dogs", "available", "1", "", ""]]);
  const other = await plan(header, [["Rex", "Dogs", "available", "2", "", ""]]);
  expect([other.alike.count, other.updates]).toEqual([0, 0]);
  const same = await plan(header, [["Rex", "Dogs", "available", "1", "", ""]]);
  expect([same.alike.count, same.updates]).toEqual([0, 1]);
  const keyless = await plan(["name", "category"], [["Rex", "Dogs"]]);
  expect(keyless.alike.count).toBe(1);
});
