import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { HOUR_MS, httpTime, MINUTE_MS, SECOND_MS } from "../../../lib/base/clock.ts";
import { manualClock } from "../../helpers/clock.ts";
import { problemReply, rateLimit, withoutNonce } from "../../helpers/fault-ca/rule.ts";
import { startFaultStand, type FaultStand } from "../../helpers/fault-ca/stand.ts";
import { failureOf, order } from "../../helpers/fault-ca/steps.ts";
import { pebbleMissing } from "../../helpers/pebble.ts";

describe.skipIf(pebbleMissing !== undefined)("a CA with nonces and rate limits", () => {
  let stand: FaultStand;
  beforeAll(async () => {
    stand = await startFaultStand();
  });
  afterAll(async () => stand?.[Symbol.asyncDispose]());

  describe("nonces", () => {
    for (let times = 1; times <= 9; times++) {
      test(`refused ${times} times in a row are replaced transparently`, async () => {
        const ready = await stand.ready();
        stand.ca.break({ match: "newOrder", times, action: problemReply(400, "badNonce") });
        expect((await order(ready)).ok).toBe(true);
        const nonces = stand.ca.requests.map(({ nonce }) => nonce);
        expect(new Set(nonces).size).toBe(times + 1);
      });
    }

    test("refused endlessly are reported", async () => {
      const ready = await stand.ready();
      stand.ca.break({ match: "newOrder", times: Infinity, action: problemReply(400, "badNonce") });
      expect(failureOf(await order(ready))).toMatchObject({ code: "unavailable" });
      expect(stand.ca.requests.length).toBe(11);
    });

    test("missing from a refusal are requested", async () => {
      const ready = await stand.ready();
      const bad = problemReply(400, "badNonce");
      stand.ca.break({ match: "newOrder", action: withoutNonce(bad) });
      expect((await order(ready)).ok).toBe(true);
      const requested = stand.ca.requests.map(({ resource }) => resource);
      expect(requested).toEqual(["newOrder", "newNonce", "newOrder"]);
    });

    test("that cannot be requested make the CA unavailable", async () => {
      const ready = await stand.ready();
      const bad = problemReply(400, "badNonce");
      stand.ca.break(
        { match: "newOrder", action: withoutNonce(bad) },
        { match: "newNonce", action: { do: "reply", nonce: false, reply: { status: 204 } } },
      );
      expect(failureOf(await order(ready))).toMatchObject({ code: "unavailable" });
    });
  });

  describe("a rate limit", () => {
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
      "ends by our clock as late as by the CA's, although it is %d ms off",
      async (offMs) => {
        const ours = now + offMs;
        const date = await refusal({ "retry-after": httpTime(now + HOUR_MS) }, "", ours);
        expect(date).toMatchObject({ retryAt: ours + HOUR_MS });
        const inWords = await refusal({}, "retry after 2026-11-21 16:05:00 UTC", ours);
        expect(inWords).toMatchObject({ retryAt: ours + 4 * HOUR_MS + 5 * MINUTE_MS });
      },
    );

    test("is reported with its end from seconds", async () => {
      const failure = await refusal({ "retry-after": "90" });
      expect(failure).toMatchObject({ code: "rate_limited", retryAt: now + 90 * SECOND_MS });
    });

    test("is reported with its end from a date", async () => {
      const failure = await refusal({ "retry-after": httpTime(now + HOUR_MS) });
      expect(failure).toMatchObject({ code: "rate_limited", retryAt: now + HOUR_MS });
    });

    test("is reported with the end in the message if the header is missing", async () => {
      const failure = await refusal({}, "too many, retry after 2026-11-21 16:05:00 UTC: see docs");
      const retryAt = Date.UTC(2026, 10, 21, 16, 5);
      expect(failure).toMatchObject({ code: "rate_limited", retryAt });
    });

    test("is reported without an end if the CA names none", async () => {
      const failure = await refusal({});
      expect(failure).toMatchObject({ code: "rate_limited" });
      expect(failure).not.toHaveProperty("retryAt");
    });

    test("concerns its names, and other orders continue", async () => {
      const ready = await stand.ready();
      stand.ca.break(rateLimit("newOrder", 2));
      const results = [await order(ready), await order(ready), await order(ready)];
      expect(results.map(({ ok }) => ok)).toEqual([true, true, false]);
      stand.ca.clear();
      expect((await order(ready)).ok).toBe(true);
    });

    test("of Let's Encrypt may be a pause with a link to end it", async () => {
      const url = "https://portal.letsencrypt.org/sfe/v1/unpause?jwt=eyJ.abc-_.def";
      const failure = await refusal({}, `You are paused for faults.test. Please visit: ${url}.`);
      expect(failure).toMatchObject({ code: "paused", helpUrl: url });
    });
  });
});
