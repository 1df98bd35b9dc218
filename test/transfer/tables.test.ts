import { expect, test } from "bun:test";

import { bunSqliteSql } from "../../adapters/sqlite-bun.ts";
import type { Schema } from "../../lib/sql/migrate.ts";
import type { Sql, SqlValue } from "../../lib/sql/sql.ts";
import { openStorage, schemas } from "../../server/compose.ts";
import { installationKey } from "../../server/encryption-key.ts";
import type { DataDirectory } from "../../server/data-directory.ts";
import { leftOut, tablesOf, type Column, type Table } from "../../transfer/tables.ts";
import { chance, runSeed, torture, type Chance } from "../helpers/chance.ts";
import { contentsOf, empty, exported, imported, KEY } from "./fixture.ts";

const GUIDE = await Bun.file("docs/export-format.md").text();

const seeds = Array.from({ length: torture ? 20 : 1 }, (_, index) => runSeed + index);

test.each(seeds)(
  "every column of every table survives export and import (seed %d)",
  async (seed) => {
    const here = await empty();
    await create(here);
    const sql = await bunSqliteSql({ path: here.database });
    const random = chance(seed);
    for (const table of await tablesOf(schemas)) await fill(sql, table, random);
    await sql.close();
    const from = await exported(here);
    const [before, after] = [
      await contentsOf(from),
      await contentsOf(await exported(await imported(from))),
    ];
    expect(after).toEqual(before);
    for (const table of await tablesOf(schemas)) {
      const lines = before.get(`tables/${table.noun}.ndjson`)?.trim().split("\n") ?? [];
      expect([table.noun, lines.length]).toEqual([table.noun, table.noun === "settings" ? 9 : 8]);
      // Each column has a value in some row: a column that is forgotten has none.
      const seen = new Set(
        lines.flatMap((line) =>
          Object.entries(JSON.parse(line)).flatMap(([member, value]) =>
            value === null ? [] : [member],
          ),
        ),
      );
      expect([table.noun, [...seen].toSorted()]).toEqual([
        table.noun,
        table.columns.map(({ member }) => member).toSorted(),
      ]);
    }
  },
  60_000,
);

async function create(directory: DataDirectory): Promise<void> {
  const storage = await openStorage(directory, () => undefined);
  await installationKey({ store: storage.store, path: directory.encryptionKey, given: KEY });
  await storage.close();
}

const TEXTS = ["", "Zoë 🦔", '"quoted"\\', "two\nlines\r\n", "\u2028\u0000\u0001", "{}"] as const;

/** Adds eight rows with random values. */
async function fill(sql: Sql, { name, columns }: Table, random: Chance): Promise<void> {
  const references = await sql.query({
    text: `SELECT "from" AS own, "table" AS other, "to" AS theirs FROM pragma_foreign_key_list(?)`,
    values: [name],
  });
  const chosen = new Map<string, readonly SqlValue[]>();
  for (const { own, other, theirs } of references) {
    const rows = await sql.query({ text: `SELECT ${theirs} AS value FROM ${other}`, values: [] });
    chosen.set(
      String(own),
      rows.map((row) => row["value"] ?? null),
    );
  }
  const valueOf = (column: Column, row: number): SqlValue => {
    const known = chosen.get(column.name);
    if (known !== undefined) return known[row] ?? null;
    if (column.nullable && row % 2 === 1) return null;
    if (column.type === "integer") return random.between(1, 2 ** 50) * 8 + row;
    if (column.name === "sha256") return digest(random);
    return `${row} ${random.pick(TEXTS)}`;
  };
  const text = `INSERT INTO ${name} (${columns.map((column) => column.name).join(", ")})
    VALUES (${columns.map(() => "?").join(", ")})`;
  const rows = Array.from({ length: 8 }, (_, row) => columns.map((column) => valueOf(column, row)));
  await sql.batch(
    rows.map((values) => ({ text, values })),
    () => true,
  );
}

function digest(random: Chance): string {
  return Buffer.from(Uint8Array.from({ length: 32 }, () => random.between(0, 255))).toString("hex");
}

test("a table that is not classified fails, and a new column is carried without being named", async () => {
  const grown = (statement: string): readonly Schema[] =>
    schemas.map((schema) =>
      schema.component === "petstore"
        ? { ...schema, migrations: [...schema.migrations, () => [statement]] }
        : schema,
    );
  const added = tablesOf(grown("CREATE TABLE toys (id BIGINT PRIMARY KEY)"));
  expect(added).rejects.toThrow("The table toys is not classified: does an export carry it?");
  const tables = await tablesOf(grown("ALTER TABLE pets ADD COLUMN coat_colour TEXT"));
  const pets = tables.find(({ name }) => name === "pets");
  expect(pets?.columns.at(-1)).toEqual({
    name: "coat_colour",
    member: "coatColour",
    type: "text",
    nullable: true,
  });
});

test("docs/export-format.md describes each file with its members, and each table that is left out", async () => {
  const described = [...GUIDE.matchAll(/^### `tables\/([a-z-]+)\.ndjson`([^]*?)(?=^##)/gm)].map(
    ([, noun, text = ""]) => [
      noun,
      [...text.matchAll(/^\| `(\w+)` \| ([a-z ]+) \|/gm)].map(([, member, type]) => [member, type]),
    ],
  );
  const declared = (await tablesOf(schemas)).map(({ noun, columns }) => [
    noun,
    columns.map(({ member, type, nullable }) => [
      member,
      `${type === "text" ? "string" : "integer"}${nullable ? " or null" : ""}`,
    ]),
  ]);
  expect(described).toEqual(declared);
  const left = /## Not inside([^]*?)(?=^## )/m.exec(GUIDE)?.[1] ?? "";
  for (const name of leftOut.keys()) expect(left).toContain(`\`${name}\``);
});
