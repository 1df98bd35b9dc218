import { describe, expect, test } from "bun:test";

import { DAY_MS, MINUTE_MS } from "../../../lib/base/clock.ts";
import {
  createPetstore,
  EventsMissing,
  StoreUnavailable,
  type EventFailure,
  type Log,
  type Store,
} from "../../../lib/index.ts";
import { memoryStore } from "../../../lib/storage/memory.ts";
import { system } from "../../../lib/model/actor.ts";
import { manualClock } from "../../helpers/clock.ts";
import { addPets, noting, openShelter, runFor } from "../../helpers/event-consumers.ts";
import { must } from "../../helpers/outcome.ts";
import { START } from "../../../testing/shelter.ts";

const open = () => openShelter(memoryStore());

test("a handler gets the data of a message to webhooks: instants are texts", async () => {
  const { petstore } = open();
  const { client, events, jobs } = petstore;
  const heard: unknown[] = [];
  events.on("pet.created", ({ seq, at, type, environment, actor, data }) => {
    heard.push([seq > 0, at, type, environment, actor, data.pet]);
  });
  events.on("account.created", ({ data, environment }) => {
    heard.push([data.account.createdAt, environment]);
  });
  must(await client.accounts.create({ name: "Otters", plan: "free" }));
  await addPets(petstore, "Rex");
  await jobs.tick();
  expect(heard).toEqual(
    expect.arrayContaining([
      ["2026-01-01T00:00:00.000Z", undefined],
      [
        ...[true, START, "pet.created", "production", { kind: "host" }],
        { id: 1, name: "Rex", categoryId: 1, status: "available" },
      ],
    ]),
  );
});

test("a handler gets the types that it names, those of a group, or all, and never those of the other environment", async () => {
  const store = memoryStore();
  const { petstore, clock } = openShelter(store);
  const staging = createPetstore({ store, clock, environment: "staging" });
  const heard: Record<string, string[]> = { two: [], group: [], all: [], staging: [] };
  petstore.events.on(["pet.deleted", "key.created"], ({ type }) => heard["two"]?.push(type));
  petstore.events.on("pet.*", ({ type }) => heard["group"]?.push(type));
  petstore.events.on("*", ({ type }) => heard["all"]?.push(type));
  staging.events.on("*", ({ type }) => heard["staging"]?.push(type));
  const { id } = must(await petstore.client.accounts.create({ name: "Otters" }));
  const { id: petId } = must(await petstore.client.pets.create({ name: "Rex", categoryId: 1 }));
  must(await petstore.client.pets.delete({ petId }));
  must(await petstore.client.keys.create({ accountId: id }));
  for (const one of [petstore, staging]) await one.jobs.tick();
  expect(heard["two"]).toEqual(["pet.deleted", "key.created"]);
  expect(heard["group"]).toEqual(["pet.created", "pet.deleted"]);
  expect(heard["all"]).toEqual([
    ...["account.created", "account.created", "pet.created", "pet.deleted", "key.created"],
  ]);
  expect(heard["staging"]).toEqual(["account.created", "account.created"]);
});

test("events of a deleted account reach no handler of the other environment", async () => {
  const store = memoryStore();
  const { petstore, clock } = openShelter(store);
  const staging = createPetstore({ store, clock, environment: "staging" });
  const { heard } = noting(petstore);
  const types: string[] = [];
  petstore.events.on("account.*", ({ type }) => void types.push(type));
  const accounts = petstore.client.accounts;
  const { id: accountId } = must(await accounts.create({ name: "Otters" }));
  const principal = { account: accountId, actor: { id: "user-1" } };
  const { status } = await staging.fetch(
    new Request("http://petstore.test/v1/pets", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ name: "Rex", categoryId: 1 }),
    }),
    { principal },
  );
  expect(status).toBe(201);
  must(await accounts.delete(accountId));
  await petstore.jobs.tick();
  expect(heard).toEqual([]);
  expect(types).toEqual(["account.created", "account.deleted"]);
});

