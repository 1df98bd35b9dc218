import { expect, test } from "bun:test";

import { postgresStore } from "../../adapters/postgres/sql.ts";
import { chance } from "../helpers/chance.ts";
import { manualClock } from "../helpers/clock.ts";
import { addPets, noting, openShelter } from "../helpers/event-consumers.ts";
import { endureKills } from "../helpers/killed-consumers.ts";
import { drivers, startPostgres, synchronousStandby } from "../helpers/postgres.ts";
import { START } from "../../testing/shelter.ts";
import { longTest } from "../helpers/long.ts";

const connect = drivers["Bun.SQL"] ?? Object.values(drivers)[0]!;

test("kill -9 of processes that handle events loses none, and keeps their order (PostgreSQL)", async () => {
  await using server = await startPostgres();
  const place = await server.createDatabase();
  const store = await postgresStore({ url: place, connect });
  await endureKills({ store, kind: "postgres", place }, chance());
  await store.close();
});

test("two nodes that get writes at the same time divide the events of a consumer, and none is handled twice or never", async () => {
  await using server = await startPostgres();
  const url = await server.createDatabase();
  const clock = manualClock(START);
  const nodes = await Promise.all(
    [1, 2].map(async () => openShelter(await postgresStore({ url, connect }), clock)),
  );
  await nodes[0]?.petstore.client.accounts.default();
  const heard = nodes.map(
    ({ petstore }) => noting(petstore, { consumer: "index", from: "start" }).heard,
  );
  const names = nodes.map((_, node) =>
    Array.from({ length: 40 }, (_pet, index) => `Rex ${node} ${index}`),
  );
  let writing = true;
  const delivering = nodes.map(async ({ petstore }) => {
    for (let last = false; !last;) {
      last = !writing;
      await petstore.jobs.tick();
      // Slowly: a turn must not end while its node works.
      clock.advance(50);
    }
  });
  await Promise.all(
    nodes.flatMap(({ petstore }, node) =>
      (names[node] ?? []).map((name) => addPets(petstore, name)),
    ),
  );
  writing = false;
  await Promise.all(delivering);
  for (let round = 0; round < 4; round++) {
    for (const { petstore } of nodes) await petstore.jobs.tick();
    clock.advance(1_000);
  }
  expect(heard.flat().toSorted()).toEqual(names.flat().toSorted());
  for (const { store } of nodes) await store.close();
});

longTest("handlers get each event once across a failover", async () => {
  await using primary = await startPostgres();
  await using standby = await synchronousStandby(primary);
  const url = `postgres://postgres@127.0.0.1:${primary.port},127.0.0.1:${standby.port}/postgres`;
  const store = await postgresStore({ url, connect });
  const timelines = new Set([store.feed.timeline?.()]);
  const shelter = openShelter(store, manualClock(START));
  const { petstore, clock } = shelter;
  const kept = noting(petstore, { consumer: "index", from: "start" });
  const memory = noting(petstore, { from: "start" });
  await addPets(petstore, "Ada", "Bo");
  await petstore.jobs.tick();
  await primary.stop("SIGQUIT");
  await standby.run("SELECT pg_promote(true, 30)");
  for (let added = false; !added;) {
    added = await addPets(petstore, "Cleo").then(
      () => true,
      () => false,
    );
  }
  while (kept.heard.length < 3 || memory.heard.length < 3) {
    clock.advance(1_000);
    await petstore.jobs.tick();
  }
  timelines.add(store.feed.timeline?.());
  expect(timelines.size).toBe(2);
  expect([kept.heard, memory.heard]).toEqual([
    ["Ada", "Bo", "Cleo"],
    ["Ada", "Bo", "Cleo"],
  ]);
  await store.close();
});
