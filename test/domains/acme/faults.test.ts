import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { MAX_REPLY_BYTES } from "../../../domains/acme/https-client.ts";
import { HOUR_MS, SECOND_MS } from "../../../lib/base/clock.ts";
import { brokenChains, unusualChains } from "../../helpers/broken-chains.ts";
import { manualClock } from "../../helpers/clock.ts";
import {
  problemReply,
  withMembers,
  withoutNonce,
  type Reply,
} from "../../helpers/fault-ca/rule.ts";
import { startFaultStand, type FaultStand } from "../../helpers/fault-ca/stand.ts";
import { failureOf, order, validOrder } from "../../helpers/fault-ca/steps.ts";
import { granted, noAbort } from "../../helpers/issuance.ts";
import { pebbleMissing } from "../../helpers/pebble.ts";

describe.skipIf(pebbleMissing !== undefined)("a faulty CA", () => {
  let stand: FaultStand;
  beforeAll(async () => {
    stand = await startFaultStand();
  });
  afterAll(async () => stand?.[Symbol.asyncDispose]());

  describe("a broken service", () => {
    for (const resource of [
      "newOrder",
      "order",
      "authorization",
      "finalize",
      "newNonce",
    ] as const) {
      test(`that is busy at ${resource} reports when to retry`, async () => {
        const now = Date.now();
        const ready = await stand.ready({ clock: manualClock(now) });
        const { authority, account } = ready;
        const made = granted(await order(ready, "busy.test"));
        const bad = problemReply(400, "badNonce");
        stand.ca.break(
          {
            match: "newOrder",
            times: resource === "newNonce" ? 1 : 0,
            action: withoutNonce(bad),
          },
          {
            match: resource,
            action: problemReply(503, "rateLimited", "busy", { headers: { "retry-after": "120" } }),
          },
        );
        const [url = ""] = made.authorizationUrls;
        const steps = {
          newOrder: () => order(ready),
          newNonce: () => order(ready),
          order: () => authority.order(account, made.url, noAbort),
          authorization: () => authority.authorization(account, url, noAbort),
          finalize: () => authority.finalize(account, made, new Uint8Array([0x30, 0]), noAbort),
        };
        expect(failureOf(await steps[resource]())).toMatchObject({
          code: "unavailable",
          status: 503,
          retryAt: now + 120 * SECOND_MS,
        });
      });
    }

    test("that responds with an HTML page is unavailable", async () => {
      const ready = await stand.ready();
      const page = { status: 502, body: "<html>Bad Gateway</html>", headers: {} };
      stand.ca.break({ match: "newOrder", action: { do: "reply", reply: page } });
      expect(failureOf(await order(ready))).toMatchObject({ code: "unavailable", status: 502 });
    });

    test("that returns malformed success responses is unavailable", async () => {
      const ready = await stand.ready();
      for (const body of ["", "[]", "{}", '{"status":"new"}', "not json", "null"]) {
        stand.ca.break({
          match: "newOrder",
          action: { do: "corrupt", change: (reply) => ({ ...reply, body }) },
        });
        expect(failureOf(await order(ready))).toMatchObject({ code: "unavailable" });
      }
    });

    test("that creates an order for different names is unavailable", async () => {
      const ready = await stand.ready();
      const identifiers = [{ type: "dns", value: "somebody.else.test" }];
      stand.ca.break({ match: "newOrder", action: withMembers({ identifiers }) });
      expect(failureOf(await order(ready))).toMatchObject({ code: "unavailable" });
    });

    test("that returns no certificate is unavailable", async () => {
      const ready = await stand.ready();
      const { authority, account } = ready;
      const { certificateUrl } = await validOrder(stand, ready, "page.test");
      stand.ca.break({
        match: "certificate",
        times: 2,
        action: { do: "corrupt", change: (reply) => ({ ...reply, body: "<html>" }) },
      });
      const result = await authority.download(account, certificateUrl, noAbort);
      expect(failureOf(result)).toMatchObject({ code: "unavailable" });
      expect((await authority.download(account, certificateUrl, noAbort)).ok).toBe(true);
    });

    test("that sends a damaged chain twice is refused, and one that sends it once is not", async () => {
      const ready = await stand.ready();
      const { authority, account } = ready;
      const { certificateUrl } = await validOrder(stand, ready, "damaged.test");
      const download = () => authority.download(account, certificateUrl, noAbort);
      const good = granted(await download());
      const sending = (times: number, change: (chain: string) => string) =>
        stand.ca.break({
          match: "certificate",
          times,
          action: { do: "corrupt", change: (reply) => ({ ...reply, body: change(reply.body) }) },
        });
      for (const { what, kind, broken } of brokenChains) {
        if (kind !== "damaged") continue;
        sending(2, (chain) => broken(chain, ""));
        const { code } = failureOf(await download()) ?? {};
        const isPem = broken(good, "").includes("-----BEGIN ");
        expect([what, code]).toEqual([what, isPem ? "certificate_unusable" : "unavailable"]);
        sending(1, (chain) => broken(chain, ""));
        expect([what, granted(await download())]).toEqual([what, good]);
      }
      for (const { what, broken } of unusualChains) {
        sending(1, (chain) => broken(chain, ""));
        expect([what, granted(await download())]).toEqual([what, good]);
      }
    });

    test("that processes an order for minutes reports when to poll", async () => {
      const now = Date.now();
      const ready = await stand.ready({ clock: manualClock(now) });
      const { authority, account } = ready;
      const made = granted(await order(ready));
      const slow = (reply: Reply): Reply => ({
        ...reply,
        headers: { ...reply.headers, "retry-after": "180" },
        body: JSON.stringify({ ...JSON.parse(reply.body), status: "processing" }),
      });
      stand.ca.break({ match: "order", action: { do: "corrupt", change: slow } });
      const read = granted(await authority.order(account, made.url, noAbort));
      expect(read).toMatchObject({ status: "processing", retryAt: now + 180 * SECOND_MS });
    });

    test("that redirects is not followed", async () => {
      const ready = await stand.ready();
      stand.ca.break({
        match: "newOrder",
        action: {
          do: "reply",
          reply: { status: 307, headers: { location: "https://127.0.0.1:1/elsewhere" } },
        },
      });
      expect(failureOf(await order(ready))).toMatchObject({
        code: "unavailable",
        message: expect.stringContaining("127.0.0.1:1"),
      });
    });

    test("gets a directory request once an hour", async () => {
      const clock = manualClock(Date.now());
      const ready = await stand.ready({ clock });
      const directoryRequests = () =>
        stand.ca.requests.filter(({ resource }) => resource === "directory").length;
      clock.advance(HOUR_MS - 1);
      granted(await ready.authority.directory(noAbort));
      expect(directoryRequests()).toBe(0);
      clock.advance(1);
      granted(await ready.authority.directory(noAbort));
      expect(directoryRequests()).toBe(1);
    });

    test("that sends without end is cut off", async () => {
      const ready = await stand.ready();
      const body = "x".repeat(MAX_REPLY_BYTES + 1);
      stand.ca.break({ match: "newOrder", action: { do: "reply", reply: { status: 201, body } } });
      expect(failureOf(await order(ready))).toMatchObject({
        code: "unavailable",
        message: "The response is too long.",
      });
    });
  });
});
