import { expect, test } from "bun:test";
import type { Role } from "../../../lib/accounts/principal.ts";
import { actorsShown } from "../../../lib/management/actor-views.ts";
import { eventPage, eventsShown } from "../../../lib/management/event-pages.ts";
import { withEvents } from "../../helpers/many-events.ts";

test("a page of rare events reads at most ten thousand, and returns where it stopped", async () => {
  const { store, read } = withEvents(25_000);
  const page = await eventPage(store, 0, { types: ["pet.deleted"], limit: 100 });
  expect(page).toEqual({ events: [], seq: 10_000, more: true });
  expect(read()).toBe(10_000);
});

test("a page without a type filter reads only the events it returns", async () => {
  const { store, read } = withEvents(25_000);
  const page = await eventPage(store, 3, { limit: 100 });
  expect([page.events.length, page.seq, page.more]).toEqual([100, 103, true]);
  expect(read()).toBe(100);
});

test("the last page is marked as the last", async () => {
  const { store } = withEvents(7);
  const page = await eventPage(store, 5, { limit: 100 });
  expect([page.events.length, page.seq, page.more]).toEqual([2, 7, false]);
});

test("a page looks up each actor once, and none for a viewer", async () => {
  const lookedUp: string[] = [];
  const showActor = actorsShown({
    store: { keys: { byId: () => undefined } as never },
    tokenStore: {
      byId: (id) => {
        lookedUp.push(id);
        return undefined;
      },
    },
    sessions: undefined,
    userName: undefined,
  });
  const events = ["one", "two", "one"].map((id, index) => ({
    ...({ seq: index + 1, type: "pet.created", accountId: "acc_one", at: 0, data: {} } as const),
    actor: { kind: "token", id } as const,
  }));
  const shownTo = (role: Role) => eventsShown(events, { role, accountId: "acc_one" }, showActor);
  expect((await shownTo("viewer")).map(({ actor }) => actor)).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect(lookedUp).toEqual([]);
  expect((await shownTo("staff")).map(({ actor }) => actor?.id)).toEqual(["one", "two", "one"]);
  expect(lookedUp).toEqual(["one", "two"]);
});
