import { expect, test } from "bun:test";
import { bodyReader, BODY_DEADLINE_MS } from "../../../lib/http/body.ts";
import { DAY_MS } from "../../../lib/base/clock.ts";
import { manualClock } from "../../../lib/testing/clock.ts";

const START = 1_795_000_000_000;

/** A request whose body never comes. */
function endless(): Request {
  return new Request("http://pets.test/v1/pets", { method: "POST", body: new ReadableStream() });
}

test("a body that does not come is given up after its deadline", async () => {
  const clock = manualClock(START);
  const reading = bodyReader(clock).read(endless());
  clock.advance(BODY_DEADLINE_MS);
  expect(await reading).toMatchObject({ ok: false, failure: { code: "request_timeout" } });
});

test("a clock that is put back gives a body no more time", async () => {
  let now = START;
  const woken = Promise.withResolvers<void>();
  // Timers go by a clock of their own, which nobody puts back.
  const reading = bodyReader({ now: () => now, sleep: () => woken.promise }).read(endless());
  now -= DAY_MS;
  woken.resolve();
  expect(await reading).toMatchObject({ ok: false, failure: { code: "request_timeout" } });
});
