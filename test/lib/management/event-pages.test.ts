import { expect, test } from "bun:test";
import { eventPage } from "../../../lib/management/event-pages.ts";
import { withEvents } from "../../helpers/many-events.ts";

test("a page of rare events reads at most ten thousand, and returns where it stopped", async () => {
  const { sources, read } = withEvents(25_000);
  const page = await eventPage(sources, 0, { types: ["pet.deleted"], limit: 100 });
  expect(page).toEqual({ events: [], seq: 10_000, more: true });
  expect(read()).toBe(10_000);
});

test("a page without a type filter reads only the events it returns", async () => {
  const { sources, read } = withEvents(25_000);
  const page = await eventPage(sources, 3, { limit: 100 });
  expect([page.events.length, page.seq, page.more]).toEqual([100, 103, true]);
  expect(read()).toBe(100);
});

test("the last page is marked as the last", async () => {
  const { sources } = withEvents(7);
  const page = await eventPage(sources, 5, { limit: 100 });
  expect([page.events.length, page.seq, page.more]).toEqual([2, 7, false]);
});
