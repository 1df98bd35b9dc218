import { describe, expect, test } from "bun:test";

import { system } from "../../lib/model/actor.ts";
import { openBunSqlite } from "../../adapters/sqlite/bun.ts";
import { createReadiness, watchWrites } from "../../server/process/readiness.ts";
import { sqliteSql } from "../../lib/sql/sqlite.ts";
import { sqlStore } from "../../lib/storage/sql-store.ts";
import { manualClock } from "../../testing/clock.ts";
import { addShelter } from "../../testing/shelter.ts";
import { silentLog } from "../../lib/base/log.ts";
import { rejection } from "../helpers/rejection.ts";
import { scratch } from "../helpers/sqlite.ts";

const file = scratch();

const SECOND = 1_000;

/** Opens a database whose size is limited in pages, which has the same effect as a full disk. */
async function disk() {
  const clock = manualClock(5_000_000);
  const database = openBunSqlite(file());
  const texts: string[] = [];
  const { sql, writes } = watchWrites(sqliteSql({ database, clock }), clock);
  const counted = {
    ...sql,
    batch: (...args: Parameters<typeof sql.batch>) => {
      const [steps] = args;
      if (typeof steps !== "function") texts.push(...steps.map(({ text }) => text));
      return sql.batch(...args);
    },
  };
  const store = await sqlStore({ sql: counted, clock });
  const lines: string[] = [];
  const log = { ...silentLog, error: (message: string) => void lines.push(message) };
  const ready = createReadiness({ store, writes, clock, log });
  const number = async (pragma: string): Promise<number> => {
    const [row] = await sql.query({ text: `PRAGMA ${pragma}`, values: [] });
    return Number(Object.values(row ?? {})[0]);
  };
  return {
    clock,
    store,
    ready,
    lines,
    /** Returns the number of checks since the previous call. */
    checks: () => texts.splice(0).filter((text) => text.includes("'probe', ?")).length,
    /** Leaves room for `pages` more pages. */
    leave: async (pages: number) =>
      void (await number(`max_page_count = ${(await number("page_count")) + pages}`)),
  };
}

describe("/readyz", () => {
  test("is unavailable while writes fail, even if small writes still succeed", async () => {
    const { store, clock, ready, leave, lines } = await disk();
    const shelter = await addShelter(store, "acc_one");
    expect(await ready()).toBe("ready");
    await leave(0);
    let added = 0;
    while (
      added < 500 &&
      (await shelter.addPet().then(
        () => true,
        () => false,
      ))
    )
      added++;
    expect(added).toBeLessThan(500);
    // Immediately, although the check a moment ago succeeded.
    expect(await ready()).toBe("unavailable");
    for (let second = 0; second < 20; second++) {
      await clock.advance(SECOND);
      // A row that fits into an existing page.
      await store.commit([{ kind: "setting.init", name: `small ${second}`, value: "" }], system);
      expect(await ready()).toBe("unavailable");
      expect(await ready()).toBe("unavailable");
    }
    expect(await rejection(shelter.addPet())).toBeInstanceOf(Error);
    expect(lines).toEqual(["the store does not accept writes"]);

    await leave(100);
    await clock.advance(SECOND);
    expect(await ready()).toBe("ready");
    await shelter.addPet();
    expect(await ready()).toBe("ready");
    await store.close();
  });

  test("checks the disk at most once a second, and not while other writes succeed", async () => {
    const { store, clock, ready, checks } = await disk();
    const shelter = await addShelter(store, "acc_one");
    checks();
    for (let call = 0; call < 50; call++) expect(await ready()).toBe("ready");
    expect(checks()).toBe(0);
    await clock.advance(SECOND);
    await Promise.all(Array.from({ length: 50 }, () => ready()));
    expect(checks()).toBe(1);
    for (let second = 0; second < 10; second++) {
      await clock.advance(SECOND);
      await shelter.addPet();
      await ready();
    }
    expect(checks()).toBe(0);
    await store.close();
  });

  test("is unavailable when its own check fails without other writes, and checks again a second later", async () => {
    const clock = manualClock(5_000_000);
    const checkedBytes: (number | undefined)[] = [];
    let broken: Error | undefined = new Error("disk image is malformed");
    const store = {
      checkWritable: async (bytes?: number) => {
        checkedBytes.push(bytes);
        if (broken !== undefined) throw broken;
      },
    };
    const writes = { failures: 0, succeededAt: undefined };
    const ready = createReadiness({ store, writes, clock, log: silentLog });
    expect(await ready()).toBe("unavailable");
    broken = undefined;
    expect(await ready()).toBe("unavailable");
    await clock.advance(SECOND);
    expect(await ready()).toBe("ready");
    await clock.advance(SECOND);
    expect(await ready()).toBe("ready");
    expect(checkedBytes).toEqual([0, 65_536, 0]);
  });
});
