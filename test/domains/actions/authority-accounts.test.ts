import { describe, expect, test } from "bun:test";

import { system } from "../../../lib/model/actor.ts";
import { keyThumbprint } from "../../../domains/acme/keys.ts";
import { ownProblem } from "../../../domains/model/acme-problem.ts";
import { statusOf } from "../../../domains/model/domain-state.ts";
import {
  continueReplacement,
  replaceAccount,
} from "../../../domains/pipeline/account-replacement.ts";
import { accountWith, rollOver } from "../../../domains/pipeline/authority-account.ts";
import {
  continueReplacements,
  prepareAccounts,
} from "../../../domains/actions/authority-accounts.ts";
import type { AccountApplication } from "../../../domains/ports/authority.ts";
import type { AccountLock } from "../../../domains/ports/account-lock.ts";
import { silentLog } from "../../../lib/base/log.ts";
import type { DomainsContext } from "../../../domains/actions/context.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../lib/base/clock.ts";
import { fakeAuthority, lostAnswer } from "../../helpers/domains/fake-authority.ts";
import { openActions } from "../../helpers/domains/actions-fixture.ts";
import { START } from "../../helpers/domains/rows.ts";
import { drive, openWorld, type World } from "../../helpers/domains/world.ts";

const signal = new AbortController().signal;
const CA = "https://ca.test/directory";

const ONE = "https://ca.test/account/1";
const TWO = "https://ca.test/account/2";
const TTL_SECONDS = 3_600;

/** The accounts that the name servers allow; undefined: none is named. `silent`: they do not answer. */
type Zone = { allowed: readonly string[] | undefined; silent: boolean };

function lockIn(zone: Zone): AccountLock {
  return {
    recordFor: async (_authority, url) => `*.cname.test. CAA 0 issue "ca.test; accounturi=${url}"`,
    permits: async (_authority, url) => {
      if (zone.silent) return { kind: "unknown" };
      const { allowed } = zone;
      if (allowed === undefined) return { kind: "allowed", byName: false, ttlSeconds: 0 };
      if (!allowed.includes(url)) return { kind: "forbidden" };
      return { kind: "allowed", byName: true, ttlSeconds: TTL_SECONDS };
    },
  };
}

/** The actions with a pipeline over the same store and CA. */
async function open() {
  const world = await openWorld();
  const zone: Zone = { allowed: undefined, silent: false };
  const { clock, leases, seal, authority, domains: store } = world;
  const accounts: DomainsContext["accounts"] = {
    authorities: [authority],
    store,
    actor: system,
    leases,
    seal,
    clock: world.time(),
    application: { externalAccount: { keyId: "shelter-1", hmacKey: "c2VjcmV0" } },
    lock: lockIn(zone),
  };
  const fixture = await openActions({ clock, store: () => store, accounts });
  const proceed = () => continueReplacements(fixture.context, silentLog);
  return { world, accounts, zone, proceed, domains: fixture.domains };
}

function valueOf<Value>(result: { readonly ok: true; readonly value: Value } | { ok: false }) {
  if (!result.ok) throw new Error("refused");
  return result.value;
}

/** Returns the context of a process that crashes at its `commits`-th commit: before or right after it is written. */
function dyingAt<Accounts extends DomainsContext["accounts"]>(
  accounts: Accounts,
  commits: number,
  when: "before" | "after",
): Accounts {
  let made = 0;
  const commit: Accounts["store"]["commit"] = async (changes, actor, under) => {
    if (++made < commits) return accounts.store.commit(changes, actor, under);
    if (when === "after") await accounts.store.commit(changes, actor, under);
    throw new Error("died");
  };
  return { ...accounts, store: { ...accounts.store, commit } };
}

async function keyOf({ domains, seal }: World): Promise<string> {
  const kept = await domains.accounts.of(CA);
  return seal.open(kept?.sealedKey ?? "", `account ${CA}`);
}

