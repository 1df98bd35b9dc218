import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { inspectChain } from "../../../domains/acme/inspect.ts";
import { createPrivateKeyPem, keyFingerprint } from "../../../domains/acme/keys.ts";
import { faultOfChain } from "../../../domains/model/certificate.ts";
import { DAY_MS } from "../../../lib/base/clock.ts";
import { startChallengeServers, type ChallengeServers } from "../../helpers/challenge-servers.ts";
import {
  challengeOf,
  granted,
  issue,
  newAccount,
  noAbort,
  present,
  proveBy,
  settled,
} from "../../helpers/issuance.ts";
import { pebbleAuthority } from "../../helpers/pebble-authority.ts";
import {
  pebbleMissing,
  someExternalAccount,
  startPebble,
  type Pebble,
  type PebbleOptions,
} from "../../helpers/pebble.ts";

describe.skipIf(pebbleMissing !== undefined)(`Pebble (${pebbleMissing ?? "is here"})`, () => {
  let servers: ChallengeServers;
  beforeAll(async () => {
    servers = await startChallengeServers();
  });
  afterAll(async () => servers?.[Symbol.asyncDispose]());

  const start = (options: Omit<PebbleOptions, "httpPort" | "tlsPort"> = {}): Promise<Pebble> => {
    const { httpPort, tlsPort } = servers;
    return startPebble({ ...options, httpPort, tlsPort });
  };

  describe("that refuses a fifth of all nonces", () => {
    let pebble: Pebble;
    beforeAll(async () => {
      pebble = await start({ refusedNonces: 20, refusedNames: ["refused.test"] });
    });
    afterAll(async () => pebble?.[Symbol.asyncDispose]());

    for (const type of ["http-01", "tls-alpn-01"] as const) {
      test(`issues a valid certificate by ${type}`, async () => {
        const [authority, names] = [pebbleAuthority(pebble), [`pets.${type}.test`] as const];
        const account = await newAccount(authority);
        const prove = proveBy(type, authority, account, servers);
        const { pem, key } = await issue(authority, account, names, prove);
        const chain = inspectChain(pem);
        const expected = { names, publicKey: keyFingerprint(key), now: Date.now() };
        expect(chain && faultOfChain(chain, expected)).toBeUndefined();
        expect(chain?.certificates[0].names).toEqual([...names]);
      });
    }

    test("issues a wildcard certificate by dns-01", async () => {
      const authority = pebbleAuthority(pebble);
      const account = await newAccount(authority);
      const { pem } = await issue(authority, account, ["*.wild.test"], async (authorization) => {
        expect(authorization).toMatchObject({ name: "wild.test", wildcard: true });
        const challenge = challengeOf(authorization, "dns-01");
        await present(challenge, "wild.test", servers, pebble);
        granted(await authority.respond(account, challenge, noAbort));
        const ask = () => authority.authorization(account, authorization.url, noAbort);
        await settled(ask, ["pending"]);
      });
      expect(inspectChain(pem)?.certificates[0].names).toEqual(["*.wild.test"]);
    });

    test("issues fifty certificates concurrently to one client", async () => {
      const authority = pebbleAuthority(pebble);
      const account = await newAccount(authority);
      const prove = proveBy("http-01", authority, account, servers);
      const all = Array.from({ length: 50 }, (_, index) =>
        issue(authority, account, [`n${index}.many.test`], prove),
      );
      const names = (await Promise.all(all)).map(
        ({ pem }) => inspectChain(pem)?.certificates[0].names,
      );
      expect(names).toEqual(Array.from({ length: 50 }, (_, index) => [`n${index}.many.test`]));
    });

    // Other CAs have dedicated types for the last two.
    const wrongs = [
      ["a closed port", "http-01", "connection", "127.0.0.9"],
      ["a name without an address", "http-01", "connection", undefined],
      ["a TLS server without the certificate", "tls-alpn-01", "wrong_answer", "127.0.0.1"],
    ] as const;
    for (const [what, type, code, address] of wrongs) {
      test(`reports ${what} as ${code}`, async () => {
        const host = `${code.replace("_", "-")}-${address?.at(-1) ?? "none"}.test`;
        if (address === undefined) await pebble.dns("set-servfail", { host });
        else await pebble.dns("add-a", { host, addresses: [address] });
        const authority = pebbleAuthority(pebble);
        const account = await newAccount(authority);
        const order = granted(await authority.newOrder(account, { names: [host] }, noAbort));
        const [url = ""] = order.authorizationUrls;
        const ask = () => authority.authorization(account, url, noAbort);
        const challenge = challengeOf(granted(await ask()), type);
        granted(await authority.respond(account, challenge, noAbort));
        expect(await settled(ask, ["pending"])).toMatchObject({
          status: "invalid",
          problem: { code },
        });
        const after = granted(await authority.order(account, order.url, noAbort));
        expect(after).toMatchObject({ status: "invalid" });
      });
    }

    test("refuses a blocked name", async () => {
      const authority = pebbleAuthority(pebble);
      const account = await newAccount(authority);
      const refused = await authority.newOrder(account, { names: ["refused.test"] }, noAbort);
      expect(refused).toMatchObject({ ok: false, failure: { code: "name_refused" } });
    });

    test("revokes a certificate", async () => {
      const authority = pebbleAuthority(pebble);
      const account = await newAccount(authority);
      const prove = proveBy("http-01", authority, account, servers);
      const { pem } = await issue(authority, account, ["over.test"], prove);
      const serial = inspectChain(pem)?.certificates[0].serial ?? "";
      expect(await pebble.statusOf(serial)).toBe("Valid");
      granted(await authority.revoke(account, pem, "cessationOfOperation", noAbort));
      expect(await pebble.statusOf(serial)).toBe("Revoked");
      expect(await authority.revoke(account, pem, "unspecified", noAbort)).toMatchObject({
        ok: false,
        failure: { code: "already_revoked" },
      });
    });
  });

  test("that requires an external account accepts only its key", async () => {
    await using pebble = await start({ externalAccount: someExternalAccount });
    const authority = pebbleAuthority(pebble);
    expect(granted(await authority.directory(noAbort)).externalAccountRequired).toBe(true);
    const key = await createPrivateKeyPem();
    expect(await authority.createAccount({ key }, noAbort)).toMatchObject({
      ok: false,
      failure: { code: "external_account_required" },
    });
    const forged = {
      ...someExternalAccount,
      hmacKey: Buffer.from("forged".repeat(8)).toString("base64url"),
    };
    const wrong = await authority.createAccount({ key, externalAccount: forged }, noAbort);
    expect(wrong.ok).toBe(false);
    const externalAccount = someExternalAccount;
    const application = { key, externalAccount, email: "shelter@pets.example.com" };
    const account = granted(await authority.createAccount(application, noAbort));
    const prove = proveBy("http-01", authority, account, servers);
    const { order } = await issue(authority, account, ["bound.test"], prove);
    expect(order.status).toBe("valid");
  });

  test("that processes orders slowly issues the certificate eventually", async () => {
    await using pebble = await start({ sleepSeconds: 1 });
    const authority = pebbleAuthority(pebble);
    const account = await newAccount(authority);
    const prove = proveBy("tls-alpn-01", authority, account, servers);
    const { order } = await issue(authority, account, ["slow.test"], prove);
    expect(order.status).toBe("valid");
  });

  test("that has validated a name before requires no second proof", async () => {
    await using pebble = await start({ reusedAuthorizations: 100 });
    const authority = pebbleAuthority(pebble);
    const account = await newAccount(authority);
    const prove = proveBy("http-01", authority, account, servers);
    await issue(authority, account, ["known.test"], prove);
    const { http } = servers.looks;
    await issue(authority, account, ["known.test"], () => Promise.reject(new Error("asked again")));
    expect(servers.looks.http).toBe(http);
  });

  test("that has several roots returns the chain that it prefers", async () => {
    await using pebble = await start({
      alternateRoots: 2,
      chainLength: 2,
      validitySeconds: 45 * 86_400,
    });
    const authority = pebbleAuthority(pebble);
    const account = await newAccount(authority);
    const prove = proveBy("http-01", authority, account, servers);
    const { pem } = await issue(authority, account, ["chain.test"], prove);
    const chain = inspectChain(pem);
    const leaf = chain?.certificates[0];
    expect(((leaf?.notAfter ?? 0) - (leaf?.notBefore ?? 0)) / DAY_MS).toBeCloseTo(45, 1);
    const root = inspectChain(await pebble.root(0));
    expect(chain?.certificates.at(-1)?.issuer).toBe(root?.certificates[0].subject ?? "");
  });
});
