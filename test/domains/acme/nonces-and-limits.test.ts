import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { HOUR_MS, httpTime, MINUTE_MS, SECOND_MS } from "../../../lib/base/clock.ts";
import { manualClock } from "../../helpers/clock.ts";
import { problemReply, rateLimit, withoutNonce } from "../../helpers/fault-ca/rule.ts";
import { startFaultStand, type FaultStand } from "../../helpers/fault-ca/stand.ts";
import { failureOf, order } from "../../helpers/fault-ca/steps.ts";
import { pebbleMissing } from "../../helpers/pebble.ts";

describe.skipIf(pebbleMissing !== undefined)("a CA that wants patience", () => {
  let stand: FaultStand;
  beforeAll(async () => {
    stand = await startFaultStand();
  });
  afterAll(async () => stand?.[Symbol.asyncDispose]());

  describe("nonces", () => {
    for (let times = 1; times <= 9; times++) {
      test(`${times} refused in a row are replaced by fresh ones, unseen`, async () => {
        const ready = await stand.ready();
        stand.ca.break({ match: "newOrder", times, action: problemReply(400, "badNonce") });
        expect((await order(ready)).ok).toBe(true);
        const nonces = stand.ca.requests.map(({ nonce }) => nonce);
        expect(new Set(nonces).size).toBe(times + 1);
      });
    }

    test("refused without end, the CA does not work, and that is told", async () => {
      const ready = await stand.ready();
      stand.ca.break({ match: "newOrder", times: Infinity, action: problemReply(400, "badNonce") });
      expect(failureOf(await order(ready))).toMatchObject({ code: "unavailable" });
      expect(stand.ca.requests.length).toBe(11);
    });

    test("a refusal that brings no fresh one costs a request for it", async () => {
      const ready = await stand.ready();
      const bad = problemReply(400, "badNonce");
      stand.ca.break({ match: "newOrder", action: withoutNonce(bad) });
      expect((await order(ready)).ok).toBe(true);
      const asked = stand.ca.requests.map(({ resource }) => resource);
      expect(asked).toEqual(["newOrder", "newNonce", "newOrder"]);
    });

    test("one that cannot be had is a CA that cannot be reached", async () => {
      const ready = await stand.ready();
      const bad = problemReply(400, "badNonce");
      stand.ca.break(
        { match: "newOrder", action: withoutNonce(bad) },
        { match: "newNonce", action: { do: "reply", nonce: false, reply: { status: 204 } } },
      );
      expect(failureOf(await order(ready))).toMatchObject({ code: "unavailable" });
    });
  });

  describe("a spent limit", () => {
    const now = Date.UTC(2026, 10, 21, 12);
    const refusal = async (
      headers: Readonly<Record<string, string>>,
      detail = "too many",
      ours = now,
    ) => {
      const ready = await stand.ready({ clock: manualClock(ours) });
      const said = { date: httpTime(now), ...headers };
      stand.ca.break({
        match: "newOrder",
        action: problemReply(429, "rateLimited", detail, { headers: said }),
      });
      return failureOf(await order(ready));
    };

    test.each([13 * HOUR_MS, -13 * HOUR_MS])(
      "ends by our clock as late as by the CA's, though it is %d ms off",
      async (offMs) => {
        const ours = now + offMs;
        const date = await refusal({ "retry-after": httpTime(now + HOUR_MS) }, "", ours);
        expect(date).toMatchObject({ retryAt: ours + HOUR_MS });
        const inWords = await refusal({}, "retry after 2026-11-21 16:05:00 UTC", ours);
        expect(inWords).toMatchObject({ retryAt: ours + 4 * HOUR_MS + 5 * MINUTE_MS });
      },
    );

    test("is told with the instant, when the CA says seconds", async () => {
      const failure = await refusal({ "retry-after": "90" });
      expect(failure).toMatchObject({ code: "rate_limited", retryAt: now + 90 * SECOND_MS });
    });

    test("is told with the instant, when the CA says a date", async () => {
      const failure = await refusal({ "retry-after": httpTime(now + HOUR_MS) });
      expect(failure).toMatchObject({ code: "rate_limited", retryAt: now + HOUR_MS });
    });

    test("is told with the instant that stands in the words, when the header is missing", async () => {
      const failure = await refusal({}, "too many, retry after 2026-11-21 16:05:00 UTC: see docs");
      const retryAt = Date.UTC(2026, 10, 21, 16, 5);
      expect(failure).toMatchObject({ code: "rate_limited", retryAt });
    });

    test("is told without an instant, when the CA says none", async () => {
      const failure = await refusal({});
      expect(failure).toMatchObject({ code: "rate_limited" });
      expect(failure).not.toHaveProperty("retryAt");
    });

    test("is one of the names that it was for, and others go on", async () => {
      const ready = await stand.ready();
      stand.ca.break(rateLimit("newOrder", 2));
      const results = [await order(ready), await order(ready), await order(ready)];
      expect(results.map(({ ok }) => ok)).toEqual([true, true, false]);
      stand.ca.clear();
      expect((await order(ready)).ok).toBe(true);
    });

    test("is a pause with the page that ends it, where Let's Encrypt says so", async () => {
      const url = "https://portal.letsencrypt.org/sfe/v1/unpause?jwt=eyJ.abc-_.def";
      const failure = await refusal({}, `You are paused for faults.test. Please visit: ${url}.`);
      expect(failure).toMatchObject({ code: "paused", helpUrl: url });
    });
  });
});
