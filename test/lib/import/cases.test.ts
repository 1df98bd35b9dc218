import { expect, test } from "bun:test";

import { readdir } from "node:fs/promises";
import { join } from "node:path";

import { workbooks } from "../../../adapters/workbooks.ts";
import { mapChoice, openPoints, valueChoice } from "../../../cli/import-texts.ts";
import type { ImportRequest } from "../../../lib/import/choices-schema.ts";
import { decideAnimals } from "../../../lib/import/decide.ts";
import { animalReader } from "../../../lib/import/animal.ts";
import { presentLooks } from "../../../lib/import/looks.ts";
import { isReady, planImport } from "../../../lib/import/plan.ts";
import { planShown } from "../../../lib/import/plan-shown.ts";
import { openTable } from "../../../lib/import/reading/open.ts";
import { TableRefused, type Table } from "../../../lib/import/table.ts";
import type { Result } from "../../../lib/base/result.ts";
import { publicProfile } from "../../../lib/catalogue/model-profile.ts";
import { createPetstore } from "../../../lib/index.ts";
import { system } from "../../../lib/model/actor.ts";
import { memoryStore } from "../../../lib/storage/memory.ts";
import { manualClock } from "../../../testing/clock.ts";
import { must } from "../../helpers/outcome.ts";

interface Case {
  readonly file: string;
  readonly args?: readonly string[];
  readonly animals?: readonly string[];
  readonly ask?: string;
  readonly askOr?: boolean;
  readonly refused?: string;
  readonly or?: string;
  readonly again?: boolean;
  readonly profile?: Readonly<Record<string, readonly string[]>>;
  readonly orders?: number;
  readonly says?: string;
}

const FOLDER = join(import.meta.dir, "../../fixtures/imports");
const cases: readonly Case[] = await Bun.file(join(FOLDER, "expected.json")).json();
const clock = manualClock(Date.UTC(2026, 10, 26));

/** A catalogue with the categories of a new account. */
async function catalogue() {
  const store = memoryStore();
  const { client } = createPetstore({ store, clock });
  const account = must(await client.accounts.create({ name: "A" }));
  const id = (await store.catalogues.of(account.id, "production"))?.id ?? 0;
  const categories = () => store.categories.list(id, { limit: 100, order: "asc" });

  /** Imports a file. Returns what is said if nothing was imported. */
  const bring = async (file: string, args: readonly string[] = []): Promise<string | undefined> => {
    const bytes = await Bun.file(join(FOLDER, file)).bytes();
    const { encoding, goodRows = false, ...choices } = requestOf(args);
    const opened = await openTable(
      {
        async *open() {
          await Promise.resolve();
          if (bytes.length > 0) yield bytes;
        },
      },
      encoding === undefined ? {} : { encoding },
      { workbooks: workbooks() },
    );
    if (!opened.ok) return JSON.stringify(opened.failure);
    try {
      return await run(opened.value, choices, goodRows);
    } catch (error) {
      if (error instanceof TableRefused) return JSON.stringify(error.fault);
      throw error;
    }
  };

  const run = async (
    table: Table,
    choices: Omit<ImportRequest, "encoding" | "goodRows">,
    goodRows: boolean,
  ): Promise<string | undefined> => {
    const looks = await presentLooks(store, id);
    const today = "2026-11-26";
    const into = { store, id, looks };
    const plan = await planImport({
      table,
      choices,
      categories: await categories(),
      today,
      catalogue: into,
    });
    const { alike } = choices;
    if (!isReady(plan, { goodRows, ...(alike === undefined ? {} : { alike }) })) {
      if (plan.mapping.rows === 0) return "The file has no rows with animals.";
      return openPoints(planShown(plan, alike === undefined ? {} : { alike })).join("\n");
    }
    const at = clock.now();
    const created = plan.newCategories.map(
      (name) => ({ kind: "category.create", catalogueId: id, name, at }) as const,
    );
    if (created.length > 0) expect((await store.commit(created, system)).ok).toBe(true);
    const read = animalReader({
      mapping: plan.mapping,
      choices,
      categories: await categories(),
      today,
    });
    for await (const batch of table.rows()) {
      const animals = batch.flatMap((row) => {
        const found = "cells" in row ? read(row.line, row.cells) : undefined;
        return found !== undefined && "animal" in found ? [found.animal] : [];
      });
      const { changes } = await decideAnimals(store, id, animals, { at });
      if (changes.length > 0) expect((await store.commit(changes, system)).ok).toBe(true);
    }
    return undefined;
  };

  const animals = async () => {
    const names = new Map((await categories()).map((category) => [category.id, category.name]));
    const pets = await store.pets.list(id, {}, { limit: 100, order: "asc" });
    return pets.map(({ name, categoryId, status }) => [name, names.get(categoryId) ?? "", status]);
  };
  const profileOf = async (name: string) => {
    const pets = await store.pets.list(id, {}, { limit: 100, order: "asc" });
    const [stored] = await store.profiles.of(
      id,
      pets.filter((pet) => pet.name === name).map((pet) => pet.id),
    );
    return JSON.stringify(stored === undefined ? {} : publicProfile(stored.fields));
  };
  const orders = async () => await store.orders.count(id, {});
  return { bring, animals, profileOf, orders };
}

