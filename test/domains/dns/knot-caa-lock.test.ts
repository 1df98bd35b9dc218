import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { bunSqliteSql } from "../../../adapters/sqlite/bun.ts";
import { sqlDomainStore } from "../../../domains/storage/sql-domain-store.ts";
import { createAsk } from "../../../domains/dns/query.ts";
import { recursiveResolver } from "../../../domains/dns/resolver.ts";
import { takeSurvey } from "../../../domains/dns/survey.ts";
import { createAuthoritativeServers } from "../../../domains/dns/vantages.ts";
import { parseHostname } from "../../../domains/model/hostname.ts";
import { verify } from "../../../domains/model/verification.ts";
import { systemClock } from "../../../lib/base/clock.ts";
import { systemRandom } from "../../../lib/base/id.ts";
import { system } from "../../../lib/model/actor.ts";
import { sqlStore } from "../../../lib/storage/sql-store.ts";
import { ownHostsMayBeCertified } from "../../../server/checks/dns.ts";
import { targetsAreLocked } from "../../../server/checks/caa-lock.ts";
import type { Check, Subject } from "../../../server/checks/check.ts";
import { dataDirectory } from "../../../server/data/data-directory.ts";
import { openReader } from "../../../server/data/database.ts";
import { loadSettings } from "../../../settings/load.ts";
import { publicSuffixes } from "../../helpers/public-suffixes.ts";
import { internetMissing, startInternet, type Internet } from "../../helpers/internet.ts";

const CA = "https://127.0.0.1:1/directory";
const ACCOUNT = "https://acme.ca.example/Acct/1";
const METHODS = "validationmethods=http-01,tls-alpn-01";
const RIGHT = `ca.example; accounturi=${ACCOUNT}; ${METHODS}`;
const ZONE = "petstore.example";
const TARGET = `abc.cname.${ZONE}`;