test("a handler that fails gets the event again, later and later, and those after it wait", async () => {
  const lines: string[] = [];
  const log: Log = {
    debug() {},
    info: (message) => lines.push(message),
    warn: (message) => lines.push(message),
    error: (message) => lines.push(message),
  };
  const clock = manualClock(START);
  const petstore = createPetstore({ store: memoryStore(), clock, log });
  await petstore.client.accounts.default();
  const failures: EventFailure[] = [];
  const tries: number[] = [];
  let broken = true;
  const { heard } = noting(
    petstore,
    { onError: (_error, failure) => void failures.push(failure) },
    (name) => {
      if (name !== "Bo" || !broken) return;
      tries.push(clock.now() - START);
      throw new Error("not today");
    },
  );
  const others = noting(petstore);
  await addPets(petstore, "Ada", "Bo", "Cleo");
  const shelter = { petstore, clock, store: memoryStore() };
  await runFor(shelter, 20);
  expect(heard).toEqual(["Ada"]);
  expect(others.heard).toEqual(["Ada", "Bo", "Cleo"]);
  expect(tries).toEqual([0, 1_000, 3_000, 7_000, 15_000]);
  expect(
    failures.map(({ attempt, retryInMs, event }) => [attempt, retryInMs, event?.type]),
  ).toEqual([1, 2, 4, 8, 16].map((seconds, index) => [index + 1, seconds * 1_000, "pet.created"]));
  // The longest pause is five minutes.
  await runFor(shelter, 2_000);
  expect(failures.at(-1)?.retryInMs).toBe(5 * MINUTE_MS);
  broken = false;
  await runFor(shelter, 310);
  expect(heard).toEqual(["Ada", "Bo", "Cleo"]);
  expect(lines).toEqual([
    "delivering events failed and is retried",
    "delivering events works again",
  ]);
});

test("onError can skip an event, and its own failure changes nothing", async () => {
  const shelter = open();
  const { petstore } = shelter;
  let calls = 0;
  const { heard } = noting(
    petstore,
    {
      onError: async (_error, { attempt }) => {
        calls++;
        if (attempt === 1) throw new Error("onError failed too");
        return attempt === 3 ? "skip" : undefined;
      },
    },
    (name) => {
      if (name === "Bo") throw new Error("poison");
    },
  );
  await addPets(petstore, "Ada", "Bo", "Cleo");
  await runFor(shelter, 10);
  expect(heard).toEqual(["Ada", "Cleo"]);
  expect(calls).toBe(3);
});

test("a handler that never ends fails when its time is over, delays no other one, and a bounded number of calls hang", async () => {
  const shelter = open();
  const { petstore, clock } = shelter;
  const signals: AbortSignal[] = [];
  const errors: string[] = [];
  petstore.events.on(
    "pet.created",
    (_event, { signal }) => {
      signals.push(signal);
      return new Promise(() => undefined);
    },
    { timeoutMs: 2_000, onError: (error) => void errors.push(String(error)) },
  );
  const { heard } = noting(petstore);
  await addPets(petstore, "Ada", "Bo");
  petstore.jobs.start();
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 8; turn++) await Bun.sleep(0);
  };
  for (let step = 0; step < 12_000; step++) {
    clock.advance(500);
    if (step < 100 || step % 100 === 0) await settle();
  }
  expect(heard).toEqual(["Ada", "Bo"]);
  expect(errors[0]).toContain("has not ended within 2000 milliseconds");
  expect(signals).toHaveLength(10);
  expect(signals.every(({ aborted }) => aborted)).toBe(true);
  expect(errors.at(-1)).toContain("10 calls have not ended");
  await petstore.close();
});

