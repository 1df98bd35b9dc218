import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Glob } from "bun";

import { createCsr } from "../../../domains/acme/x509.ts";
import { challengeCertificate } from "../../../domains/acme/challenge-certificate.ts";
import { createHttpsClient } from "../../../domains/acme/https-client.ts";
import { createPrivateKeyPem } from "../../../domains/acme/keys.ts";
import { acmeAuthority } from "../../../domains/acme/acme-authority.ts";
import { inspectChain } from "../../../domains/acme/inspect.ts";
import { HOUR_MS } from "../../../lib/base/clock.ts";
import { systemRandom } from "../../../lib/base/id.ts";
import { manualClock } from "../../helpers/clock.ts";
import { problemReply, withMembers } from "../../helpers/fault-ca/rule.ts";
import { startFaultStand, type FaultStand } from "../../helpers/fault-ca/stand.ts";
import { failureOf } from "../../helpers/fault-ca/steps.ts";
import {
  challengeOf,
  granted,
  issue,
  noAbort,
  present,
  proveBy,
  settled,
} from "../../helpers/issuance.ts";
import { pebbleMissing } from "../../helpers/pebble.ts";

/** Known defects of the signing package elsewhere, which must not affect this program. */
describe.skipIf(pebbleMissing !== undefined)("known defects of acme-client", () => {
  let stand: FaultStand;
  beforeAll(async () => {
    stand = await startFaultStand();
  });
  afterAll(async () => stand?.[Symbol.asyncDispose]());

  test("A1: no nonce is sent twice, whatever fails", async () => {
    const { authority, account } = await stand.ready();
    const order = granted(await authority.newOrder(account, { names: ["a1.test"] }, noAbort));
    stand.ca.break(
      { match: "order", action: problemReply(429, "rateLimited") },
      { match: "order", action: problemReply(500, "serverInternal") },
      { match: "order", action: problemReply(400, "badNonce") },
      { match: "order", action: { do: "reset", when: "after" } },
      { match: "order", action: { do: "reset", when: "before" } },
    );
    for (let time = 0; time < 6; time++) await authority.order(account, order.url, noAbort);
    const nonces = stand.ca.requests.flatMap(({ nonce }) => nonce ?? []);
    expect(nonces.length).toBeGreaterThan(6);
    expect(new Set(nonces).size).toBe(nonces.length);
  });

  test("A2: a wait of 34 hours is reported at once", async () => {
    const clock = manualClock(Date.now());
    const { authority, account } = await stand.ready({ clock });
    const headers = { "retry-after": String(34 * 3600) };
    stand.ca.break({
      match: "newOrder",
      action: problemReply(429, "rateLimited", "later", { headers }),
    });
    const result = await authority.newOrder(account, { names: ["a2.test"] }, noAbort);
    const retryAt = clock.now() + 34 * HOUR_MS;
    expect(failureOf(result)).toMatchObject({ code: "rate_limited", retryAt });
    expect(stand.ca.requests.length).toBe(1);
  });

  test("A3: a silent CA is given up after 30 seconds", async () => {
    const clock = manualClock(Date.now());
    const { authority, account } = await stand.ready({ clock });
    stand.ca.break({ match: "newOrder", action: { do: "hang", in: "headers" } });
    const arrived = stand.ca.arrival("newOrder");
    const asking = authority.newOrder(account, { names: ["a3.test"] }, noAbort);
    await arrived;
    clock.advance(29_999);
    expect(await Promise.race([asking, "still waiting"])).toBe("still waiting");
    clock.advance(1);
    expect(failureOf(await asking)).toMatchObject({ code: "unavailable" });
  });

  test("A4: a closed port is reported in the network's words", async () => {
    const https = createHttpsClient({ clock: manualClock(0), userAgent: "petstore-tests" });
    const directoryUrl = "https://127.0.0.1:1/dir";
    const authority = acmeAuthority({ directoryUrl, https, clock: manualClock(0) });
    const result = await authority.directory(noAbort);
    expect(failureOf(result)).toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("ECONNREFUSED"),
    });
  });

  test("A5: a problem keeps its type, its status and the problems of each name", async () => {
    const { authority, account } = await stand.ready();
    const subproblems = [
      {
        type: "urn:ietf:params:acme:error:caa",
        detail: "CAA forbids it",
        identifier: { type: "dns", value: "a5.test" },
      },
    ];
    stand.ca.break({
      match: "newOrder",
      action: problemReply(403, "rejectedIdentifier", "not these", { subproblems }),
    });
    const result = await authority.newOrder(account, { names: ["a5.test"] }, noAbort);
    expect(failureOf(result)).toEqual({
      code: "name_refused",
      type: "rejectedIdentifier",
      status: 403,
      message: "not these",
      names: [{ name: "a5.test", code: "caa", type: "caa", message: "CAA forbids it" }],
    });
  });

  test("A6: a certificate takes at most 8 requests, at most one of them for a nonce", async () => {
    const { authority, account } = await stand.ready();
    const prove = proveBy("http-01", authority, account, stand.servers);
    await issue(authority, account, ["a6.test"], prove);
    const requested = stand.ca.requests.map(({ resource }) => resource);
    // This test polls without delay.
    const distinct = requested.filter((one, index) => one !== requested[index - 1]);
    expect(distinct.length).toBeLessThanOrEqual(8);
    expect(requested.filter((one) => one === "newNonce").length).toBeLessThanOrEqual(1);
  });

  test("A7: an ended order is reported as such, with the time of the next request", async () => {
    const { authority, account } = await stand.ready();
    const order = granted(await authority.newOrder(account, { names: ["a7.test"] }, noAbort));
    const [url = ""] = order.authorizationUrls;
    for (const status of ["deactivated", "expired", "revoked"] as const) {
      stand.ca.break({ match: "authorization", action: withMembers({ status }) });
      const authorization = granted(await authority.authorization(account, url, noAbort));
      expect(authorization.status).toBe(status);
    }
    stand.ca.break({
      match: "order",
      action: {
        do: "corrupt",
        change: (reply) => ({ ...reply, headers: { ...reply.headers, "retry-after": "7" } }),
      },
    });
    const before = Date.now();
    const { retryAt = 0 } = granted(await authority.order(account, order.url, noAbort));
    expect(retryAt).toBeWithin(before + 7_000, Date.now() + 7_001);
  });

  test("A8: a ready order is not treated as done", async () => {
    const { authority, account } = await stand.ready();
    const names = ["a8.test"] as const;
    const { url, authorizationUrls } = granted(
      await authority.newOrder(account, { names }, noAbort),
    );
    const [first = ""] = authorizationUrls;
    const authorization = granted(await authority.authorization(account, first, noAbort));
    await proveBy("http-01", authority, account, stand.servers)(authorization);
    const order = await settled(() => authority.order(account, url, noAbort), ["pending"]);
    expect(order.status).toBe("ready");
    expect(order).not.toHaveProperty("certificateUrl");
  });

  test("A9: a failed validation reports what the CA saw", async () => {
    const { authority, account } = await stand.ready();
    const order = granted(await authority.newOrder(account, { names: ["a9.test"] }, noAbort));
    const [url = ""] = order.authorizationUrls;
    const authorization = granted(await authority.authorization(account, url, noAbort));
    const challenge = challengeOf(authorization, "http-01");
    stand.servers.files.set(challenge.token, "something else");
    granted(await authority.respond(account, challenge, noAbort));
    const failed = await settled(() => authority.authorization(account, url, noAbort), ["pending"]);
    expect(failed).toMatchObject({
      status: "invalid",
      problem: { code: "wrong_answer", type: "unauthorized", message: expect.stringMatching(/\w/) },
    });
  });

  test("A10: nine refused nonces in a row are tolerated", async () => {
    const { authority, account } = await stand.ready();
    stand.ca.break({ match: "newOrder", times: 9, action: problemReply(400, "badNonce") });
    const order = granted(await authority.newOrder(account, { names: ["a10.test"] }, noAbort));
    expect(order.status).toBe("pending");
  });

  test("A11: finding an existing account does not change it", async () => {
    const { authority, account } = await stand.ready();
    const again = granted(await authority.createAccount({ key: account.key }, noAbort));
    expect(again.url).toBe(account.url);
    const requested = stand.ca.requests.map(({ resource }) => resource);
    expect(requested).toEqual(["newAccount"]);
  });

  test("A12: a challenge certificate has the key usage digitalSignature, and is valid for a while", async () => {
    const key = await createPrivateKeyPem();
    const now = Date.UTC(2026, 10, 21);
    const options = { privateKeyPem: key, now, random: systemRandom };
    const pem = await challengeCertificate("a12.test", "token.thumbprint", options);
    const facts = inspectChain(pem)?.certificates[0];
    expect(facts).toMatchObject({ names: ["a12.test"], authority: false });
    expect((facts?.notBefore ?? now) < now && now < (facts?.notAfter ?? now)).toBe(true);
    // keyUsage, critical: digitalSignature only.
    expect(derOf(pem)).toContain("0603551d0f0101ff040403020780");
  });

  test("A13: a signing request for an ECDSA key lacks keyEncipherment", async () => {
    const request = await createCsr(["a13.test"], await createPrivateKeyPem());
    const csr = Buffer.from(request).toString("hex");
    expect(csr).toContain("0603551d0f0101ff040403020780");
  });

  test("A14: responding to a challenge contacts only the CA", async () => {
    const { authority, account } = await stand.ready();
    const order = granted(await authority.newOrder(account, { names: ["a14.test"] }, noAbort));
    const [url = ""] = order.authorizationUrls;
    const authorization = granted(await authority.authorization(account, url, noAbort));
    const challenge = challengeOf(authorization, "http-01");
    await present(challenge, "a14.test", stand.servers);
    const { http } = stand.servers.looks;
    const { type, token } = challenge;
    const body = JSON.stringify({ type, token, url: challenge.url, status: "processing" });
    stand.ca.break({ match: "challenge", action: { do: "reply", reply: { body } } });
    const answered = granted(await authority.respond(account, challenge, noAbort));
    expect(answered.status).toBe("processing");
    expect(stand.servers.looks.http).toBe(http);
  });

  test("A15: challenges of unknown types are left out", async () => {
    const { authority, account } = await stand.ready();
    const order = granted(await authority.newOrder(account, { names: ["a15.test"] }, noAbort));
    expect(order.url).toStartWith("https://");
    const strange = { type: "carrier-pigeon-01", url: order.url, status: "pending", token: "x" };
    stand.ca.break({ match: "authorization", action: withMembers({ challenges: [strange] }) });
    const [url = ""] = order.authorizationUrls;
    const authorization = granted(await authority.authorization(account, url, noAbort));
    expect(authorization).toMatchObject({ status: "pending", challenges: [] });
  });

  test("A16: two clients in one process keep separate settings", async () => {
    const clients = ["first", "second"].map((userAgent) => {
      const { directoryUrl, listenerCertificate } = stand.ca;
      const clock = manualClock(Date.now());
      const https = createHttpsClient({ clock, userAgent, extraRoots: listenerCertificate });
      return acmeAuthority({ directoryUrl, https, clock });
    });
    stand.ca.clear();
    for (const client of clients) granted(await client.directory(noAbort));
    expect(stand.ca.requests.map(({ userAgent }) => userAgent)).toEqual(["first", "second"]);
  });

  test("A17: names are sent to the CA only in A-labels", async () => {
    const { authority, account } = await stand.ready();
    const ordering = authority.newOrder(account, { names: ["münchen.test"] }, noAbort);
    await expect(ordering).rejects.toBeInstanceOf(TypeError);
    expect(stand.ca.requests).toEqual([]);
    const prove = proveBy("http-01", authority, account, stand.servers);
    const { pem } = await issue(authority, account, ["xn--mnchen-3ya.test"], prove);
    expect(inspectChain(pem)?.certificates[0].names).toEqual(["xn--mnchen-3ya.test"]);
  });

  test("A18: the unmaintained package is imported in one file, on demand", async () => {
    const root = join(import.meta.dir, "../../../domains");
    const users: string[] = [];
    for await (const path of new Glob("**/*.ts").scan(root)) {
      if (/(from|import\() ?"acme-client/.test(await readFile(join(root, path), "utf8"))) {
        users.push(path);
      }
    }
    expect(users).toEqual(["acme/jose.ts"]);
    expect(await readFile(join(root, "acme/jose.ts"), "utf8")).not.toContain('from "acme-client"');
  });

  test("the certificate library is imported in one file, on demand", async () => {
    const root = join(import.meta.dir, "../../../domains");
    const users: string[] = [];
    for await (const path of new Glob("**/*.ts").scan(root)) {
      if ((await readFile(join(root, path), "utf8")).includes('"@peculiar/x509"')) users.push(path);
    }
    expect(users).toEqual(["acme/x509.ts"]);
    const text = await readFile(join(root, "acme/x509.ts"), "utf8");
    expect(text).not.toMatch(/^import (?!type).*"@peculiar/m);
  });

  test("A19: profile and replaced certificate are sent to the CA", async () => {
    const { authority, account } = await stand.ready();
    const request = { names: ["a19.test"], profile: "tlsserver", replaces: "aki.serial" } as const;
    granted(await authority.newOrder(account, request, noAbort));
    const [seen] = stand.ca.requests.filter(({ resource }) => resource === "newOrder");
    expect(seen?.payload).toEqual({
      identifiers: [{ type: "dns", value: "a19.test" }],
      profile: "tlsserver",
      replaces: "aki.serial",
    });
  });
});

function derOf(pem: string): string {
  return Buffer.from(pem.replaceAll(/-----[^-]+-----|\s/g, ""), "base64").toString("hex");
}
