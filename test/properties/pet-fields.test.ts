import { afterAll, describe, expect, test } from "bun:test";
import * as fc from "fast-check";

import { bunSqliteStore } from "../../adapters/sqlite-bun.ts";
import { nodeSqliteStore } from "../../adapters/sqlite-node.ts";
import { petEncoders } from "../../cli/pets.ts";
import { check } from "../../lib/base/schema.ts";
import { createPetstore } from "../../lib/index.ts";
import { importPetFile } from "../../lib/catalogue/pet-import.ts";
import { petFormats } from "../../lib/catalogue/pet-rows.ts";
import { NewPetSchema, PetPatchSchema, PetSchema } from "../../lib/catalogue/schema.ts";
import { memoryStore } from "../../lib/storage/memory.ts";
import type { Store } from "../../lib/storage/store.ts";
import { manualClock } from "../../lib/testing/clock.ts";
import { api, type Api } from "../helpers/api.ts";
import { runSeed } from "../helpers/chance.ts";
import { openOffice, START } from "../helpers/management.ts";
import { scratch } from "../helpers/sqlite.ts";
import { around, type AnySchema } from "./around.ts";

// A field added to the schema of `Pet` must survive everywhere in the service without a change to this file.

type Fields = Readonly<Record<string, unknown>>;

const { file, remove } = scratch();
afterAll(remove);

const stores: Readonly<Record<string, () => Promise<Store>>> = {
  memory: async () => memoryStore(),
  "bun:sqlite": () => bunSqliteStore({ path: file() }),
  "node:sqlite": () => nodeSqliteStore({ path: file() }),
};

const shown = propertiesOf(PetSchema.json);
const settable = Object.keys(shown).filter((field) => field !== "id");

/** The first categories of a new catalogue. */
const CATEGORIES = ["Dogs", "Cats"] as const;

/** Values that depend on more than their schema: existing ids, and allowed status changes. */
const chosen: Readonly<Record<string, readonly [unknown, unknown]>> = {
  categoryId: [1, 2],
  status: ["available", "pending"],
};

const before = valuesOf(0);
// A different value of every field, so that a lost field is detected.
const after = valuesOf(1, before);

test("a caller can set and change every visible field except the id", () => {
  expect(Object.keys(propertiesOf(NewPetSchema.json)).toSorted()).toEqual(settable.toSorted());
  expect(Object.keys(propertiesOf(PetPatchSchema.json)).toSorted()).toEqual(settable.toSorted());
  for (const field of settable) expect(after[field]).not.toEqual(before[field]);
});

describe.each(Object.keys(stores))("on the store %s every field of a pet survives", (name) => {
  const open = async () => {
    const store = await (stores[name] ?? stores["memory"]!)();
    const clock = manualClock(START);
    const petstore = createPetstore({ store, clock, encryptionKey: new Uint8Array(32).fill(7) });
    const issued = await petstore.client.keys.create({
      environment: "production",
      scopes: ["pets:read", "pets:write", "pets:admin"],
    });
    if (!issued.ok) throw new Error(issued.failure.message);
    const at = api({ fetch: petstore.fetch, key: issued.value.token });
    return { store, petstore, at };
  };

  test("create, change, delete, restore and events", async () => {
    const { store, at } = await open();
    const expected = await live(at, "/v1/pets");
    const events = await store.events.after(0, 100);
    expect(
      events
        .filter(({ type }) => type.startsWith("pet."))
        .map(({ type, data }) => [
          type === "pet.status_changed" ? "pet.updated" : type,
          data["pet"],
        ]),
    ).toEqual(expected.map((event) => [...event]));
    await store.close();
  });

  test.each(petFormats)("export to %s and import", async (format) => {
    const { store, petstore, at } = await open();
    for (const fields of [before, after]) await at.post("/v1/pets", fields);
    const here = { environment: "production" } as const;
    const there = { environment: "staging" } as const;
    const pets = await petstore.client.pets.page(here);
    if (!pets.ok) throw new Error(pets.failure.message);
    const { head, row, between, tail } = petEncoders[format];
    const rows = pets.value.map((pet) => row(pet, CATEGORIES[pet.categoryId - 1] ?? ""));
    const text = `${head}${rows.join(between)}${tail}`;
    const end = await importPetFile({
      source: new Blob([text]).stream(),
      format,
      send: (sent) => petstore.client.pets.import({ ...there, rows: sent }),
      onFault: (fault) => {
        throw new Error(JSON.stringify(fault));
      },
      onProgress: () => undefined,
    });
    expect(end).toMatchObject({ kind: "done", added: 2 });
    const arrived = await petstore.client.pets.page(there);
    expect(arrived).toEqual({
      ok: true,
      value: [before, after].map((fields, index) => ({ ...fields, id: index + 1 }) as never),
    });
    await store.close();
  });
});

test("every field of a pet survives in the management API", async () => {
  const office = await openOffice();
  const path = `/manage/v1/accounts/${office.accountId}/production/pets`;
  await live(office.as("staff"), path);
  expect((await office.as("staff").get(path)).body).toEqual([{ ...after, id: 1 }]);
  await office.as("staff").delete(`${path}/1`);
  const [deleted] = (await office.as("staff").get<readonly Fields[]>(`${path}/deleted`)).body;
  expect(deleted).toMatchObject({ ...after, id: 1 });
});

/** Performs every action on one animal and returns the expected events. */
async function live(at: Api, path: string): Promise<readonly (readonly [string, unknown])[]> {
  let pet: Fields = { ...before, id: 1 };
  const events: (readonly [string, unknown])[] = [["pet.created", pet]];
  const created = await at.post(path, before);
  expect([created.status, created.body]).toEqual([201, pet]);
  let tag = created.headers.get("etag");
  for (const field of settable) {
    pet = { ...pet, [field]: after[field] };
    const changed = await at.patch(`${path}/1`, { [field]: after[field] });
    expect([changed.status, changed.body]).toEqual([200, pet]);
    // A change that is not recognized would keep the version.
    expect(changed.headers.get("etag")).not.toBe(tag);
    tag = changed.headers.get("etag");
    expect((await at.get(`${path}/1`)).body).toEqual(pet);
    events.push(["pet.updated", pet]);
  }
  expect((await at.get(path)).body).toEqual([pet]);
  expect((await at.delete(`${path}/1`)).status).toBe(204);
  const restored = await at.post(`${path}/1/restore`);
  expect([restored.status, restored.body]).toEqual([200, pet]);
  expect((await at.get(`${path}/1`)).body).toEqual(pet);
  return [...events, ["pet.deleted", pet], ["pet.restored", pet]];
}

/** Returns a valid value of each settable field, none of which `others` has. */
function valuesOf(seed: 0 | 1, others: Fields = {}): Fields {
  return Object.fromEntries(settable.map((field) => [field, valueOf(field, seed, others[field])]));
}

function valueOf(field: string, seed: 0 | 1, other: unknown): unknown {
  const given = chosen[field];
  if (given !== undefined) return given[seed];
  const values = fc.sample(around(shown[field] ?? {}), { seed: runSeed + seed, numRuns: 2_000 });
  const found = values.find((value) => {
    const fits = check(PetPatchSchema, { [field]: value });
    // Stored unchanged: text without surrounding white space and decomposed characters.
    const kept = typeof value !== "string" || value.normalize("NFC").trim() === value;
    return fits.ok && kept && value !== "" && value !== null && value !== other;
  });
  if (found === undefined) throw new Error(`No value of "${field}" was found.`);
  return found;
}

function propertiesOf(json: AnySchema): Readonly<Record<string, AnySchema>> {
  return json.properties ?? {};
}
