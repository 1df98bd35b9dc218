import { expect, test } from "bun:test";

import { memoryStore } from "../../../lib/storage/memory.ts";
import { sqlStore } from "../../../lib/storage/sql-store.ts";
import { memoryWebhookStore, sqlWebhookStore } from "../../../lib/webhooks/index.ts";
import { manualClock } from "../../helpers/clock.ts";
import { deliveredByTwo, killedBetweenSteps } from "../../helpers/killed-deliveries.ts";
import { migratedSql } from "../../helpers/migrated.ts";

test("a process that is killed between any two writes loses no delivery (memory)", async () => {
  const steps = await killedBetweenSteps(() => {
    const store = memoryStore();
    return { store, webhookStore: memoryWebhookStore({ store }) };
  });
  expect(steps).toBeGreaterThan(10);
});

test("a process that is killed between any two writes loses no delivery (SQLite)", async () => {
  const clock = manualClock(0);
  const steps = await killedBetweenSteps(async () => {
    const sql = await migratedSql(clock);
    const store = await sqlStore({ sql, clock });
    const webhookStore = await sqlWebhookStore({ sql, clock });
    return { store, webhookStore, close: () => store.close() };
  });
  expect(steps).toBeGreaterThan(10);
});

test("two processes at the same time deliver each event once, in the order of its subject (memory)", async () => {
  const store = memoryStore();
  const stores = { store, webhookStore: memoryWebhookStore({ store }) };
  await deliveredByTwo(stores, stores);
});