describe.skipIf(internetMissing !== undefined)(`Knot (${internetMissing ?? "is here"})`, () => {
  let internet: Internet;
  let scratch: string;

  beforeAll(async () => {
    internet = await startInternet({
      [ZONE]: {
        lines: ["@ A 198.51.100.7", "staging A 198.51.100.7", "*.cname A 198.51.100.7"],
      },
      "shelter.org": {
        signed: true,
        lines: ['@ CAA 0 issue "other.example"', `pets CNAME ${TARGET}.`, "flat A 198.51.100.7"],
      },
      "apex.org": { lines: ['@ CAA 0 issue "other.example"', "@ A 198.51.100.7"] },
    });
    scratch = await mkdtemp(join(tmpdir(), "caa-lock-"));
  });
  afterAll(async () => {
    await internet?.[Symbol.asyncDispose]();
    await rm(scratch, { recursive: true, force: true });
  });

  /** Runs the check with a database in which the account exists, or not. */
  const examined = async (
    account: string | undefined,
    { successor, check = targetsAreLocked }: { successor?: string; check?: Check } = {},
  ) => {
    const flags = {
      "base-domain": ZONE,
      "listen-https": ":8443",
      "dns-servers": `${internet.resolver}:53`,
      "allow-private-networks": "true",
      "acme-caa-identity": "ca.example",
      acme: CA,
    };
    const { settings } = await loadSettings({ flags, environment: {} });
    const directory = dataDirectory(await mkdtemp(join(scratch, "data-")));
    const sql = await bunSqliteSql({ path: directory.database, clock: systemClock });
    const store = await sqlStore({ sql, clock: systemClock });
    const domains = await sqlDomainStore({ sql, clock: systemClock });
    if (account !== undefined) {
      const kept = { authority: CA, url: account, sealedKey: "sealed", createdAt: 0 };
      await domains.commit([{ kind: "account.save", account: kept }], system);
    }
    if (successor !== undefined && account !== undefined) {
      const next = { authority: CA, replaces: account, url: successor, sealedKey: "sealed" };
      const announced = { kind: "account.announce", successor: { ...next, createdAt: 0 } } as const;
      await domains.commit([announced], system);
    }
    await store.close();
    // The only members that this check reads.
    const subject = {
      ...{ settings, directory, runtime: { clock: systemClock, version: "0" } },
      signal: new AbortController().signal,
      database: () => openReader({ settings, directory }),
    } as unknown as Subject;
    return check(subject);
  };
  /** Replaces the CAA records of a name; Knot refuses to remove what does not exist. */
  const entered = new Set<string>();
  const enter = async (name: string, ...values: readonly string[]): Promise<void> => {
    const before = entered.has(name) ? [`unset ${name} CAA`] : [];
    const edits = values.map((value) => `set ${name} 5 CAA 0 issue "${value}"`);
    await internet.change(ZONE, ...before, ...edits);
    if (values.length > 0) entered.add(name);
    else entered.delete(name);
  };

  test("without a lock, doctor prints the record to enter, and the record makes the lock", async () => {
    const before = await examined(ACCOUNT);
    expect(before).toMatchObject({ status: "ok", code: "caa_lock_none" });
    const wanted = `*.cname.${ZONE}. CAA 0 issue "${RIGHT}"`;
    expect(before.message).toContain(`enter exactly: ${wanted}.`);
    // Copied from what doctor printed.
    const [, value = ""] = /issue "([^"]+)"\.$/.exec(before.message) ?? [];
    await enter("*.cname", value);
    expect(await examined(ACCOUNT)).toMatchObject({ status: "ok", code: "caa_lock_right" });
  });

  test("before the first order, doctor says that the account is not known yet", async () => {
    await enter("*.cname");
    const found = await examined(undefined);
    expect(found).toMatchObject({
      status: "ok",
      code: "caa_lock_none",
      facts: { complete: false },
    });
    expect(found.message).toContain("it lacks accounturi until the account is registered");
  });

  test.each<[what: string, value: string, fault: string]>([
    ["another account", RIGHT.replace("Acct/1", "Acct/2"), "other_account"],
    ["another CA", "other.example", "other_issuer"],
    [
      "a missing method",
      `ca.example; accounturi=${ACCOUNT}; validationmethods=http-01`,
      "missing_method",
    ],
    ["a scheme in capitals", RIGHT.replace("https:", "HTTPS:"), "letter_case"],
    ["a path in lower case", RIGHT.replace("Acct", "acct"), "letter_case"],
  ])("%s fails, with the exact record", async (_what, value, fault) => {
    await enter("*.cname", value);
    const found = await examined(ACCOUNT);
    expect(found).toMatchObject({
      status: "fail",
      code: "caa_lock_wrong",
      facts: { faults: [fault] },
    });
    expect(found.fix).toContain(`*.cname.${ZONE}. CAA 0 issue "${RIGHT}"`);
  });

  test("while an account is being replaced, both records are shown, and both are right", async () => {
    const successor = "https://acme.ca.example/Acct/2";
    const next = RIGHT.replace(ACCOUNT, successor);
    await enter("*.cname", RIGHT.replace("Acct/1", "Acct/9"));
    const wrong = await examined(ACCOUNT, { successor });
    expect(wrong).toMatchObject({ status: "fail" });
    for (const value of [RIGHT, next]) expect(wrong.fix).toContain(`CAA 0 issue "${value}"`);
    await enter("*.cname", RIGHT);
    const waiting = await examined(ACCOUNT, { successor });
    expect(waiting).toMatchObject({ status: "warn", code: "caa_lock_pending" });
    expect(waiting.fix).toContain(`beside the present one: *.cname.${ZONE}. CAA 0 issue "${next}"`);
    await enter("*.cname", RIGHT, next);
    const visible = await examined(ACCOUNT, { successor });
    expect(visible).toMatchObject({ status: "ok", code: "caa_lock_pending" });
    expect((await examined(ACCOUNT)).code).toBe("caa_lock_open");
  });

  test("the base domain locked to our account lets its hosts have certificates", async () => {
    await enter("@", RIGHT);
    const check = ownHostsMayBeCertified;
    expect((await examined(ACCOUNT, { check })).code).toBe("hosts_ready");
    const other = await examined("https://acme.ca.example/Acct/2", { check });
    expect(other).toMatchObject({ status: "warn", code: "hosts_blocked" });
    await enter("@");
  });

  test("records at a parent of the targets are no lock, as a CA does not climb from there", async () => {
    await enter("*.cname");
    await enter("@", RIGHT);
    expect(await examined(ACCOUNT)).toMatchObject({ status: "ok", code: "caa_lock_none" });
    await enter("@");
  });

  describe("below a zone whose CAA records forbid us", () => {
    /** Verifies a name from its zone's servers and a resolver, as an order does before it starts. */
    const verified = async (typed: string) => {
      const rules = { suffixes: publicSuffixes, ownDomains: [], allowPrivate: false };
      const parsed = parseHostname(typed, rules);
      if (!parsed.ok) throw new Error(parsed.failure.message);
      const { hostname, registrable } = parsed.value;
      const ask = createAsk({ clock: systemClock, random: systemRandom });
      const resolver = recursiveResolver(ask, { address: internet.resolver, port: 53 });
      const resolvers = [resolver] as const;
      const suffixes = () => publicSuffixes;
      const guide = { ask, clock: systemClock, resolvers, suffixes, allowPrivateNetworks: true };
      const survey = await takeSurvey(
        { hostname, target: TARGET, ownershipName: `_petstore.${hostname}` },
        {
          resolvers,
          authorities: createAuthoritativeServers(guide),
          clock: systemClock,
          random: systemRandom,
        },
      );
      const methods = ["http-01", "tls-alpn-01"];
      const caa = { identities: ["ca.example"], accountUri: ACCOUNT, methods };
      const { state, findings } = verify(survey, {
        registrable,
        edgeAddresses: [],
        ownership: { value: "petstore-domain=1", reasons: [] },
        issuers: [{ id: CA, caa }],
      });
      const forbids = findings.find(({ code }) => code === "caa_forbids");
      return { state, at: survey.caa.kind === "found" ? survey.caa.owner : undefined, forbids };
    };

    test("a CNAME to a locked target is allowed: the target's records win", async () => {
      await enter("*.cname", RIGHT);
      expect(await verified("pets.shelter.org")).toEqual({
        state: "verified",
        at: TARGET,
        forbids: undefined,
      });
    });

    test("a CNAME to a target without records is forbidden by the parent's", async () => {
      await enter("*.cname");
      const { state, at, forbids } = await verified("pets.shelter.org");
      expect({ state, at }).toEqual({ state: "blocked", at: "shelter.org" });
      expect(forbids?.fix).toContain("shelter.org");
    });

    test("a CNAME to a target locked to another account is the operator's to mend", async () => {
      await enter("*.cname", RIGHT.replace("Acct/1", "Acct/2"));
      const { state, forbids } = await verified("pets.shelter.org");
      expect(state).toBe("blocked");
      expect(forbids?.facts).toMatchObject({ at: TARGET, ours: true, reason: "other_account" });
      expect(forbids?.fix).toStartWith("Nothing to do at your DNS provider");
    });

    test.each(["flat.shelter.org", "apex.org"])(
      "addresses at %s get no protection and no permission from the target's records",
      async (name) => {
        await enter("*.cname", RIGHT);
        const { state, at } = await verified(name);
        expect({ state, at }).toEqual({
          state: "blocked",
          at: name === "apex.org" ? "apex.org" : "shelter.org",
        });
      },
    );
  });
});