test("handlers of different speeds do not wait for each other, and each gets all events in order", async () => {
  const { petstore } = open();
  const gates: (() => void)[] = [];
  const slow = noting(petstore, {}, () => new Promise<void>((resolve) => void gates.push(resolve)));
  const fast = noting(petstore);
  const names = ["Ada", "Bo", "Cleo", "Dot"];
  await addPets(petstore, ...names);
  const ticking = petstore.jobs.tick();
  while (fast.heard.length < names.length) await Bun.sleep(0);
  expect(fast.heard).toEqual(names);
  expect(slow.heard).toEqual([]);
  while (slow.heard.length < names.length) {
    gates.shift()?.();
    await Bun.sleep(0);
  }
  await ticking;
  expect(slow.heard).toEqual(names);
});

test("a handler that ends itself gets nothing more, and its position is kept", async () => {
  const store = memoryStore();
  const { petstore } = openShelter(store);
  const first = noting(petstore, { consumer: "once" }, () => first.off());
  await petstore.jobs.tick();
  await addPets(petstore, "Ada", "Bo");
  await petstore.jobs.tick();
  await petstore.jobs.tick();
  expect(first.heard).toEqual(["Ada"]);
  const second = noting(petstore, { consumer: "once" });
  await petstore.jobs.tick();
  expect(second.heard).toEqual(["Bo"]);
});

test("close waits for the handler that runs, keeps its position, and begins no other event", async () => {
  const store = memoryStore();
  const { petstore, clock } = openShelter(store);
  const gates: (() => void)[] = [];
  const first = noting(
    petstore,
    { consumer: "index" },
    () => new Promise<void>((resolve) => void gates.push(resolve)),
  );
  await petstore.jobs.tick();
  await addPets(petstore, "Ada", "Bo");
  petstore.jobs.start();
  while (gates.length === 0) await Bun.sleep(0);
  let closed = false;
  const closing = petstore.close().then(() => (closed = true));
  for (let turn = 0; turn < 5; turn++) await Bun.sleep(0);
  expect(closed).toBe(false);
  gates[0]?.();
  await closing;
  expect(first.heard).toEqual(["Ada"]);
  expect(gates).toHaveLength(1);
  // Another process begins at once, where this one ended.
  const next = openShelter(store, clock);
  const { heard } = noting(next.petstore, { consumer: "index" });
  await next.petstore.jobs.tick();
  expect(heard).toEqual(["Bo"]);
});

describe("from", () => {
  test.each([
    ["now", ["Cleo"]],
    ["start", ["Ada", "Bo", "Cleo"]],
    [2, ["Bo", "Cleo"]],
  ] as const)("%p", async (from, expected) => {
    const { petstore } = open();
    await addPets(petstore, "Ada", "Bo");
    const { heard } = noting(petstore, { from });
    await addPets(petstore, "Cleo");
    await petstore.jobs.tick();
    expect(heard).toEqual([...expected]);
  });

  test("is used only until a position is kept", async () => {
    const store = memoryStore();
    const clock = manualClock(START);
    await addPets(openShelter(store, clock).petstore, "Ada");
    for (const expected of [["Ada"], []]) {
      const { petstore } = openShelter(store, clock);
      const { heard } = noting(petstore, { from: "start", consumer: "index" });
      await petstore.jobs.tick();
      await petstore.close();
      expect(heard).toEqual(expected);
    }
  });
});

