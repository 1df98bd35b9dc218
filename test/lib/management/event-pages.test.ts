import { expect, test } from "bun:test";
import { eventPage } from "../../../lib/management/event-pages.ts";
import type { DomainEvent } from "../../../lib/model/event.ts";
import { memoryStore } from "../../../lib/storage/memory.ts";
import type { Store } from "../../../lib/storage/store.ts";

/** A store whose outbox holds so many events of one type. */
function withEvents(total: number): { readonly store: Store; readonly read: () => number } {
  const store = memoryStore();
  let read = 0;
  const event = (seq: number): DomainEvent => ({
    seq,
    type: "pet.created",
    accountId: "acc_one",
    at: 0,
    data: {},
  });
  const after = (seq: number, limit: number): readonly DomainEvent[] => {
    const count = Math.max(Math.min(limit, total - seq), 0);
    read += count;
    return Array.from({ length: count }, (_, index) => event(seq + index + 1));
  };
  return { store: { ...store, events: { ...store.events, after } }, read: () => read };
}

test("a page of rare events looks at no more than ten thousand, and says where it stopped", async () => {
  const { store, read } = withEvents(25_000);
  const page = await eventPage(store, 0, { types: ["pet.deleted"], limit: 100 });
  expect(page).toEqual({ events: [], seq: 10_000, more: true });
  expect(read()).toBe(10_000);
});

test("a page without types reads nothing that it does not tell", async () => {
  const { store, read } = withEvents(25_000);
  const page = await eventPage(store, 3, { limit: 100 });
  expect([page.events.length, page.seq, page.more]).toEqual([100, 103, true]);
  expect(read()).toBe(100);
});

test("the last page says that it is the last", async () => {
  const { store } = withEvents(7);
  const page = await eventPage(store, 5, { limit: 100 });
  expect([page.events.length, page.seq, page.more]).toEqual([2, 7, false]);
});