describe("the account", () => {
  test("is shown before it exists", async () => {
    const { domains } = await open();
    expect(await domains.authorityAccounts()).toMatchObject([
      { authority: CA, url: null, status: "none", thumbprint: null, createdAt: null, fix: null },
    ]);
  });

  test("is shown with its state at the CA", async () => {
    const { world, accounts, domains } = await open();
    await accountWith(accounts, world.authority, signal);
    expect(await domains.authorityAccounts()).toEqual([
      {
        authority: CA,
        url: "https://ca.test/account/1",
        caaRecord: `*.cname.test. CAA 0 issue "ca.test; accounturi=${ONE}"`,
        status: "valid",
        problem: null,
        fix: null,
        contact: ["mailto:admin@ca.test"],
        externalAccountKeyId: "shelter-1",
        thumbprint: keyThumbprint(await keyOf(world)),
        termsOfServiceUrl: null,
        createdAt: START,
        replaced: [],
        successor: null,
      },
    ]);
  });

  test.each([
    ["account_deactivated", "deactivated", "petstore certs account replace"],
    ["account_refused", "refused", "petstore certs account show"],
    ["account_unknown", "refused", "petstore certs account replace"],
  ] as const)("is shown with what to type after %s", async (code, status, command) => {
    const { world, accounts, domains } = await open();
    await accountWith(accounts, world.authority, signal);
    world.authority.fault = () => ownProblem(code, "No.");
    const [account] = await domains.authorityAccounts();
    expect(account).toMatchObject({ status, problem: "No." });
    expect(account?.fix).toContain(command);
  });

  test("of an unavailable CA is unknown, without an action", async () => {
    const { world, accounts, domains } = await open();
    await accountWith(accounts, world.authority, signal);
    world.authority.fault = () => lostAnswer;
    const [account] = await domains.authorityAccounts();
    expect(account).toMatchObject({ status: "unknown", fix: null });
  });
});

describe("a key change", () => {
  test("changes only the key", async () => {
    const { world, accounts, domains } = await open();
    await accountWith(accounts, world.authority, signal);
    const before = await keyOf(world);
    const changed = valueOf(await domains.rolloverAccount());
    const after = await keyOf(world);
    expect(after).not.toBe(before);
    expect(changed).toMatchObject({
      url: "https://ca.test/account/1",
      thumbprint: keyThumbprint(after),
      replaced: [],
    });
    expect((await world.domains.accounts.of(CA))?.nextSealedKey).toBeUndefined();
  });

  test.each([
    ["the new", "lost"],
    ["the old", lostAnswer],
  ] as const)("whose answer does not come is found out: the CA has %s key", async (_key, fault) => {
    const { world, accounts, domains } = await open();
    await accountWith(accounts, world.authority, signal);
    const before = await keyOf(world);
    world.authority.fault = (call) => (call === "changeKey" ? fault : undefined);
    const changed = await domains.rolloverAccount();
    expect(changed).toMatchObject({ ok: false, failure: { code: "unavailable" } });
    expect((await world.domains.accounts.of(CA))?.nextSealedKey).toBeDefined();
    world.authority.fault = () => undefined;
    const found = await accountWith(accounts, world.authority, signal);
    expect(found).toMatchObject({ ok: true, value: { url: "https://ca.test/account/1" } });
    expect((await keyOf(world)) === before).toBe(fault !== "lost");
    expect((await world.domains.accounts.of(CA))?.nextSealedKey).toBeUndefined();
  });

  test("interrupted by a crash at any commit leaves a working account", async () => {
    for (const when of ["before", "after"] as const) {
      for (let commits = 1; ; commits++) {
        const { world, accounts } = await open();
        await accountWith(accounts, world.authority, signal);
        const died = await rollOver(dyingAt(accounts, commits, when), world.authority, signal).then(
          () => false,
          () => true,
        );
        const found = await accountWith(accounts, world.authority, signal);
        expect([when, commits, found?.ok]).toEqual([when, commits, true]);
        const state = await world.authority.accountState(valueOf(found ?? { ok: false }), signal);
        expect(state.ok).toBe(true);
        await world.close();
        if (!died) break;
      }
    }
  });

  test("refused by the CA changes nothing", async () => {
    const { world, accounts, domains } = await open();
    await accountWith(accounts, world.authority, signal);
    const before = await world.domains.accounts.of(CA);
    world.authority.fault = (call) =>
      call === "changeKey" ? ownProblem("key_refused", "Too weak.") : undefined;
    expect(await domains.rolloverAccount()).toMatchObject({
      ok: false,
      failure: { code: "authority_refused", message: expect.stringContaining("Too weak.") },
    });
    expect(await world.domains.accounts.of(CA)).toEqual(before);
  });

  test("waits for another process's change", async () => {
    const { world, domains } = await open();
    await world.leases.acquire(`account:${CA}`, MINUTE_MS);
    expect(await domains.rolloverAccount()).toMatchObject({
      ok: false,
      failure: { code: "unavailable" },
    });
  });

  test("between a challenge and its response prepares the proof again, and one order suffices", async () => {
    const { world, accounts, domains } = await open();
    const { id, name } = await world.add(1);
    const pipeline = world.pipeline();
    while ((await world.domains.orders.of(name))?.state.step !== "presented") {
      await pipeline.advance(id, signal);
    }
    valueOf(await domains.rolloverAccount());
    await drive(world, pipeline, START + MINUTE_MS);
    expect(statusOf(await world.domain(id), world.clock.now())).toBe("live");
    expect(world.authority.orders).toHaveLength(1);
    expect(world.authority.failedValidations).toEqual([]);
    expect(accounts.authorities).toHaveLength(1);
  });

  test("with an unknown CA is refused", async () => {
    const { domains } = await open();
    expect(await domains.rolloverAccount("https://other.test/directory")).toMatchObject({
      ok: false,
      failure: { code: "not_found" },
    });
  });
});

