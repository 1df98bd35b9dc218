import { expect, test } from "bun:test";
import { systemClock } from "../../../lib/base/clock.ts";
import { tailEvents } from "../../../lib/management/tail-events.ts";
import { manualClock } from "../../../lib/testing/clock.ts";
import { withEvents } from "../../helpers/many-events.ts";

test("a stream of rare events yields to others while it reads the outbox", async () => {
  const { store, read } = withEvents(1_000_000);
  const clock = manualClock(0);
  const leaving = new AbortController();
  const tail = tailEvents(
    { store, clock, types: ["pet.deleted"], seq: 0, stillAllowed: () => true },
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
    { store, clock: systemClock, seq: 0, stillAllowed: () => true },
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
