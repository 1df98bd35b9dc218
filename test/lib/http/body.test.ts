import { describe, expect, test } from "bun:test";
import { bodyReader, BODY_DEADLINE_MS } from "../../../lib/http/body.ts";
import { DAY_MS } from "../../../lib/base/clock.ts";
import { manualClock } from "../../../lib/testing/clock.ts";

const START = 1_795_000_000_000;

/** A request whose body never comes. */
function endless(): Request {
  return new Request("http://pets.test/v1/pets", { method: "POST", body: new ReadableStream() });
}

const open = new AbortController().signal;

test("a body that does not come is given up after its deadline", async () => {
  const clock = manualClock(START);
  const reading = bodyReader(clock, open).read(endless());
  clock.advance(BODY_DEADLINE_MS);
  expect(await reading).toMatchObject({ ok: false, failure: { code: "request_timeout" } });
});

test("a clock that is put back gives a body no more time", async () => {
  let now = START;
  const woken = Promise.withResolvers<void>();
  // Timers go by a clock of their own, which nobody puts back.
  const reading = bodyReader({ now: () => now, sleep: () => woken.promise }, open).read(endless());
  now -= DAY_MS;
  woken.resolve();
  expect(await reading).toMatchObject({ ok: false, failure: { code: "request_timeout" } });
});

describe("once it is closed", () => {
  test("no timer is left of the bodies that were read", async () => {
    const clock = manualClock(START);
    const closing = new AbortController();
    const body = new Request("http://pets.test/v1/pets", { method: "POST", body: "{}" });
    expect(await bodyReader(clock, closing.signal).read(body)).toMatchObject({ ok: true });
    closing.abort();
    expect(clock.sleeping).toBe(0);
  });

  test("a body that does not come is given up as before", async () => {
    const clock = manualClock(START);
    const closing = new AbortController();
    const reading = bodyReader(clock, closing.signal).read(endless());
    closing.abort();
    await Promise.resolve();
    clock.advance(BODY_DEADLINE_MS);
    expect(await reading).toMatchObject({ ok: false, failure: { code: "request_timeout" } });
  });
});
