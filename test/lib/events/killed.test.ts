import { expect, test } from "bun:test";

import { bunSqliteStore } from "../../../adapters/sqlite/bun.ts";
import { memoryStore } from "../../../lib/storage/memory.ts";
import { sqlStore } from "../../../lib/storage/sql-store.ts";
import { chance } from "../../helpers/chance.ts";
import { manualClock } from "../../helpers/clock.ts";
import { killedConsumers } from "../../helpers/event-consumers.ts";
import { endureKills } from "../../helpers/killed-consumers.ts";
import { migratedSql } from "../../helpers/migrated.ts";
import { scratch } from "../../helpers/sqlite.ts";

const file = scratch();

test("a process that is killed between any two steps loses no event (memory)", async () => {
  expect(await killedConsumers(() => ({ store: memoryStore() }))).toBeGreaterThan(10);
});

test("a process that is killed between any two steps loses no event (SQLite)", async () => {
  const clock = manualClock(0);
  const steps = await killedConsumers(async () => {
    const store = await sqlStore({ sql: await migratedSql(clock), clock });
    return { store, close: () => store.close() };
  });
  expect(steps).toBeGreaterThan(10);
});

test("kill -9 of processes that handle events loses none, and keeps their order (SQLite)", async () => {
  const place = file();
  const store = await bunSqliteStore({ path: place });
  await endureKills({ store, kind: "sqlite", place }, chance());
  await store.close();
});
