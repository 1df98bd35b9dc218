import { expect, test } from "bun:test";

import { postgresStore } from "../../adapters/postgres/sql.ts";
import { chance } from "../helpers/chance.ts";
import { manualClock } from "../helpers/clock.ts";
import { addPets, noting, openShelter } from "../helpers/event-consumers.ts";
import { endureKills } from "../helpers/killed-consumers.ts";
import { drivers, startPostgres } from "../helpers/postgres.ts";
import { START } from "../../testing/shelter.ts";

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