describe("a replaced account", () => {
  test("unblocks waiting domains at once", async () => {
    const { world, domains } = await open();
    const pipeline = world.pipeline();
    const first = await world.add(1);
    await drive(world, pipeline, START + MINUTE_MS);
    world.authority.closed.add("https://ca.test/account/1");
    const second = await world.add(2);
    await drive(world, pipeline, START + HOUR_MS);
    const { issuance } = await world.domain(second.id);
    expect(issuance.failure?.code).toBe("ca_account_deactivated");
    expect(issuance.notBefore).toBeGreaterThan(START + 20 * HOUR_MS);

    const made = valueOf(await domains.replaceAccount());
    expect(made).toMatchObject({
      url: "https://ca.test/account/2",
      status: "valid",
      replaced: [{ url: "https://ca.test/account/1", replacedAt: START + HOUR_MS }],
    });
    await drive(world, pipeline, START + HOUR_MS + MINUTE_MS);
    for (const { id } of [first, second]) {
      expect(statusOf(await world.domain(id), world.clock.now())).toBe("live");
    }
  });

  test("is kept until the last certificate ordered with it is renewed", async () => {
    const { world, domains } = await open();
    const pipeline = world.pipeline();
    const { id } = await world.add(1);
    await drive(world, pipeline, START + MINUTE_MS);
    valueOf(await domains.replaceAccount());
    const purge = () =>
      world.domains.commit([{ kind: "purge", now: world.clock.now(), limit: 100 }], system);
    await purge();
    expect(await world.domains.accounts.replaced(CA)).toHaveLength(1);
    const { certificate } = await world.domain(id);
    await drive(world, pipeline, (certificate?.renewAt ?? 0) + DAY_MS);
    await purge();
    expect(await world.domains.accounts.replaced(CA)).toEqual([]);
  });

  test("closes the orders of its predecessor, which start again", async () => {
    const { world, domains } = await open();
    const { id, name } = await world.add(1);
    const pipeline = world.pipeline();
    while ((await world.domains.orders.of(name))?.state.step !== "presented") {
      await pipeline.advance(id, signal);
    }
    valueOf(await domains.replaceAccount());
    await drive(world, pipeline, START + 5 * MINUTE_MS);
    expect(statusOf(await world.domain(id), world.clock.now())).toBe("live");
    expect(world.authority.orders).toHaveLength(2);
  });

  test.each(["by the operator", "in the background"])(
    "whose response is lost is found %s, without a second one",
    async (who) => {
      const { world, accounts, domains, proceed } = await open();
      await accountWith(accounts, world.authority, signal);
      world.authority.fault = (call) => (call === "createAccount" ? "lost" : undefined);
      expect((await domains.replaceAccount()).ok).toBe(false);
      const [waiting] = await domains.authorityAccounts();
      expect(waiting).toMatchObject({ url: ONE, successor: { url: null } });
      world.authority.fault = () => undefined;
      if (who === "in the background") await proceed();
      else valueOf(await domains.replaceAccount());
      expect(await accountWith(accounts, world.authority, signal)).toMatchObject({
        ok: true,
        value: { url: TWO },
      });
      expect(await world.domains.accounts.replaced(CA)).toHaveLength(1);
      expect(valueOf(await domains.replaceAccount()).url).toBe("https://ca.test/account/3");
    },
  );

  test("that the CA refuses changes nothing", async () => {
    const { world, accounts, domains } = await open();
    await accountWith(accounts, world.authority, signal);
    world.authority.fault = (call) =>
      call === "createAccount" ? ownProblem("account_refused", "No.") : undefined;
    expect(await domains.replaceAccount()).toMatchObject({
      ok: false,
      failure: { code: "authority_refused" },
    });
    const [account] = await domains.authorityAccounts();
    expect(account).toMatchObject({ url: ONE, successor: null });
  });
});

