import { beforeAll, describe, expect, test } from "bun:test";

import { X509Certificate } from "node:crypto";
import { connect, createServer } from "node:tls";

import { createCsr } from "../../../domains/acme/x509.ts";
import { inspectChain } from "../../../domains/acme/inspect.ts";
import {
  internalAuthority,
  createInternalRoot,
  type InternalRoot,
} from "../../../domains/acme/internal-ca.ts";
import { createPrivateKeyPem } from "../../../domains/acme/keys.ts";
import { DAY_MS } from "../../../lib/base/clock.ts";
import { systemRandom } from "../../../lib/base/id.ts";
import { manualClock } from "../../helpers/clock.ts";
import { granted, issue, newAccount, noAbort } from "../../helpers/issuance.ts";

const now = Date.UTC(2026, 10, 21, 12);
let root: InternalRoot;
beforeAll(async () => {
  root = await createInternalRoot(now, systemRandom);
});

const open = (at = now) =>
  internalAuthority({ root, clock: manualClock(at), random: systemRandom });

const leafOf = (pem: string) => inspectChain(pem)?.certificates[0];

test("only clients that trust the root trust its certificates", async () => {
  // In real time, which handshakes use.
  const today = await createInternalRoot(Date.now(), systemRandom);
  const clock = manualClock(Date.now());
  const authority = internalAuthority({ root: today, clock, random: systemRandom });
  const { pem, key } = await issue(authority, await newAccount(authority), ["pets.home.arpa"]);
  const server = createServer({ cert: pem, key }, (socket) => socket.end()).listen(0, "127.0.0.1");
  server.on("tlsClientError", () => undefined);
  await new Promise((resolve) => server.once("listening", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const shake = (servername: string, ca?: string) =>
    new Promise<string>((resolve) => {
      const trust = ca === undefined ? {} : { ca };
      const socket = connect({ host: "127.0.0.1", port, servername, ...trust }, () => {
        resolve("trusted");
        socket.destroy();
      });
      socket.on("error", () => resolve("refused"));
    });
  expect(await shake("pets.home.arpa", today.certificate)).toBe("trusted");
  expect(await shake("other.home.arpa", today.certificate)).toBe("refused");
  expect(await shake("pets.home.arpa", root.certificate)).toBe("refused");
  expect(await shake("pets.home.arpa")).toBe("refused");
  server.close();
});

test("a certificate is valid for 30 days, from an hour before its creation", async () => {
  const { pem } = await issue(open(), await newAccount(open()), ["pets.test"]);
  const { notBefore = 0, notAfter = 0 } = leafOf(pem) ?? {};
  expect([notBefore - now, notAfter - now]).toEqual([-3_600_000, 30 * DAY_MS]);
});

test("no certificate outlives the root", async () => {
  const end = leafOf(root.certificate)?.notAfter ?? 0;
  const { pem } = await issue(open(end - DAY_MS), await newAccount(open()), ["pets.test"]);
  expect(leafOf(pem)?.notAfter).toBe(end);
});

test("roots have different names, and certificates different serial numbers", async () => {
  const other = await createInternalRoot(now, systemRandom);
  expect(leafOf(other.certificate)?.subject).not.toBe(leafOf(root.certificate)?.subject ?? "");
  const account = await newAccount(open());
  const [first, second] = [
    await issue(open(), account, ["pets.test"]),
    await issue(open(), account, ["pets.test"]),
  ];
  expect(leafOf(first.pem)?.serial).not.toBe(leafOf(second.pem)?.serial ?? "");
});

test("the root may sign leaf certificates only", () => {
  const certificate = new X509Certificate(root.certificate);
  expect(certificate.ca).toBe(true);
  // basicConstraints, critical: a CA with path length 0.
  expect(certificate.raw.toString("hex")).toContain("0603551d130101ff040830060101ff020100");
});

test("a CA without a root creates one, and issues all its certificates under it", async () => {
  const authority = internalAuthority({ clock: manualClock(now), random: systemRandom });
  const account = await newAccount(authority);
  const [one, two] = await Promise.all([
    issue(authority, account, ["one.test"]),
    issue(authority, account, ["two.test"]),
  ]);
  expect(leafOf(one.pem)?.issuer).toMatch(/^Petstore internal root [\da-f]{8}$/);
  expect(leafOf(two.pem)?.issuer).toBe(leafOf(one.pem)?.issuer ?? "");
});

test("a root that does not match its key is refused", async () => {
  const key = await createPrivateKeyPem();
  const make = () =>
    internalAuthority({
      root: { ...root, key },
      clock: manualClock(now),
      random: systemRandom,
    });
  expect(make).toThrow(TypeError);
});

describe("is refused:", () => {
  const order = async (names: readonly [string, ...string[]]) =>
    open().newOrder(await newAccount(open()), { names }, noAbort);

  test("an IP address, a name with a slash, and more than a hundred names", async () => {
    const many = Array.from({ length: 101 }, (_, index) => `n${index}.test`);
    const [first = "", ...rest] = many;
    for (const names of [["127.0.0.1"], ["a/../b"], ["A.test"], [first, ...rest]] as const) {
      expect(await order(names)).toMatchObject({ ok: false, failure: { code: "name_refused" } });
    }
  });

  test("a signing request for other names, one changed after signing, and random bytes", async () => {
    const account = await newAccount(open());
    const made = granted(await open().newOrder(account, { names: ["pets.test"] }, noAbort));
    const key = await createPrivateKeyPem();
    const other = await createCsr(["pots.test"], key);
    const changed = other.with(Buffer.from(other).indexOf("pots.test") + 1, "e".charCodeAt(0));
    expect(Buffer.from(changed).includes("pets.test")).toBe(true);
    for (const csr of [other, changed, new Uint8Array(), new Uint8Array(500).fill(0x30)]) {
      expect(await open().finalize(account, made, csr, noAbort)).toMatchObject({
        ok: false,
        failure: { code: "csr_refused" },
      });
    }
  });

  test("an order's URL in place of a certificate's", async () => {
    const account = await newAccount(open());
    const made = granted(await open().newOrder(account, { names: ["pets.test"] }, noAbort));
    const taken = await open().download(account, made.url, noAbort);
    expect(taken).toMatchObject({ ok: false, failure: { code: "order_gone" } });
  });
});
