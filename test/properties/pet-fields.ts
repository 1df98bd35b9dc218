import { expect, test } from "bun:test";
import * as fc from "fast-check";

import { csvEncoder, petEncoders } from "../../cli/pets.ts";
import { check } from "../../lib/base/check.ts";
import { createPetstore } from "../../lib/index.ts";
import { decideAnimals } from "../../lib/import/decide.ts";
import { planImport } from "../../lib/import/plan.ts";
import { openTable } from "../../lib/import/reading/open.ts";
import { system } from "../../lib/model/actor.ts";
import { petDefaults, type NewPet } from "../../lib/catalogue/model.ts";
import { NewPetSchema, PetPatchSchema, PetSchema } from "../../lib/catalogue/schema.ts";
import type { Store } from "../../lib/storage/store.ts";
import { manualClock } from "../../testing/clock.ts";
import { api, type Api } from "../helpers/api.ts";
import { runSeed } from "../helpers/chance.ts";
import { START } from "../helpers/management.ts";
import { around, type AnySchema } from "./around.ts";

// A field added to the schema of `Pet` must survive everywhere in the service without a change to this file.

export type Fields = Readonly<Record<string, unknown>>;

const shown = propertiesOf(PetSchema.json);
/** The fields that a caller sets. */
export const settable: readonly string[] = Object.keys(shown).filter((field) => field !== "id");
/** Those that a pet may lack. */
const optional = settable.filter((field) => !requiredBy(PetSchema.json).includes(field));

/** The first categories of a new catalogue. */
const CATEGORIES = ["Dogs", "Cats"] as const;

/** Values that depend on more than their schema: existing ids, and allowed status changes. */
const chosen: Readonly<Record<string, readonly [unknown, unknown]>> = {
  categoryId: [1, 2],
  status: ["available", "pending"],
};

/** A value of every field. */
export const before: Fields = valuesOf(0);
/** A different value of every field, so that a lost field is detected. */
export const after: Fields = valuesOf(1, before);
/** No field that a new pet may omit. */
const least: Fields = Object.fromEntries(
  requiredBy(NewPetSchema.json).map((field) => [field, before[field]]),
);