test("of several processes, one delivers the events of a consumer; another takes over when it is gone", async () => {
  const store = memoryStore();
  const here = openShelter(store);
  const there = openShelter(store, here.clock);
  const options = { consumer: "index", timeoutMs: 5_000 };
  let alive = true;
  const first = noting(here.petstore, options, () =>
    alive ? undefined : new Promise(() => undefined),
  );
  const second = noting(there.petstore, options);
  for (const one of [here, there]) await one.petstore.jobs.tick();
  await addPets(here.petstore, "Ada", "Bo");
  await Promise.all([here.petstore.jobs.tick(), there.petstore.jobs.tick()]);
  await Promise.all([here.petstore.jobs.tick(), there.petstore.jobs.tick()]);
  expect([...first.heard, ...second.heard]).toEqual(["Ada", "Bo"]);
  alive = false;
  await addPets(here.petstore, "Cleo");
  // It is killed while its handler runs.
  void here.petstore.jobs.tick();
  for (let turn = 0; turn < 5; turn++) await Bun.sleep(0);
  const before = second.heard.length;
  await there.petstore.jobs.tick();
  expect(second.heard).toHaveLength(before);
  for (let second = 0; second < 20; second++) {
    here.clock.advance(1_000);
    await there.petstore.jobs.tick();
  }
  expect(second.heard.at(-1)).toBe("Cleo");
});

test("a process whose turn ended while it was frozen does not move the position back", async () => {
  const store = memoryStore();
  const here = openShelter(store);
  const there = openShelter(store, here.clock);
  const options = { consumer: "index", timeoutMs: 1_000 };
  const gates: (() => void)[] = [];
  noting(here.petstore, options, (name) =>
    name === "Ada" ? new Promise<void>((go) => void gates.push(go)) : undefined,
  );
  const second = noting(there.petstore, options);
  await here.petstore.jobs.tick();
  await addPets(here.petstore, "Ada", "Bo");
  const frozen = here.petstore.jobs.tick();
  while (gates.length === 0) await Bun.sleep(0);
  const jumped = manualClock(here.clock.now() + MINUTE_MS);
  const later = openShelter(store, jumped);
  const third = noting(later.petstore, options);
  await later.petstore.jobs.tick();
  expect(third.heard).toEqual(["Ada", "Bo"]);
  gates[0]?.();
  await frozen;
  await addPets(here.petstore, "Cleo");
  await there.petstore.jobs.tick();
  expect(second.heard).toEqual(["Cleo"]);
});

test("a position of the host is loaded once, saved after each batch, and checked", async () => {
  const store = memoryStore();
  const { petstore } = openShelter(store);
  await addPets(petstore, "Ada");
  const saved: number[] = [];
  let loads = 0;
  const position = {
    load: async () => {
      loads++;
      return saved.at(-1);
    },
    save: async (seq: number) => void saved.push(seq),
  };
  const first = noting(petstore, { position, from: "start" });
  await petstore.jobs.tick();
  await petstore.jobs.tick();
  await addPets(petstore, "Bo", "Cleo");
  await petstore.jobs.tick();
  const last = await store.events.last();
  expect(saved).toEqual([0, last - 2, last]);
  expect(loads).toBe(1);
  first.off();
  const second = noting(petstore, { position });
  await addPets(petstore, "Dot");
  await petstore.jobs.tick();
  expect([first.heard, second.heard]).toEqual([["Ada", "Bo", "Cleo"], ["Dot"]]);
  const errors: unknown[] = [];
  const bad = { load: () => "7" as never, save: () => undefined };
  const third = noting(petstore, { position: bad, onError: (error) => void errors.push(error) });
  await petstore.jobs.tick();
  expect(third.heard).toEqual([]);
  expect(String(errors[0])).toContain("position.load() must return");
});

test("a position whose load never ends fails when its time is over, and close does not wait for ever", async () => {
  const { petstore, clock } = open();
  const errors: string[] = [];
  const { heard } = noting(petstore, {
    position: { load: () => new Promise(() => undefined), save: () => undefined },
    timeoutMs: 3_000,
    onError: (error) => void errors.push(String(error)),
  });
  await addPets(petstore, "Ada");
  petstore.jobs.start();
  while (clock.sleeping < 2) await Bun.sleep(0);
  const closing = petstore.close();
  clock.advance(3_000);
  await closing;
  expect(errors).toEqual(["Error: The call has not ended within 3000 milliseconds."]);
  expect(heard).toEqual([]);
});

