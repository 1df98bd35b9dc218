import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { createServer } from "node:net";

import { createCsr } from "../../../domains/acme/csr.ts";
import { acmeAuthority } from "../../../domains/acme/acme-authority.ts";
import { httpsExchange, MAX_REPLY_BYTES } from "../../../domains/acme/exchange.ts";
import { createPrivateKeyPem } from "../../../domains/acme/keys.ts";
import type { Order } from "../../../domains/ports/authority.ts";
import { HOUR_MS, SECOND_MS } from "../../../lib/base/clock.ts";
import { manualClock } from "../../helpers/clock.ts";
import {
  problemReply,
  withMembers,
  withoutNonce,
  type Reply,
} from "../../helpers/fault-ca/rule.ts";
import { startFaultStand, type FaultStand, type Ready } from "../../helpers/fault-ca/stand.ts";
import { granted, issue, noAbort, proveBy, settled } from "../../helpers/issuance.ts";
import { pebbleMissing } from "../../helpers/pebble.ts";

describe.skipIf(pebbleMissing !== undefined)("a CA that has faults", () => {
  let stand: FaultStand;
  beforeAll(async () => {
    stand = await startFaultStand();
  });
  afterAll(async () => stand?.[Symbol.asyncDispose]());

  const failureOf = (result: { readonly ok: boolean }) =>
    "failure" in result ? result.failure : undefined;

  const order = ({ authority, account }: Ready, name = "faults.test") =>
    authority.newOrder(account, { names: [name] }, noAbort);

  /** An order whose names are proven. */
  const readyOrder = async ({ authority, account }: Ready, name: string): Promise<Order> => {
    const made = granted(await authority.newOrder(account, { names: [name] }, noAbort));
    const [url = ""] = made.authorizationUrls;
    const authorization = granted(await authority.authorization(account, url, noAbort));
    await proveBy("http-01", authority, account, stand.servers)(authorization);
    return settled(() => authority.order(account, made.url, noAbort), ["pending"]);
  };

  const validOrder = async (ready: Ready, name: string) => {
    const { authority, account } = ready;
    const prove = proveBy("http-01", authority, account, stand.servers);
    const { order: made } = await issue(authority, account, [name], prove);
    if (made.status !== "valid") throw new Error(`the order is ${made.status}`);
    return made;
  };

  describe("a broken service", () => {
    for (const resource of [
      "newOrder",
      "order",
      "authorization",
      "finalize",
      "newNonce",
    ] as const) {
      test(`that is busy at ${resource} says until when`, async () => {
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

    test("that answers with a page for people is unavailable, not a riddle", async () => {
      const ready = await stand.ready();
      const page = { status: 502, body: "<html>Bad Gateway</html>", headers: {} };
      stand.ca.break({ match: "newOrder", action: { do: "reply", reply: page } });
      expect(failureOf(await order(ready))).toMatchObject({ code: "unavailable", status: 502 });
    });

    test("that says yes with nonsense is unavailable", async () => {
      const ready = await stand.ready();
      for (const body of ["", "[]", "{}", '{"status":"new"}', "not json", "null"]) {
        stand.ca.break({
          match: "newOrder",
          action: { do: "corrupt", change: (reply) => ({ ...reply, body }) },
        });
        expect(failureOf(await order(ready))).toMatchObject({ code: "unavailable" });
      }
    });

    test("that makes an order for other names is not believed", async () => {
      const ready = await stand.ready();
      const identifiers = [{ type: "dns", value: "somebody.else.test" }];
      stand.ca.break({ match: "newOrder", action: withMembers({ identifiers }) });
      expect(failureOf(await order(ready))).toMatchObject({ code: "unavailable" });
    });

    test("that gives something else than a certificate is unavailable", async () => {
      const ready = await stand.ready();
      const { authority, account } = ready;
      const { certificateUrl } = await validOrder(ready, "page.test");
      stand.ca.break({
        match: "certificate",
        action: { do: "corrupt", change: (reply) => ({ ...reply, body: "<html>" }) },
      });
      const result = await authority.download(account, certificateUrl, noAbort);
      expect(failureOf(result)).toMatchObject({ code: "unavailable" });
      expect((await authority.download(account, certificateUrl, noAbort)).ok).toBe(true);
    });

    test("that works on an order for minutes says when to look again", async () => {
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
      const told = granted(await authority.order(account, made.url, noAbort));
      expect(told).toMatchObject({ status: "processing", retryAt: now + 180 * SECOND_MS });
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

    test("is asked for its directory again after an hour, and not before", async () => {
      const clock = manualClock(Date.now());
      const ready = await stand.ready({ clock });
      const asked = () =>
        stand.ca.requests.filter(({ resource }) => resource === "directory").length;
      clock.advance(HOUR_MS - 1);
      granted(await ready.authority.directory(noAbort));
      expect(asked()).toBe(0);
      clock.advance(1);
      granted(await ready.authority.directory(noAbort));
      expect(asked()).toBe(1);
    });

    test("that never stops talking is cut off", async () => {
      const ready = await stand.ready();
      const body = "x".repeat(MAX_REPLY_BYTES + 1);
      stand.ca.break({ match: "newOrder", action: { do: "reply", reply: { status: 201, body } } });
      expect(failureOf(await order(ready))).toMatchObject({
        code: "unavailable",
        message: "The answer is too long.",
      });
    });
  });

  describe("a broken connection", () => {
    test("before the CA saw the order is told, and the next try makes the first order", async () => {
      const ready = await stand.ready();
      stand.ca.break({ match: "newOrder", action: { do: "reset", when: "before" } });
      expect(failureOf(await order(ready))).toMatchObject({ code: "unavailable" });
      expect((await order(ready)).ok).toBe(true);
      expect(stand.ca.requests.filter(({ resource }) => resource === "newOrder").length).toBe(2);
    });

    test("after the CA made the order leaves one order that nobody knows, and no more", async () => {
      const ready = await stand.ready();
      stand.ca.break({ match: "newOrder", action: { do: "reset", when: "after" } });
      expect(failureOf(await order(ready))).toMatchObject({ code: "unavailable" });
      expect(stand.ca.requests.filter(({ resource }) => resource === "newOrder").length).toBe(1);
    });

    for (const when of ["before", "after"] as const) {
      test(`${when} the CA finalized: finalizing again ends with the certificate`, async () => {
        const ready = await stand.ready();
        const { authority, account } = ready;
        const name = `${when}.finalize.test`;
        const made = await readyOrder(ready, name);
        const csr = createCsr([name], await createPrivateKeyPem());
        stand.ca.break({ match: "finalize", action: { do: "reset", when } });
        const lost = await authority.finalize(account, made, csr, noAbort);
        expect(failureOf(lost)).toMatchObject({ code: "unavailable" });
        const again = granted(await authority.finalize(account, made, csr, noAbort));
        expect(again.status).toBeOneOf(["processing", "valid"]);
        const end = await settled(
          () => authority.order(account, made.url, noAbort),
          ["processing"],
        );
        expect(end.status).toBe("valid");
      });
    }

    test("that had been used before is made anew to read again, unseen", async () => {
      const ready = await stand.ready();
      const made = granted(await order(ready));
      stand.ca.break({ match: "order", action: { do: "reset", when: "before" } });
      expect((await ready.authority.order(ready.account, made.url, noAbort)).ok).toBe(true);
    });

    test("in the middle of an answer is told as such", async () => {
      const ready = await stand.ready();
      stand.ca.break({ match: "newOrder", action: { do: "drop-after", bytes: 10 } });
      expect(failureOf(await order(ready))).toMatchObject({ code: "unavailable" });
    });

    test("is kept for the requests of one certificate", async () => {
      const ready = await stand.ready();
      const before = stand.ca.connections();
      const prove = proveBy("http-01", ready.authority, ready.account, stand.servers);
      await issue(ready.authority, ready.account, ["kept.test"], prove);
      expect(stand.ca.connections() - before).toBeLessThanOrEqual(1);
    });

    test("is not used again after five idle seconds", async () => {
      const clock = manualClock(Date.now());
      const ready = await stand.ready({ clock });
      const before = stand.ca.connections();
      granted(await order(ready));
      expect(stand.ca.connections()).toBe(before);
      clock.advance(5_001);
      granted(await order(ready));
      expect(stand.ca.connections()).toBe(before + 1);
    });
  });

  describe("a CA that hangs", () => {
    test("in the connection costs 10 seconds", async () => {
      const accepted = Promise.withResolvers<void>();
      const mute = createServer((socket) => {
        socket.on("error", () => undefined);
        accepted.resolve();
      }).listen(0, "127.0.0.1");
      await new Promise((resolve) => mute.once("listening", resolve));
      const address = mute.address();
      const port = typeof address === "object" && address !== null ? address.port : 0;
      const clock = manualClock(Date.now());
      const authority = acmeAuthority({
        directoryUrl: `https://127.0.0.1:${port}/dir`,
        exchange: httpsExchange({ clock, userAgent: "petstore-tests" }),
        clock,
      });
      const asking = authority.directory(noAbort);
      await accepted.promise;
      clock.advance(9_999);
      expect(await Promise.race([asking, "still waiting"])).toBe("still waiting");
      clock.advance(1);
      expect(failureOf(await asking)).toMatchObject({ code: "unavailable" });
      mute.close();
    });

    test("in the body costs 30 seconds", async () => {
      const clock = manualClock(Date.now());
      const ready = await stand.ready({ clock });
      stand.ca.break({ match: "newOrder", action: { do: "hang", in: "body" } });
      const arrived = stand.ca.arrival("newOrder");
      const asking = order(ready);
      await arrived;
      clock.advance(30_000);
      expect(failureOf(await asking)).toMatchObject({ code: "unavailable" });
    });

    test("is left as soon as nobody waits for it any more", async () => {
      const ready = await stand.ready();
      stand.ca.break({ match: "newOrder", action: { do: "hang", in: "headers" } });
      const reason = new Error("removed");
      const leaving = new AbortController();
      const arrived = stand.ca.arrival("newOrder");
      const { authority, account } = ready;
      const asking = authority.newOrder(account, { names: ["left.test"] }, leaving.signal);
      await arrived;
      leaving.abort(reason);
      await expect(asking).rejects.toBe(reason);
    });

    test("and answers in the end is no fault", async () => {
      const ready = await stand.ready();
      const release = Promise.withResolvers<void>();
      stand.ca.break({ match: "newOrder", action: { do: "delay", until: release.promise } });
      const arrived = stand.ca.arrival("newOrder");
      const asking = order(ready);
      await arrived;
      release.resolve();
      expect((await asking).ok).toBe(true);
    });
  });
});
