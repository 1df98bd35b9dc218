import { expect, test } from "bun:test";

import { existsSync, readFileSync } from "node:fs";

import { scratch } from "../../helpers/sqlite.ts";
import { openTenants } from "../management/tenants.ts";

const file = scratch();

const HOUR = 3_600_000;

/** Names in the account, in the forms in which they are stored. */
const names = [
  "Foxes of Elsewhere",
  "key of foxes",
  "token of foxes",
  "Pet of foxes",
  "PET OF FOXES",
  "Rex of foxes",
  "First of foxes",
  "first of foxes",
  "Site of foxes",
  "foxes-site",
  "Trash of foxes",
  "ada@foxes.example",
  "Browser of ada@foxes",
  '"author":"foxes"',
];

/** Returns those of `names` that are in the bytes of the database or its log, deleted or not. */
function written(path: string): readonly string[] {
  const bytes = [path, `${path}-wal`]
    .filter((one) => existsSync(one))
    .map((one) => readFileSync(one, "latin1"))
    .join("");
  return names.filter((name) => bytes.includes(name));
}

test("no file contains a name of a deleted account, including deleted rows and old pages", async () => {
  const path = file();
  const { office, publishing, theirs } = await openTenants({ path });
  const { petstore, management, members, imports, enquiries, webhooks, clock } = office;
  expect(written(path)).toEqual(names);

  const { client } = petstore;
  expect((await client.accounts.delete(theirs.accountId)).ok).toBe(true);
  // The hourly purges, and the next purge of each minute.
  for (let round = 0; round < 4; round++) {
    await clock.advance(2 * HOUR);
    for (const { jobs } of [
      management,
      members,
      publishing,
      imports,
      enquiries,
      webhooks,
      petstore,
    ])
      await jobs.tick();
  }
  expect(written(path)).toEqual([]);
  await office.sql.close();
});