describe("where CAA records name the account", () => {
  /** An account that alone may order, and its pending successor. */
  async function pending() {
    const opened = await open();
    await accountWith(opened.accounts, opened.world.authority, signal);
    opened.zone.allowed = [ONE];
    const shown = valueOf(await opened.domains.replaceAccount());
    return { ...opened, shown };
  }
  const current = async ({ domains }: Pick<Awaited<ReturnType<typeof open>>, "domains">) => {
    const [account] = await domains.authorityAccounts();
    return account;
  };

  test("a new account is registered and shown with its record; the present one places orders", async () => {
    const opened = await pending();
    const { world, shown, accounts } = opened;
    expect(shown).toMatchObject({
      url: ONE,
      caaRecord: expect.stringContaining(ONE),
      successor: { url: TWO, caaRecord: expect.stringContaining(TWO), switchAt: null },
      replaced: [],
    });
    const pipeline = world.pipeline();
    const { id } = await world.add(1);
    await drive(world, pipeline, START + MINUTE_MS);
    expect(statusOf(await world.domain(id), world.clock.now())).toBe("live");
    expect(await accountWith(accounts, world.authority, signal)).toMatchObject({
      value: { url: ONE },
    });
  });

  test("it takes over one TTL after all name servers have its record, and once", async () => {
    const opened = await pending();
    const { world, zone, proceed } = opened;
    await proceed();
    expect(await current(opened)).toMatchObject({ url: ONE, successor: { switchAt: null } });
    zone.allowed = [ONE, TWO];
    await proceed();
    const switchAt = world.clock.now() + TTL_SECONDS * 1_000;
    expect(await current(opened)).toMatchObject({ url: ONE, successor: { switchAt } });
    world.clock.set(switchAt - 1);
    await proceed();
    expect(await current(opened)).toMatchObject({ url: ONE });
    world.clock.set(switchAt);
    await Promise.all([proceed(), proceed()]);
    expect(await current(opened)).toMatchObject({
      url: TWO,
      successor: null,
      replaced: [{ url: ONE, replacedAt: switchAt }],
    });
    await proceed();
    expect(await current(opened)).toMatchObject({ url: TWO });
  });

  test("a record that disappears before then starts the wait again", async () => {
    const opened = await pending();
    const { world, zone, proceed } = opened;
    zone.allowed = [ONE, TWO];
    await proceed();
    zone.allowed = [ONE];
    world.clock.set(world.clock.now() + HOUR_MS);
    await proceed();
    expect(await current(opened)).toMatchObject({ url: ONE, successor: { switchAt: null } });
    zone.allowed = [ONE, TWO];
    await proceed();
    const switchAt = world.clock.now() + TTL_SECONDS * 1_000;
    expect(await current(opened)).toMatchObject({ url: ONE, successor: { switchAt } });
  });

  test("name servers that do not answer delay it, and change nothing", async () => {
    const opened = await pending();
    const { world, zone, proceed } = opened;
    zone.allowed = [ONE, TWO];
    await proceed();
    const before = await current(opened);
    zone.silent = true;
    world.clock.set(world.clock.now() + DAY_MS);
    await proceed();
    expect(await current(opened)).toEqual(before);
    zone.silent = false;
    await proceed();
    expect(await current(opened)).toMatchObject({ url: TWO });
  });

  test("force switches at once, and starts the orders that waited", async () => {
    const opened = await pending();
    expect(valueOf(await opened.domains.replaceAccount(undefined, { force: true }))).toMatchObject({
      url: TWO,
      successor: null,
    });
  });

  test("a repeated replacement continues the pending one", async () => {
    const opened = await pending();
    const again = valueOf(await opened.domains.replaceAccount());
    expect(again.successor).toEqual(opened.shown.successor);
  });

  test("a cancelled replacement leaves the present account, and the next one is new", async () => {
    const opened = await pending();
    const { domains, zone, proceed } = opened;
    const cancelled = valueOf(await domains.cancelAccountReplacement());
    expect(cancelled).toMatchObject({ url: ONE, successor: null });
    zone.allowed = [ONE, TWO];
    await proceed();
    expect(await current(opened)).toMatchObject({ url: ONE, successor: null });
    const next = valueOf(await domains.replaceAccount());
    expect(next).toMatchObject({ url: ONE, successor: { url: "https://ca.test/account/3" } });
  });

  test("a key change of the present account keeps the pending replacement", async () => {
    const opened = await pending();
    valueOf(await opened.domains.rolloverAccount());
    expect(await current(opened)).toMatchObject({ url: ONE, successor: { url: TWO } });
  });

  test("an account that another version replaced meanwhile ends the pending replacement", async () => {
    const opened = await pending();
    const { world, zone, proceed } = opened;
    const kept = await world.domains.accounts.of(CA);
    if (kept === undefined) throw new Error("no account");
    const other = { ...kept, url: "https://ca.test/account/9" };
    await world.domains.commit([{ kind: "account.save", account: other }], system);
    zone.allowed = undefined;
    await proceed();
    expect(await world.domains.accounts.of(CA)).toEqual(other);
    expect(await world.domains.accounts.successor(CA)).toBeUndefined();
  });

  test("an account that the CA lost is followed by the successor, which the records name already", async () => {
    const opened = await pending();
    const { world, accounts } = opened;
    const kept = await world.domains.accounts.of(CA);
    if (kept === undefined) throw new Error("no account");
    await world.domains.commit([{ kind: "account.forget", account: kept }], system);
    const found = await accountWith(accounts, world.authority, signal);
    expect(found).toMatchObject({ ok: true, value: { url: TWO } });
    expect(await world.domains.accounts.successor(CA)).toBeUndefined();
  });

  test("a crash at any commit leaves one usable account and no second successor", async () => {
    for (const when of ["before", "after"] as const) {
      for (let commits = 1; ; commits++) {
        const { world, accounts, zone } = await open();
        await accountWith(accounts, world.authority, signal);
        zone.allowed = [ONE, TWO];
        const context = dyingAt(accounts, commits, when);
        const replace = async () => {
          await replaceAccount(context, world.authority, { signal });
          world.clock.set(START + DAY_MS);
          await continueReplacement(context, world.authority, signal);
        };
        const died = await replace().then(
          () => false,
          () => true,
        );
        const begun = (await accounts.store.accounts.successor(CA)) !== undefined;
        const switched = (await accounts.store.accounts.of(CA))?.url === TWO;
        await continueReplacement(accounts, world.authority, signal);
        world.clock.set(world.clock.now() + DAY_MS);
        await continueReplacement(accounts, world.authority, signal);
        const kept = await accounts.store.accounts.of(CA);
        const expected = begun || switched ? TWO : ONE;
        expect([when, commits, kept?.url]).toEqual([when, commits, expected]);
        expect(await accounts.store.accounts.successor(CA)).toBeUndefined();
        await world.close();
        if (!died) break;
      }
    }
  });
});