function requestOf(args: readonly string[]): ImportRequest {
  const values = (flag: string) => args.filter((_, index) => args[index - 1] === flag);
  const [encoding] = values("--encoding");
  return {
    map: values("--map").map((text) => given(mapChoice(text))),
    values: values("--value").map((text) => given(valueChoice(text))),
    createCategories: args.includes("--create-categories"),
    ...(encoding === "windows-1252" ? { encoding } : {}),
  };
}

function given<Value>(read: Result<Value, string>): Value {
  if (!read.ok) throw new Error(read.failure);
  return read.value;
}

function expectAnimals(found: readonly (readonly string[])[], expected: readonly string[]): void {
  const matched = found.map((animal, index) => {
    const wanted = expected[index]?.split("|").map((words) => words.split("/")) ?? [];
    const fits = wanted.every((words, at) => words.includes(animal[at] ?? ""));
    return fits && wanted.length > 0 ? expected[index] : animal.join("|");
  });
  expect(matched).toEqual([...expected]);
}

test("every file has an entry", async () => {
  const files = (await readdir(FOLDER)).filter(
    (name) => !/^(?:README\.md|expected\.json)$/.test(name),
  );
  expect(cases.map(({ file }) => file).toSorted()).toEqual(files.toSorted());
  expect(files.length).toBe(73);
});

test.each(cases.map((one) => [one.file, one] as const))("%s", async (file, expected) => {
  const { bring, animals, profileOf, orders } = await catalogue();
  const contains = (words: string) => expect.stringMatching(new RegExp(words, "i"));
  if (expected.ask !== undefined) {
    const said = await bring(file);
    if (said === undefined) {
      expect(expected.askOr).toBe(true);
      return expectAnimals(await animals(), expected.animals ?? []);
    }
    expect(said).toEqual(contains(expected.ask));
    expect(await animals()).toEqual([]);
  }
  const said = await bring(file, expected.args);
  const refusal =
    expected.refused ?? (said === undefined ? undefined : (expected.or ?? expected.says));
  if (refusal !== undefined) {
    expect(said).toEqual(contains(refusal));
    expect(await animals()).toEqual([]);
    return;
  }
  expect(said).toBeUndefined();
  expectAnimals(await animals(), expected.animals ?? []);
  for (const [name, words] of Object.entries(expected.profile ?? {})) {
    const shown = await profileOf(name);
    for (const word of words) {
      if (word.startsWith("!")) expect(shown).not.toContain(word.slice(1));
      else expect(shown).toContain(word);
    }
  }
  if (expected.again === true) {
    await bring(file, expected.args);
    expectAnimals(await animals(), expected.animals ?? []);
  }
  if (expected.orders !== undefined) expect(await orders()).toBe(expected.orders);
});