test("a position that cannot be saved is saved later, and no event is lost", async () => {
  const shelter = open();
  const { petstore } = shelter;
  const saved: number[] = [];
  let full = false;
  const position = {
    load: () => undefined,
    save: (seq: number) => {
      if (full) throw new Error("full");
      saved.push(seq);
    },
  };
  const { heard } = noting(petstore, { position, from: "start" });
  await petstore.jobs.tick();
  full = true;
  await addPets(petstore, "Ada");
  await petstore.jobs.tick();
  full = false;
  await runFor(shelter, 12);
  expect(heard).toEqual(["Ada"]);
  expect(saved.at(-1)).toBe(await shelter.store.events.last());
});

describe("events that are missing", () => {
  const purged = async (through: number, store: Store): Promise<void> => {
    const limits = { deletedBefore: 0, adoptersBefore: 0, limit: 1_000, eventsThrough: through };
    await store.commit([{ kind: "purge", now: START, eventsBefore: 1e15, ...limits }], system);
  };

  test("are an error that is reported, and nothing is delivered, until the host takes note", async () => {
    const store = memoryStore();
    const clock = manualClock(START);
    const writer = openShelter(store, clock);
    const old = noting(writer.petstore, { consumer: "index", from: "start" });
    await addPets(writer.petstore, "Ada");
    await writer.petstore.jobs.tick();
    await writer.petstore.close();
    expect(old.heard).toEqual(["Ada"]);
    await addPets(writer.petstore, "Bo", "Cleo", "Dot");
    const last = await store.events.last();
    await purged(last - 1, store);

    const blocked = openShelter(store, clock);
    const errors: unknown[] = [];
    const onError = (error: unknown): void => void errors.push(error);
    const { heard } = noting(blocked.petstore, { consumer: "index", onError });
    await runFor(blocked, 5);
    await blocked.petstore.close();
    expect(heard).toEqual([]);
    expect(errors.length).toBeGreaterThan(1);
    expect(errors[0]).toBeInstanceOf(EventsMissing);
    expect(errors[0]).toMatchObject({ after: last - 3, oldest: last });

    const aware = openShelter(store, clock);
    const gaps: EventsMissing[] = [];
    const after = noting(aware.petstore, { consumer: "index", onGap: (gap) => gaps.push(gap) });
    await aware.petstore.jobs.tick();
    await addPets(aware.petstore, "Eve");
    await aware.petstore.jobs.tick();
    expect(gaps).toHaveLength(1);
    expect(after.heard).toEqual(["Dot", "Eve"]);
  });

  test("are not reported if the outbox is empty, or if all events before the next one were handled", async () => {
    const store = memoryStore();
    const shelter = openShelter(store);
    const { petstore } = shelter;
    const errors: unknown[] = [];
    const onError = (error: unknown): void => void errors.push(error);
    const kept = noting(petstore, { consumer: "index", from: "start", onError });
    await addPets(petstore, "Ada");
    await petstore.jobs.tick();
    await purged(1e9, store);
    const fresh = noting(petstore, { consumer: "fresh", onError });
    await petstore.jobs.tick();
    await petstore.close();
    const next = openShelter(store, shelter.clock);
    const later = noting(next.petstore, { consumer: "index", onError });
    await next.petstore.jobs.tick();
    await addPets(next.petstore, "Bo");
    for (const one of [shelter, next]) await one.petstore.jobs.tick();
    expect(errors).toEqual([]);
    expect(fresh.heard).toEqual(["Bo"]);
    expect([...kept.heard, ...later.heard]).toEqual(["Ada", "Bo"]);
  });

  test("a position beyond the last event is one of another database", async () => {
    const shelter = open();
    const { petstore } = shelter;
    await addPets(petstore, "Ada");
    const saved: number[] = [];
    const position = { load: () => 1_000, save: (seq: number) => void saved.push(seq) };
    const gaps: string[] = [];
    const { heard } = noting(petstore, {
      position,
      onGap: (gap) => gaps.push(gap.message),
    });
    await petstore.jobs.tick();
    expect(gaps).toHaveLength(1);
    expect(gaps[0]).toContain("another database");
    expect(heard).toEqual(["Ada"]);
    expect(saved.at(-1)).toBe(await shelter.store.events.last());
  });
});

