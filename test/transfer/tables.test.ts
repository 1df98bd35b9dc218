import { expect, test } from "bun:test";

import { Database } from "bun:sqlite";

import { readContents } from "../../backup/snapshot.ts";
import type { Schema } from "../../lib/sql/migrate.ts";
import { schemas } from "../../server/data/storage.ts";
import type { DataDirectory } from "../../server/data/data-directory.ts";
import { created, isCarried, tablesOf } from "../../transfer/tables.ts";
import { chance, runSeed, torture } from "../helpers/chance.ts";
import { rejection } from "../helpers/rejection.ts";
import { contentsOf, exported, filled, imported } from "./fixture.ts";

const GUIDE = await Bun.file("docs/export-format.md").text();

const seeds = Array.from({ length: torture ? 20 : 1 }, (_, index) => runSeed + index);

test.each(seeds)(
  "every column of every table survives export and import (seed %d)",
  async (seed) => {
    const here = await filled(chance(seed));
    const from = await exported(here);
    const there = await imported(from);
    // Read without the declarations that the export uses.
    expect(carriedIn(there)).toEqual(carriedIn(here));
    expect(await contentsOf(await exported(there))).toEqual(await contentsOf(from));
  },
);

/** The rows, their checksums and the columns of all tables but those that are left out. */
function carriedIn({ database: path }: DataDirectory): object {
  const { tables } = readContents(path);
  const database = new Database(path, { readonly: true });
  try {
    using columns = database.prepare("SELECT name FROM pragma_table_info(?)");
    const found = Object.entries(tables).filter(([name]) => isCarried(name, "export"));
    for (const [name, { rows }] of found) {
      // Each column has a value in some row: one that is forgotten would be null.
      expect([name, rows]).toEqual([name, name === "settings" ? 9 : 8]);
      for (const [column] of columns.values(name)) {
        using values = database.prepare(`SELECT COUNT("${String(column)}") FROM ${name}`);
        expect([name, column, Number(values.values()[0]?.[0]) > 0]).toEqual([name, column, true]);
      }
    }
    return Object.fromEntries(found);
  } finally {
    database.close();
  }
}

/** The schemas with another migration of the animals' tables. */
function grown(statement: string): readonly Schema[] {
  return schemas.map((schema) =>
    schema.component === "petstore"
      ? { ...schema, migrations: [...schema.migrations, () => [statement]] }
      : schema,
  );
}

test("a new table needs a line in transfer/tables.ts, and a new column is carried without one", async () => {
  expect(
    String(await rejection(tablesOf(grown("CREATE TABLE toys (id BIGINT PRIMARY KEY)"), "export"))),
  ).toBe("Error: Add the table toys to transfer/tables.ts, which says what carries its rows.");
  const tables = await tablesOf(grown("ALTER TABLE pets ADD COLUMN coat_colour TEXT"), "export");
  const pets = tables.find(({ name }) => name === "pets");
  expect(pets?.columns.at(-1)).toEqual({
    name: "coat_colour",
    member: "coatColour",
    type: "text",
    maximum: Number.MAX_SAFE_INTEGER,
    nullable: true,
    namesFile: false,
  });
});

test("docs/export-format.md describes each file with its members, and each table that is left out", async () => {
  const described = [...GUIDE.matchAll(/^### `tables\/([a-z-]+)\.ndjson`([^]*?)(?=^##)/gm)].map(
    ([, noun, text = ""]) => [
      noun,
      [...text.matchAll(/^\| `(\w+)` \| ([a-z ]+) \|/gm)].map(([, member, type]) => [member, type]),
    ],
  );
  const declared = (await tablesOf(schemas, "export")).map(({ noun, columns }) => [
    noun,
    columns.map(({ member, type, nullable }) => [
      member,
      `${type === "text" ? "string" : "integer"}${nullable ? " or null" : ""}`,
    ]),
  ]);
  expect(described).toEqual(declared);
  const left = /## Not inside([^]*?)(?=^## )/m.exec(GUIDE)?.[1] ?? "";
  for (const name of created.tables) {
    expect([name, left.includes(`\`${name}\``)]).toEqual([name, !isCarried(name, "export")]);
  }
});
