import { expect, test } from "bun:test";

import { bunSqliteStore } from "../../../adapters/sqlite/bun.ts";
import { memoryStore } from "../../../lib/storage/memory.ts";
import { sqlStore } from "../../../lib/storage/sql-store.ts";
import { chance } from "../../helpers/chance.ts";
import { manualClock } from "../../helpers/clock.ts";
import {
  addPets,
  killedConsumers,
  noting,
  openShelter,
  runFor,
} from "../../helpers/event-consumers.ts";
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

/** Lets processes handle the events of Ada, Bo and Cleo until one of them has handled the last. `act` may kill it. */
async function untilCleo(act: (name: string, process: number) => "die" | undefined) {
  const store = memoryStore();
  const clock = manualClock(0);
  await addPets(openShelter(store, clock).petstore, "Ada", "Bo", "Cleo");
  const heard: string[] = [];
  const reports: unknown[] = [];
  for (let process = 1; !heard.includes("Cleo"); process++) {
    expect(process).toBeLessThan(20);
    let isDead = false;
    const mortal: typeof store = {
      ...store,
      commit: async (...change) => {
        if (isDead) throw new Error("killed");
        return store.commit(...change);
      },
    };
    const shelter = openShelter(mortal, clock);
    const { off } = noting(
      shelter.petstore,
      {
        consumer: "index",
        from: "start",
        onError: (error, { attempt, event }) => {
          if (isDead) return undefined;
          reports.push([process, attempt, event?.seq, String(error)]);
          return attempt === 3 ? "skip" : undefined;
        },
      },
      (name) => {
        if (act(name, process) === "die") {
          isDead = true;
          throw new Error("killed");
        }
        heard.push(name);
      },
    );
    await runFor(shelter, 60);
    off();
  }
  const kept = await store.settings.get("events production index");
  return { heard, reports, kept: JSON.parse(kept ?? "") };
}

test("an event that kills its process is found, counted over processes, and skipped", async () => {
  const { heard, reports, kept } = await untilCleo((name) => (name === "Bo" ? "die" : undefined));
  // The first process does not say which event it was; the second keeps its position after Ada.
  expect(heard).toEqual(["Ada", "Ada", "Cleo"]);
  const error = "Error: A process ended while it handled this event.";
  const seq = kept.seq - 1;
  expect(reports).toEqual([
    [3, 1, seq, error],
    [4, 2, seq, error],
    [5, 3, seq, error],
  ]);
  expect(Object.keys(kept)).toEqual(["seq"]);
});

test("a process that is killed once, by something else, blames no event", async () => {
  const { heard, reports, kept } = await untilCleo((name, process) =>
    name === "Bo" && process === 1 ? "die" : undefined,
  );
  expect([heard, reports]).toEqual([["Ada", "Ada", "Bo", "Cleo"], []]);
  expect(Object.keys(kept)).toEqual(["seq"]);
});