test("after a failover that lost events, the events with their numbers are delivered", async () => {
  const clock = manualClock(START);
  // What the promoted server has: the same beginning, and another event under the number of a lost one.
  const [before, after] = [memoryStore(), memoryStore()];
  for (const store of [before, after])
    await addPets(openShelter(store, clock).petstore, "Ada", "Bo");
  await addPets(openShelter(before, clock).petstore, "Lost");
  clock.advance(1_000);
  await addPets(openShelter(after, clock).petstore, "New", "Newer");
  let current = before;
  let timeline = 1;
  const store: Store = {
    ...before,
    commit: (changes, actor) => current.commit(changes, actor),
    events: {
      after: (...asked) => current.events.after(...asked),
      before: (...asked) => current.events.before(...asked),
      recorded: (...asked) => current.events.recorded(...asked),
      last: () => current.events.last(),
    },
    settings: { get: (name) => current.settings.get(name) },
    feed: {
      after: (...asked) => current.feed.after(...asked),
      last: () => current.feed.last(),
      timeline: () => timeline,
    },
  };
  const { petstore } = openShelter(store, clock);
  const memory = noting(petstore, { from: "start" });
  const own: number[] = [];
  const host = noting(petstore, {
    from: "start",
    position: { load: () => own.at(-1), save: (seq) => void own.push(seq) },
  });
  const kept = noting(petstore, { from: "start", consumer: "index" });
  await petstore.jobs.tick();
  expect(kept.heard).toEqual(["Ada", "Bo", "Lost"]);
  current = after;
  timeline = 2;
  await petstore.jobs.tick();
  await petstore.jobs.tick();
  for (const { heard } of [memory, host, kept]) {
    expect(heard).toEqual(["Ada", "Bo", "Lost", "New", "Newer"]);
  }
});

test("a hundred thousand events are read in batches, with one saved position for each", async () => {
  const store = memoryStore();
  const clock = manualClock(START);
  await openShelter(store, clock).petstore.client.accounts.default();
  const total = 100_000;
  const catalogueId = (await store.catalogues.of("acc_default", "production"))?.id ?? 0;
  const event = (seq: number) => {
    const data = { pet: { id: seq, name: "Rex", categoryId: 1, status: "available" } };
    const about = { type: "pet.created", accountId: "acc_default", catalogueId } as const;
    return { seq, at: START, data, ...about };
  };
  let most = 0;
  let commits = 0;
  const many: Store = {
    ...store,
    commit: (changes, actor) => {
      commits++;
      return store.commit(changes, actor);
    },
    events: {
      ...store.events,
      after: (seq, limit) => {
        const count = Math.max(0, Math.min(limit, total - seq));
        most = Math.max(most, count);
        return Array.from({ length: count }, (_, index) => event(seq + index + 1));
      },
      recorded: () => [event(1)],
      last: () => total,
    },
  };
  const { petstore } = openShelter(many, clock);
  let handled = 0;
  petstore.events.on("pet.created", () => void handled++, { consumer: "index", from: "start" });
  await petstore.jobs.tick();
  expect(handled).toBe(total);
  expect(most).toBe(200);
  expect(commits).toBeLessThan((2 * total) / most + 10);
});

test("a tick ends after ten seconds, and the next one continues", async () => {
  const { petstore, clock } = open();
  const { heard } = noting(petstore, {}, () => clock.advance(4_000));
  const names = ["Ada", "Bo", "Cleo", "Dot", "Eve"];
  await addPets(petstore, ...names);
  await petstore.jobs.tick();
  expect(heard).toEqual(names.slice(0, 3));
  await petstore.jobs.tick();
  expect(heard).toEqual(names);
});

