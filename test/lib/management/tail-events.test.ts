import { expect, test } from "bun:test";
import { systemClock } from "../../../lib/base/clock.ts";
import { local } from "../../../lib/accounts/principal.ts";
import { createEventTail } from "../../../lib/management/event-tail.ts";
import { tailEvents } from "../../../lib/management/tail-events.ts";
import type { DomainEvent } from "../../../lib/model/event.ts";
import { memoryStore } from "../../../lib/storage/memory.ts";
import type { Store } from "../../../lib/storage/store.ts";
import { manualClock } from "../../../testing/clock.ts";
import { unnamed, withEvents } from "../../helpers/many-events.ts";

test("a stream of rare events yields to others while it reads the outbox", async () => {
  const { store, read } = withEvents(1_000_000);
  const clock = manualClock(0);
  const leaving = new AbortController();
  const tail = tailEvents(
    {
      tail: createEventTail(store, clock),
      showActor: unnamed,
      principal: local,
      clock,
      types: ["pet.deleted"],
      seq: 0,
      principalNow: () => local,
    },
    leaving.signal,
  );
  await tail.next();
  const next = tail.next();
  // A timer shows that others get a turn: only one page was read by then.
  await Bun.sleep(0);
  expect(read()).toBe(10_000);
  clock.advance(50);
  await Bun.sleep(0);
  expect(read()).toBe(20_000);
  leaving.abort();
  expect(await next).toEqual({ done: true, value: undefined });
});

test("a stream yields to others, however many events a fast reader has missed", async () => {
  const { store } = withEvents(1_000_000);
  const leaving = new AbortController();
  const tail = tailEvents(
    {
      tail: createEventTail(store, systemClock),
      showActor: unnamed,
      principal: local,
      clock: systemClock,
      seq: 0,
      principalNow: () => local,
    },
    leaving.signal,
  );
  let turn = false;
  let pages = 0;
  void Bun.sleep(0).then(() => {
    turn = true;
  });
  for (; !turn; pages++) expect((await tail.next()).done).toBe(false);
  expect(pages).toBeLessThan(10);
  leaving.abort();
});

test("a thousand streams read the store as often as one, and each gets its own events once", async () => {
  const clock = manualClock(0);
  const events: DomainEvent[] = [];
  let reads = 0;
  const kept = memoryStore();
  const store: Store = {
    ...kept,
    events: {
      ...kept.events,
      last: () => events.length,
      after: (seq, limit) => {
        reads++;
        return events.slice(seq, seq + limit);
      },
    },
  };
  const tail = createEventTail(store, clock);
  const write = (accountId: string): void => {
    events.push({ seq: events.length + 1, type: "pet.created", accountId, at: 0, data: {} });
  };
  write("acc_0");
  await tail.page(1, { limit: 1 });
  const readers = Array.from({ length: 1_000 }, (_, index) => ({
    accountId: `acc_${index % 10}`,
    seq: 1,
    seen: [] as number[],
  }));
  for (let turn = 0; turn < 20; turn++) {
    for (let index = 0; index < 10; index++) write(`acc_${index}`);
    clock.advance(250);
    await Promise.all(
      readers.map(async (reader) => {
        const page = await tail.page(reader.seq, { accountId: reader.accountId, limit: 100 });
        reader.seen.push(...page.events.map(({ seq }) => seq));
        reader.seq = page.seq;
      }),
    );
  }
  expect(reads).toBeLessThanOrEqual(20);
  clock.advance(250);
  for (const reader of readers) {
    const page = await tail.page(reader.seq, { accountId: reader.accountId, limit: 100 });
    reader.seen.push(...page.events.map(({ seq }) => seq));
    const own = events.filter(({ seq, accountId }) => seq > 1 && accountId === reader.accountId);
    expect(reader.seen).toEqual(own.map(({ seq }) => seq));
  }
});

test("a reader far behind is served by the store, and continues with the newest events", async () => {
  const { store } = withEvents(5_000);
  const clock = manualClock(0);
  const tail = createEventTail(store, clock);
  const seen: number[] = [];
  let seq = 10;
  while (seen.length < 4_990) {
    const page = await tail.page(seq, { limit: 100 });
    seen.push(...page.events.map((event) => event.seq));
    ({ seq } = page);
    clock.advance(250);
  }
  expect(seen).toEqual(Array.from({ length: 4_990 }, (_, index) => index + 11));
  expect(await tail.page(seq, { limit: 100 })).toEqual({ events: [], seq: 5_000, more: false });
});