test("an account key's thumbprint is that of RFC 7638", async () => {
  const key = await crypto.subtle.importKey(
    "jwk",
    {
      kty: "EC",
      crv: "P-256",
      x: "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
      y: "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
      d: "jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI",
    },
    { name: "ECDSA", namedCurve: "P-256" },
    true,
    ["sign"],
  );
  const der = Buffer.from(await crypto.subtle.exportKey("pkcs8", key)).toString("base64");
  const pem = `-----BEGIN PRIVATE KEY-----\n${der}\n-----END PRIVATE KEY-----\n`;
  // The key of RFC 7515 §A.3; its thumbprint was computed with OpenSSL.
  expect(keyThumbprint(pem)).toBe("oKIywvGUpTVTyxMQ3bwIIeQUudfr_CkLMjCE19ECD-U");
});

describe("the account with another CA than the first", () => {
  const SECOND = "https://second.test/directory";

  test("exists before its first order, with the application of that CA", async () => {
    const { world, accounts } = await open();
    const applied: unknown[] = [];
    const fake = await fakeAuthority(world.clock, { id: SECOND });
    const second = {
      ...fake,
      application: { email: "ca@shelter.org" },
      createAccount: ({ key, ...rest }: AccountApplication) => {
        applied.push(rest);
        return fake.createAccount({ key, ...rest }, signal);
      },
    };
    const context = {
      accounts: { ...accounts, authorities: [world.authority, second] as const },
      stopping: signal,
    };
    await prepareAccounts(context, silentLog);
    await prepareAccounts(context, silentLog);
    expect(applied).toEqual([{ email: "ca@shelter.org" }]);
    expect((await world.domains.accounts.of(SECOND))?.url).toBe(ONE);
    expect(world.authority.calls).toEqual([]);
  });

  test("is tried again after the CA was down", async () => {
    const { world, accounts } = await open();
    const second = await fakeAuthority(world.clock, { id: SECOND });
    second.fault = () => lostAnswer;
    const context = {
      accounts: { ...accounts, authorities: [world.authority, second] as const },
      stopping: signal,
    };
    await prepareAccounts(context, silentLog);
    expect((await world.domains.accounts.of(SECOND))?.url).toBeUndefined();
    second.fault = () => undefined;
    await prepareAccounts(context, silentLog);
    expect((await world.domains.accounts.of(SECOND))?.url).toBe(ONE);
  });
});
