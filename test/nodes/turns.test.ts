import { expect, test } from "bun:test";

import postgres from "postgres";

import { postgresSql } from "../../adapters/postgres/sql.ts";
import { sqlDomainStore } from "../../domains/storage/sql-domain-store.ts";
import { sqlLeases } from "../../domains/storage/sql-leases.ts";
import { HOUR_MS } from "../../lib/base/clock.ts";
import { createPetstore, sqlStore, type Store } from "../../lib/index.ts";
import {
  createPublishing,
  memoryBlobs,
  sqlProjectStore,
  type Blobs,
} from "../../lib/publishing/index.ts";
import { turnsOf } from "../../server/nodes/together.ts";
import { manualClock } from "../helpers/clock.ts";
import { startPostgres } from "../helpers/postgres.ts";

test("of two nodes that purge and collect blobs at the same time, one does each", async () => {
  await using server = await startPostgres();
  const url = await server.createDatabase();
  const clock = manualClock(Date.UTC(2026, 10, 23));
  const done: string[] = [];
  const memory = memoryBlobs();
  const blobs: Blobs = {
    ...memory,
    list: () => {
      done.push("collecting blobs");
      return memory.list();
    },
  };

  const open = async () => {
    const sql = await postgresSql({ url, connect: postgres, connections: 4 });
    const plain = await sqlStore({ sql });
    const store: Store = {
      ...plain,
      commit: (changes, actor) => {
        for (const { kind } of changes) if (kind === "purge") done.push("purging");
        return plain.commit(changes, actor);
      },
    };
    const projectStore = await sqlProjectStore({ sql });
    await sqlDomainStore({ sql });
    const leases = sqlLeases({ sql });
    const takeTurn = turnsOf({
      ...leases,
      // However slow the test is, no turn ends during it.
      acquire: (name, ttlMs) => leases.acquire(name, ttlMs + HOUR_MS),
    });
    const shared = { store, clock, takeTurn };
    const petstore = createPetstore({ ...shared, encryptionKey: new Uint8Array(32) });
    const publishing = createPublishing({ ...shared, projectStore, blobs });
    return {
      tick: () => Promise.all([petstore.jobs.tick(), publishing.jobs.tick()]),
      close: () => store.close(),
    };
  };
  // One after the other: both create the tables.
  const nodes = [await open(), await open()];
  const round = async (): Promise<readonly string[]> => {
    clock.advance(HOUR_MS);
    await Promise.all(nodes.map(({ tick }) => tick()));
    return done.splice(0).toSorted((a, b) => a.localeCompare(b));
  };

  expect(await round()).toEqual(["collecting blobs", "purging"]);
  // The turns last by the clock of the database, in which no time passed, until the work is due again.
  expect(await round()).toEqual([]);
  await server.run("UPDATE leases SET expires_at = 0", new URL(url).pathname.slice(1));
  expect(await round()).toEqual(["collecting blobs", "purging"]);
  await Promise.all(nodes.map(({ close }) => close()));
});
