import { describe, expect, test } from "bun:test";
import { bodyReader, BODY_DEADLINE_MS, MAX_BODY_BYTES } from "../../../lib/http/body.ts";
import { DAY_MS, SECOND_MS } from "../../../lib/base/clock.ts";
import { createClosing } from "../../../lib/base/closing.ts";
import { manualClock } from "../../../testing/clock.ts";

const START = 1_795_000_000_000;

/** Returns a request whose body never arrives. */
function endless(): Request {
  return new Request("http://pets.test/v1/pets", { method: "POST", body: new ReadableStream() });
}

const open = createClosing();

test("a body that does not arrive is abandoned after its deadline", async () => {
  const clock = manualClock(START);
  const reading = bodyReader(clock, open).read(endless());
  clock.advance(BODY_DEADLINE_MS);
  expect(await reading).toMatchObject({ ok: false, failure: { code: "request_timeout" } });
});

test("setting the clock back does not extend a body's deadline", async () => {
  let now = START;
  const woken = Promise.withResolvers<void>();
  // Timers use a monotonic clock.
  const reading = bodyReader({ now: () => now, sleep: () => woken.promise }, open).read(endless());
  now -= DAY_MS;
  woken.resolve();
  expect(await reading).toMatchObject({ ok: false, failure: { code: "request_timeout" } });
});

test("a timer that never fires, as on workerd after its request ended, is replaced at the next body", async () => {
  const clock = manualClock(START);
  let lost = true;
  const sleep: typeof clock.sleep = (...args) =>
    lost ? new Promise(() => undefined) : clock.sleep(...args);
  const bodies = bodyReader({ now: () => clock.now(), sleep }, open);
  const first = bodies.read(endless());
  lost = false;
  clock.advance(3 * SECOND_MS);
  const second = bodies.read(endless());
  clock.advance(BODY_DEADLINE_MS);
  expect([await first, await second]).toMatchObject([
    { failure: { code: "request_timeout" } },
    { failure: { code: "request_timeout" } },
  ]);
});

describe("the rest of a body that is too large", () => {
  /** Returns a request with `count` chunks, or with endless ones that stop arriving after `count`. */
  function large(chunks: number, ends: boolean) {
    const chunk = new Uint8Array(MAX_BODY_BYTES);
    const ended = Promise.withResolvers<"closed" | "cancelled">();
    const never = Promise.withResolvers<void>();
    let sent = 0;
    const body = new ReadableStream<Uint8Array>(
      {
        pull: (controller) => {
          if (sent === chunks && !ends) return never.promise;
          if (sent === chunks) {
            controller.close();
            return ended.resolve("closed");
          }
          sent++;
          return controller.enqueue(chunk);
        },
        cancel: () => ended.resolve("cancelled"),
      },
      { highWaterMark: 0 },
    );
    const request = new Request("http://pets.test/v1/pets", { method: "POST", body });
    return { request, ended: ended.promise, sent: () => sent };
  }

  test("is read to its end, so that the client can reuse the connection", async () => {
    const clock = manualClock(START);
    const { request, ended, sent } = large(10, true);
    const refused = await bodyReader(clock, open).read(request);
    expect(refused).toMatchObject({ ok: false, failure: { code: "payload_too_large" } });
    expect([await ended, sent()]).toEqual(["closed", 10]);
  });

  test("is not read forever", async () => {
    const { request, ended, sent } = large(Number.POSITIVE_INFINITY, true);
    await bodyReader(manualClock(START), open).read(request);
    expect(await ended).toBe("cancelled");
    // Two chunks of 64 KiB exceed the limit; four more megabytes are discarded.
    expect(sent()).toBe(2 + 64 + 1);
  });

  test("is not awaited beyond the deadline", async () => {
    const clock = manualClock(START);
    const { request, ended } = large(3, false);
    await bodyReader(clock, open).read(request);
    clock.advance(BODY_DEADLINE_MS);
    expect(await ended).toBe("cancelled");
  });
});

describe("after closing", () => {
  test("no timers of read bodies remain", async () => {
    const clock = manualClock(START);
    const closing = createClosing();
    const body = new Request("http://pets.test/v1/pets", { method: "POST", body: "{}" });
    expect(await bodyReader(clock, closing).read(body)).toMatchObject({ ok: true });
    closing.close();
    expect(clock.sleeping).toBe(0);
  });

  test("a body that does not arrive is abandoned as before", async () => {
    const clock = manualClock(START);
    const closing = createClosing();
    const reading = bodyReader(clock, closing).read(endless());
    closing.close();
    await Promise.resolve();
    clock.advance(BODY_DEADLINE_MS);
    expect(await reading).toMatchObject({ ok: false, failure: { code: "request_timeout" } });
  });
});