/** Tests that every field of a pet survives in a store. */
export function petFieldTests(openStore: () => Promise<Store>): void {
  const open = async () => {
    const store = await openStore();
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

  test("every field of a pet survives creation, changes, deletion, restoration and events", async () => {
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

  test.each([
    ["csv", csvEncoder(";")],
    ["ndjson", petEncoders.ndjson],
  ])("every field of a pet survives export to %s and import", async (_format, encoder) => {
    const { store, petstore, at } = await open();
    for (const fields of [before, after, least]) await at.post("/v1/pets", fields);
    const here = { environment: "production" } as const;
    const there = { environment: "staging" } as const;
    const pets = await petstore.client.pets.page(here);
    if (!pets.ok) throw new Error(pets.failure.message);
    const { head, row, between, tail } = encoder;
    const rows = pets.value.map((pet) => row(pet, CATEGORIES[pet.categoryId - 1] ?? "", {}));
    const text = `${head}${rows.join(between)}${tail}`;
    const opened = await openTable({
      async *open() {
        yield await new Blob([text]).bytes();
      },
    });
    if (!opened.ok) throw new Error(JSON.stringify(opened.failure));
    const [account] = await store.accounts.list();
    const id = (await store.catalogues.of(account?.id ?? "", "staging"))?.id ?? 0;
    const plan = await planImport({
      table: opened.value,
      choices: {},
      categories: await store.categories.list(id, { limit: 10, order: "asc" }),
      today: "2026-11-26",
    });
    const { changes } = await decideAnimals(store, id, plan.first, { at: START });
    expect((await store.commit(changes, system)).ok).toBe(true);
    const arrived = await petstore.client.pets.page(there);
    expect(arrived).toEqual({
      ok: true,
      value: [before, after, { ...petDefaults, ...least }].map(
        (fields, index) => ({ ...fields, id: index + 1 }) as never,
      ),
    });
    await store.close();
  });

  test("every field of a pet survives an import that says only what it must", async () => {
    const { store, petstore } = await open();
    const [account] = await store.accounts.list();
    const id = (await store.catalogues.of(account?.id ?? "", "production"))?.id ?? 0;
    const pet = after as unknown as NewPet;
    const profile = { externalId: "A1" };
    const created = { kind: "pet.create", catalogueId: id, at: START, pet, profile } as const;
    expect((await store.commit([created], system)).ok).toBe(true);
    const { name, categoryId, status } = pet;
    const animal = { line: 2, name: `${name}!`, category: categoryId, status, profile, photos: [] };
    const { changes } = await decideAnimals(store, id, [animal], { at: START });
    expect((await store.commit(changes, system)).ok).toBe(true);
    const kept = await petstore.client.pets.page({ environment: "production" });
    expect(kept).toEqual({ ok: true, value: [{ ...after, id: 1, name: `${name}!` } as never] });
    await store.close();
  });
}

/** Performs every action on two animals, and returns the expected events. */
export async function live(
  at: Api,
  path: string,
): Promise<readonly (readonly [string, unknown])[]> {
  const events: (readonly [string, unknown])[] = [];
  let pet: Fields = {};
  let tag: string | null = null;
  const create = async (fields: Fields, expected: Fields): Promise<void> => {
    pet = expected;
    const created = await at.post(path, fields);
    expect([created.status, created.body]).toEqual([201, pet]);
    tag = created.headers.get("etag");
    events.push(["pet.created", pet]);
  };
  const change = async (fields: Fields, expected: Fields): Promise<void> => {
    pet = expected;
    const changed = await at.patch(`${path}/${String(pet["id"])}`, fields);
    expect([changed.status, changed.body]).toEqual([200, pet]);
    // A change that is not recognized would keep the version.
    expect(changed.headers.get("etag")).not.toBe(tag);
    tag = changed.headers.get("etag");
    events.push(["pet.updated", pet]);
    await found();
  };
  const found = async (): Promise<void> => {
    expect((await at.get(`${path}/${String(pet["id"])}`)).body).toEqual(pet);
    expect((await at.get<readonly Fields[]>(path)).body).toContainEqual(pet);
  };
  const deleteAndRestore = async (): Promise<void> => {
    expect((await at.delete(`${path}/${String(pet["id"])}`)).status).toBe(204);
    const restored = await at.post(`${path}/${String(pet["id"])}/restore`);
    expect([restored.status, restored.body]).toEqual([200, pet]);
    events.push(["pet.deleted", pet], ["pet.restored", pet]);
    await found();
  };

  await create(before, { ...before, id: 1 });
  for (const field of settable) {
    await change({ [field]: after[field] }, { ...pet, [field]: after[field] });
  }
  await deleteAndRestore();
  for (const field of optional) {
    await change({ [field]: null }, without(pet, field));
    await change({ [field]: after[field] }, { ...pet, [field]: after[field] });
  }

  await create(least, { ...petDefaults, ...least, id: 2 });
  await deleteAndRestore();
  const repeated = await at.patch(
    `${path}/2`,
    Object.fromEntries(optional.map((field) => [field, null])),
  );
  expect(repeated.headers.get("etag")).toBe(
    (await at.post(`${path}/2/restore`)).headers.get("etag"),
  );
  return events;
}

function without(pet: Fields, field: string): Fields {
  return Object.fromEntries(Object.entries(pet).filter(([name]) => name !== field));
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
    // Stored and imported unchanged: text without surrounding white space, also of no width, and decomposed characters.
    const kept =
      typeof value !== "string" ||
      (value.normalize("NFC").trim() === value && !/^[\u200B\u2060]|[\u200B\u2060]$/u.test(value));
    return fits.ok && kept && value !== "" && value !== null && value !== other;
  });
  if (found === undefined) throw new Error(`No value of "${field}" was found.`);
  return found;
}

function requiredBy(json: AnySchema): readonly string[] {
  return json.required?.filter((field) => field !== "id") ?? [];
}

export function propertiesOf(json: AnySchema): Readonly<Record<string, AnySchema>> {
  return json.properties ?? {};
}
