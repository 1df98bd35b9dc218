import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { createServer } from "node:net";

import { acmeAuthority } from "../../../domains/acme/acme-authority.ts";
import { createCsr } from "../../../domains/acme/x509.ts";
import { createHttpsClient } from "../../../domains/acme/https-client.ts";
import { createPrivateKeyPem } from "../../../domains/acme/keys.ts";
import { manualClock } from "../../helpers/clock.ts";
import { startFaultStand, type FaultStand } from "../../helpers/fault-ca/stand.ts";
import { failureOf, order, provenOrder } from "../../helpers/fault-ca/steps.ts";
import { granted, issue, noAbort, proveBy, settled } from "../../helpers/issuance.ts";
import { pebbleMissing } from "../../helpers/pebble.ts";

describe.skipIf(pebbleMissing !== undefined)("the connection to a CA", () => {
  let stand: FaultStand;
  beforeAll(async () => {
    stand = await startFaultStand();
  });
  afterAll(async () => stand?.[Symbol.asyncDispose]());

  describe("a broken connection", () => {
    test("before the CA received the order is reported, and the next attempt creates the first order", async () => {
      const ready = await stand.ready();
      stand.ca.break({ match: "newOrder", action: { do: "reset", when: "before" } });
      expect(failureOf(await order(ready))).toMatchObject({ code: "unavailable" });
      expect((await order(ready)).ok).toBe(true);
      expect(stand.ca.requests.filter(({ resource }) => resource === "newOrder").length).toBe(2);
    });

    test("after the CA created the order leaves one unused order", async () => {
      const ready = await stand.ready();
      stand.ca.break({ match: "newOrder", action: { do: "reset", when: "after" } });
      expect(failureOf(await order(ready))).toMatchObject({ code: "unavailable" });
      expect(stand.ca.requests.filter(({ resource }) => resource === "newOrder").length).toBe(1);
    });

    for (const when of ["before", "after"] as const) {
      test(`${when} the CA finalized: finalizing again completes the order`, async () => {
        const ready = await stand.ready();
        const { authority, account } = ready;
        const name = `${when}.finalize.test`;
        const made = await provenOrder(stand, ready, name);
        const csr = await createCsr([name], await createPrivateKeyPem());
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

    test("that was reused is replaced transparently for a read", async () => {
      const ready = await stand.ready();
      const made = granted(await order(ready));
      stand.ca.break({ match: "order", action: { do: "reset", when: "before" } });
      expect((await ready.authority.order(ready.account, made.url, noAbort)).ok).toBe(true);
    });

    test("is refused to a server without a trusted certificate", async () => {
      stand.ca.clear();
      const clock = manualClock(Date.now());
      const { directoryUrl } = stand.ca;
      const https = createHttpsClient({ clock, userAgent: "petstore-tests" });
      const refused = await acmeAuthority({ directoryUrl, https, clock }).directory(noAbort);
      expect(failureOf(refused)).toMatchObject({ code: "unavailable" });
      expect(failureOf(refused)?.message).toMatch(/self.signed certificate/i);
      expect(stand.ca.requests).toEqual([]);
    });

    test("within a response is reported as such", async () => {
      const ready = await stand.ready();
      stand.ca.break({ match: "newOrder", action: { do: "drop-after", bytes: 10 } });
      expect(failureOf(await order(ready))).toMatchObject({ code: "unavailable" });
    });

    test("is reused for the requests of one certificate", async () => {
      const ready = await stand.ready();
      const before = stand.ca.connections();
      const prove = proveBy("http-01", ready.authority, ready.account, stand.servers);
      await issue(ready.authority, ready.account, ["kept.test"], prove);
      expect(stand.ca.connections() - before).toBeLessThanOrEqual(1);
    });

    test("is not reused after five idle seconds", async () => {
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
    test("while connecting is given up after 10 seconds", async () => {
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
        https: createHttpsClient({ clock, userAgent: "petstore-tests" }),
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

    test("within the body is given up after 30 seconds", async () => {
      const clock = manualClock(Date.now());
      const ready = await stand.ready({ clock });
      stand.ca.break({ match: "newOrder", action: { do: "hang", in: "body" } });
      const arrived = stand.ca.arrival("newOrder");
      const asking = order(ready);
      await arrived;
      clock.advance(30_000);
      expect(failureOf(await asking)).toMatchObject({ code: "unavailable" });
    });

    test("during a read is not asked a second time", async () => {
      const clock = manualClock(Date.now());
      const ready = await stand.ready({ clock });
      const made = granted(await order(ready));
      stand.ca.break({ match: "order", times: 2, action: { do: "hang", in: "headers" } });
      const arrived = stand.ca.arrival("order");
      const asking = ready.authority.order(ready.account, made.url, noAbort);
      await arrived;
      clock.advance(30_000);
      expect(failureOf(await asking)).toMatchObject({ code: "unavailable" });
      expect(stand.ca.requests.filter(({ resource }) => resource === "order").length).toBe(1);
    });

    test("is abandoned on abort", async () => {
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

    test("but responds eventually is not reported", async () => {
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
