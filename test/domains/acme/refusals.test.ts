import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { createCsr } from "../../../domains/acme/x509.ts";
import { createPrivateKeyPem } from "../../../domains/acme/keys.ts";
import { problemReply, withMembers } from "../../helpers/fault-ca/rule.ts";
import { startFaultStand, type FaultStand } from "../../helpers/fault-ca/stand.ts";
import { failureOf, order, provenOrder } from "../../helpers/fault-ca/steps.ts";
import { granted, noAbort, proveBy } from "../../helpers/issuance.ts";
import { pebbleMissing } from "../../helpers/pebble.ts";

describe.skipIf(pebbleMissing !== undefined)("a CA that refuses", () => {
  let stand: FaultStand;
  beforeAll(async () => {
    stand = await startFaultStand();
  });
  afterAll(async () => stand?.[Symbol.asyncDispose]());

  describe("a refused request", () => {
    const refusals = [
      [400, "rejectedIdentifier", "name_refused"],
      [400, "unsupportedIdentifier", "name_refused"],
      [403, "userActionRequired", "terms_changed"],
      [403, "externalAccountRequired", "external_account_required"],
      [400, "accountDoesNotExist", "account_unknown"],
      [403, "unauthorized", "account_refused"],
      [400, "badPublicKey", "key_refused"],
      [400, "badSignatureAlgorithm", "key_refused"],
      [400, "invalidContact", "contact_refused"],
      [403, "caa", "caa"],
      [400, "invalidProfile", "profile_refused"],
      [409, "alreadyReplaced", "replaces_refused"],
      [400, "malformed", "bad_request"],
      [400, "dns", "dns"],
      [500, "serverInternal", "unavailable"],
    ] as const;
    for (const [status, type, code] of refusals) {
      test(`with ${type} is ${code}`, async () => {
        const ready = await stand.ready();
        stand.ca.break({ match: "newOrder", action: problemReply(status, type) });
        expect(failureOf(await order(ready))).toMatchObject({ code, type, status });
      });
    }

    test("because of new terms contains their URL", async () => {
      const ready = await stand.ready();
      const instance = "https://ca.test/terms/2027";
      stand.ca.break({
        match: "newOrder",
        action: problemReply(403, "userActionRequired", "read this", { instance }),
      });
      expect(failureOf(await order(ready))).toMatchObject({ helpUrl: instance });
    });

    test("for a new account with another account's key is key_refused", async () => {
      const { authority } = await stand.ready();
      const key = await createPrivateKeyPem();
      stand.ca.break({ match: "newAccount", action: problemReply(400, "badPublicKey") });
      const result = await authority.createAccount({ key }, noAbort);
      expect(failureOf(result)).toMatchObject({ code: "key_refused" });
    });

    test("because the CA lost the account is account_unknown, also when finding it", async () => {
      const { authority } = await stand.ready();
      const found = await authority.findAccount(await createPrivateKeyPem(), noAbort);
      expect(failureOf(found)).toMatchObject({ code: "account_unknown" });
    });

    test("with caa on finalizing contains the name", async () => {
      const ready = await stand.ready();
      const made = await provenOrder(stand, ready, "caa.test");
      const problem = { type: "urn:ietf:params:acme:error:caa", detail: "CAA record for caa.test" };
      const subproblems = [{ ...problem, identifier: { type: "dns", value: "caa.test" } }];
      stand.ca.break({
        match: "finalize",
        action: problemReply(403, "caa", "CAA forbids", { subproblems }),
      });
      const csr = await createCsr(["caa.test"], await createPrivateKeyPem());
      const { authority, account } = ready;
      expect(failureOf(await authority.finalize(account, made, csr, noAbort))).toMatchObject({
        code: "caa",
        names: [{ name: "caa.test", code: "caa", message: "CAA record for caa.test" }],
      });
    });

    test("without a proof is order_not_ready", async () => {
      const ready = await stand.ready();
      const { authority, account } = ready;
      const made = granted(await order(ready, "early.test"));
      const csr = await createCsr(["early.test"], await createPrivateKeyPem());
      const result = await authority.finalize(account, made, csr, noAbort);
      expect(failureOf(result)).toMatchObject({ code: "order_not_ready" });
    });
  });

  describe("a failed order or authorization", () => {
    const error = {
      type: "urn:ietf:params:acme:error:unauthorized",
      detail: "The web server said\u0000\u202e no\n<b>really</b>",
    };

    test("is invalid, with the CA's message made safe", async () => {
      const ready = await stand.ready();
      const made = granted(await order(ready));
      stand.ca.break({ match: "order", action: withMembers({ status: "invalid", error }) });
      const result = granted(await ready.authority.order(ready.account, made.url, noAbort));
      expect(result).toMatchObject({
        status: "invalid",
        problem: { code: "wrong_answer", message: "The web server said no <b>really</b>" },
      });
    });

    test("contains the problem of each name", async () => {
      const ready = await stand.ready();
      const made = granted(await order(ready));
      const subproblems = ["dns", "connection", "tls"].map((type) => ({
        type: `urn:ietf:params:acme:error:${type}`,
        detail: `no ${type}`,
        identifier: { type: "dns", value: `${type}.test` },
      }));
      const compound = {
        type: "urn:ietf:params:acme:error:compound",
        detail: "three",
        subproblems,
      };
      stand.ca.break({
        match: "order",
        action: withMembers({ status: "invalid", error: compound }),
      });
      const result = granted(await ready.authority.order(ready.account, made.url, noAbort));
      expect(result).toMatchObject({
        problem: {
          code: "dns",
          names: [
            { name: "dns.test", code: "dns" },
            { name: "connection.test", code: "connection" },
            { name: "tls.test", code: "tls" },
          ],
        },
      });
    });

    test("is invalid with a problem even if the CA names none", async () => {
      const ready = await stand.ready();
      const made = granted(await order(ready));
      stand.ca.break({ match: "order", action: withMembers({ status: "invalid" }) });
      const result = granted(await ready.authority.order(ready.account, made.url, noAbort));
      expect(result).toMatchObject({
        status: "invalid",
        problem: { code: "wrong_answer", names: [] },
      });
    });

    test("can be deactivated repeatedly", async () => {
      const { authority, account } = await stand.ready();
      const made = granted(await authority.newOrder(account, { names: ["up.test"] }, noAbort));
      const [url = ""] = made.authorizationUrls;
      granted(await authority.deactivate(account, url, noAbort));
      granted(await authority.deactivate(account, url, noAbort));
      const authorization = granted(await authority.authorization(account, url, noAbort));
      expect(authorization.status).toBe("deactivated");
    });

    test("that has ended counts as deactivated, unless the CA is down", async () => {
      const { authority, account } = await stand.ready();
      const made = granted(await authority.newOrder(account, { names: ["up.test"] }, noAbort));
      const [url = ""] = made.authorizationUrls;
      stand.ca.break(
        { match: "authorization", action: problemReply(400, "malformed") },
        { match: "authorization", action: problemReply(404, "malformed") },
        { match: "authorization", action: problemReply(503, "serverInternal") },
      );
      const give = () => authority.deactivate(account, url, noAbort);
      const given = [await give(), await give(), await give()];
      expect(given.map(({ ok }) => ok)).toEqual([true, true, false]);
    });

    test("a challenge that was responded to before is returned as it is", async () => {
      const ready = await stand.ready();
      const { authority, account } = ready;
      const made = granted(await order(ready, "twice.test"));
      const [url = ""] = made.authorizationUrls;
      const authorization = granted(await authority.authorization(account, url, noAbort));
      await proveBy("http-01", authority, account, stand.servers)(authorization);
      if (authorization.status !== "pending") throw new Error("it was proven before");
      const [challenge] = authorization.challenges.filter(({ type }) => type === "http-01");
      if (challenge === undefined) throw new Error("no http-01");
      const again = granted(await authority.respond(account, challenge, noAbort));
      expect(again.status).toBe("valid");
    });

    for (const token of ["short", "../".repeat(10), "x".repeat(257), `${"a".repeat(30)}\n`]) {
      test(`a challenge with the token ${JSON.stringify(token).slice(0, 20)} is ignored`, async () => {
        const ready = await stand.ready();
        const made = granted(await order(ready));
        const challenge = { type: "http-01", url: made.url, status: "pending", token };
        stand.ca.break({
          match: "authorization",
          action: withMembers({ challenges: [challenge] }),
        });
        const [url = ""] = made.authorizationUrls;
        const { authority, account } = ready;
        const result = granted(await authority.authorization(account, url, noAbort));
        expect(result).toMatchObject({ challenges: [] });
      });
    }
  });
});