test("calls of tick that overlap do not keep each other from ending", async () => {
  const { petstore, clock } = open();
  const ticks: Promise<void>[] = [];
  const { heard } = noting(petstore, {}, () => {
    clock.advance(4_000);
    ticks.push(petstore.jobs.tick());
  });
  const names = ["Ada", "Bo", "Cleo", "Dot", "Eve", "Fay", "Gus", "Hal"];
  await addPets(petstore, ...names);
  await petstore.jobs.tick();
  expect(heard).toEqual(names.slice(0, 3));
  await Promise.all(ticks);
  for (let count = 0; count < 3; count++) await petstore.jobs.tick();
  await Promise.all(ticks);
  expect(heard).toEqual(names);
});

test("a database that does not answer is asked again, and no event is lost", async () => {
  const store = memoryStore();
  let down = false;
  const failing: Store = {
    ...store,
    events: {
      ...store.events,
      after: (...asked) => {
        if (down) throw new StoreUnavailable("gone");
        return store.events.after(...asked);
      },
    },
  };
  const shelter = openShelter(failing);
  const { petstore } = shelter;
  const { heard } = noting(petstore, { from: "start" });
  down = true;
  await addPets(petstore, "Ada");
  await runFor(shelter, 60);
  down = false;
  await runFor(shelter, 11);
  expect(heard).toEqual(["Ada"]);
});

test("a clock that is set back does not stop the delivery", async () => {
  const shelter = open();
  const { petstore, clock } = shelter;
  let broken = true;
  const { heard } = noting(petstore, { consumer: "index", from: "start" }, () => {
    if (broken) throw new Error("not yet");
  });
  await addPets(petstore, "Ada");
  await petstore.jobs.tick();
  broken = false;
  clock.set(START - 2 * DAY_MS);
  await petstore.jobs.tick();
  expect(heard).toEqual(["Ada"]);
});

describe("an invalid argument is a TypeError that names it:", () => {
  const { petstore } = open();
  const { events } = petstore;
  const nothing = (): void => undefined;
  test.each([
    [["pet.craeted"], 'events.on: "pet.craeted" is no type of event. Did you mean pet.created?'],
    [[["pet.created", "x"]], 'events.on: "x" is no type of event. Use a type, "pet.*" or "*".'],
    [[[]], "events.on takes at least one type of event."],
    [["*", "no function"], "events.on takes a function that handles an event."],
    [["*", nothing, { consumers: "a" }], "events.on: the option consumers does not exist."],
    [["*", nothing, { consumer: "a b" }], "events.on: the option consumer must be a name"],
    [["*", nothing, { position: { load: nothing } }], "the option position must be a position"],
    [
      ["*", nothing, { from: "end" }],
      'the option from must be the seq of an event, "now" or "start"',
    ],
    [["*", nothing, { timeoutMs: 0 }], "the option timeoutMs must be a number of milliseconds"],
    [["*", nothing, { onError: "skip" }], "the option onError must be a function"],
    [
      ["*", nothing, { consumer: "a", position: { load: nothing, save: nothing } }],
      "give either the option consumer or the option position",
    ],
  ] as const)("%j", ([selection, handler = nothing, options = {}], message) => {
    expect(() => events.on(selection as never, handler as never, options as never)).toThrow(
      message,
    );
  });

  test("two handlers of one consumer, and handlers without end", () => {
    const leave = events.on("*", nothing, { consumer: "index" });
    expect(() => events.on("*", nothing, { consumer: "index" })).toThrow(
      'events.on: the consumer "index" has a handler already.',
    );
    leave();
    const more = Array.from({ length: 1_000 }, () => events.on("*", nothing));
    expect(() => events.on("*", nothing)).toThrow("1000 handlers are registered");
    for (const off of more) off();
  });
});
