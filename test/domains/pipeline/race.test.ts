import { expect, test } from "bun:test";

import { system } from "../../../lib/model/actor.ts";
import { openBunSqlite } from "../../../adapters/sqlite/bun.ts";
import { statusOf } from "../../../domains/model/domain-state.ts";
import { sqlDomainStore } from "../../../domains/storage/sql-domain-store.ts";
import { sqlLeases } from "../../../domains/storage/sql-leases.ts";
import { sqliteSql } from "../../../lib/sql/sqlite.ts";
import { chance, runSeed, torture } from "../../helpers/chance.ts";
import { openWorld } from "../../helpers/domains/world.ts";
import { scratch } from "../../helpers/sqlite.ts";

const file = scratch();

const ROUNDS = torture ? 1_000 : 50;

test(`two processes that verify a name at once create one order, ${ROUNDS} times (seed ${runSeed})`, async () => {
  const random = chance();
  const path = file();
  const world = await openWorld(path);
  // The second process shares only the file, the clock and the CA.
  const sql = sqliteSql({
    database: openBunSqlite(path),
    defer: (callback) => setImmediate(callback),
    clock: world.clock,
  });
  const { clock, authority } = world;
  const pause = (): Promise<void> =>
    random.true(0.3) ? new Promise((resolve) => setImmediate(resolve)) : Promise.resolve();
  const verifier: NonNullable<Parameters<typeof world.pipeline>[0]>["verifier"] = async () => {
    await pause();
    return { state: "verified", blocking: [], leadsHere: true, details: null };
  };
  const here = world.pipeline({ verifier });
  const there = world.pipeline({
    verifier,
    store: await sqlDomainStore({ sql, clock }),
    leases: sqlLeases({ sql, clock }),
  });
  const signal = new AbortController().signal;
  try {
    for (let round = 1; round <= ROUNDS; round++) {
      const { id, name } = await world.add(round);
      const both = [here, there] as const;
      // A process that finds the lease taken sleeps, so time has to pass.
      const passing = setInterval(() => clock.advance(50), 1);
      await Promise.all(both.map((pipeline) => pipeline.verify(id, system, signal)));
      clearInterval(passing);
      for (let step = 0; step < 60; step++) {
        await Promise.all(
          both.map(async (pipeline) => {
            await pause();
            await pipeline.advance(id, signal);
          }),
        );
        const now = await world.domain(id);
        if (now.liveSince !== undefined) break;
        clock.advance(250);
      }
      expect(statusOf(await world.domain(id), clock.now())).toBe("live");
      expect(authority.orders.filter((order) => order.name === name)).toHaveLength(1);
      const issued = (await world.domains.timeline.of(id, 50)).filter(
        ({ kind }) => kind === "issued",
      );
      expect(issued).toHaveLength(1);
    }
    expect(authority.calls.filter((call) => call.startsWith("createAccount"))).toHaveLength(1);
  } finally {
    await sql.close();
    await world.close();
  }
}, 600_000);
