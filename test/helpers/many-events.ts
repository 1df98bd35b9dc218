import type { ShowActor } from "../../lib/management/actor-views.ts";
import type { EventSource } from "../../lib/management/event-pages.ts";
import type { DomainEvent } from "../../lib/model/event.ts";
import { memoryStore } from "../../lib/storage/memory.ts";

/** Finds no names. */
export const unnamed: ShowActor = ({ kind }) => ({ kind });

/** Returns a store with `total` events of one type in its outbox, and a counter of the events read. */
export function withEvents(total: number): {
  readonly store: EventSource;
  readonly read: () => number;
} {
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
  return {
    store: { ...store, events: { ...store.events, after, last: () => total } },
    read: () => read,
  };
}
