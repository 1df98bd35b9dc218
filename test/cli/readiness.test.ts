import { afterAll, describe, expect, test } from "bun:test";

import { openBunSqlite } from "../../adapters/sqlite-bun.ts";
import { createReadiness, watchWrites } from "../../server/readiness.ts";
import { sqliteSql } from "../../lib/sql/sqlite.ts";
import { sqlStore } from "../../lib/storage/sql-store.ts";
import { manualClock } from "../../lib/testing/clock.ts";
import { addShelter } from "../../lib/testing/shelter.ts";
import { silentLog } from "../../lib/base/log.ts";
import { rejection } from "../helpers/rejection.ts";
import { scratch } from "../helpers/sqlite.ts";

const { file, remove } = scratch();
afterAll(remove);

const SECOND = 1_000;

/** A server's database on a disk of its own, in pages: what SQLite may not use is as good as taken by others. */
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
    /** How many checks were made since this was last asked. */
    checks: () => texts.splice(0).filter((text) => text.includes("'probe', ?")).length,
    /** Leaves room for so many more pages. */
    leave: async (pages: number) =>
      void (await number(`max_page_count = ${(await number("page_count")) + pages}`)),
  };
}

describe("/readyz", () => {
  test("says no while writes fail, however often it is asked and whatever small write still fits", async () => {
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
    // At once, though what was known a moment ago was good.
    expect(await ready()).toBe("unavailable");
    for (let second = 0; second < 20; second++) {
      await clock.advance(SECOND);
      // What fits into a page that is there already.
      await store.commit([{ kind: "setting.init", name: `small ${second}`, value: "" }]);
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

  test("asks the disk once a second at most, and not at all while others write", async () => {
    const { store, clock, ready, checks } = await disk();
    const shelter = await addShelter(store, "acc_one");
    checks();
    for (let asked = 0; asked < 50; asked++) expect(await ready()).toBe("ready");
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
    const asked: (number | undefined)[] = [];
    let broken: Error | undefined = new Error("disk image is malformed");
    const store = {
      checkWritable: async (bytes?: number) => {
        asked.push(bytes);
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
    expect(asked).toEqual([0, 65_536, 0]);
  });
});
