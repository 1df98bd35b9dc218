import { expect, test } from "bun:test";

import type { Schema } from "../../lib/sql/migrate.ts";
import { schemas } from "../../server/compose.ts";
import { leftOut, tablesOf } from "../../transfer/tables.ts";
import { chance, runSeed, torture } from "../helpers/chance.ts";
import { contentsOf, exported, filled, imported } from "./fixture.ts";

const GUIDE = await Bun.file("docs/export-format.md").text();

const seeds = Array.from({ length: torture ? 20 : 1 }, (_, index) => runSeed + index);

test.each(seeds)(
  "every column of every table survives export and import (seed %d)",
  async (seed) => {
    const here = await filled(chance(seed));
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
    maximum: Number.MAX_SAFE_INTEGER,
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
