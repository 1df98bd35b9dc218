import { system } from "../../../lib/model/actor.ts";
import { StoreUnavailable } from "../../../lib/sql/sql.ts";
import { describe, expect, test } from "bun:test";

import { CLAIM_WAIT_MS, GRACE_MS, REMOVED_KEPT_MS } from "../../../domains/model/domain.ts";
import { restored, applyOutcome } from "../../../domains/model/apply-outcome.ts";
import { statusOf } from "../../../domains/model/domain-state.ts";
import { VERIFY_MS } from "../../../domains/pipeline/pipeline.ts";
import type { Leases } from "../../../domains/ports/leases.ts";
import type { Observation } from "../../../domains/ports/observation.ts";
import { LEASE_MS } from "../../../domains/pipeline/work.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../lib/base/clock.ts";
import { until } from "../../helpers/dns/until.ts";
import { Crash, dyingAt } from "../../helpers/domains/dying.ts";
import { adding, saving, someAccount, someDomain, START } from "../../helpers/domains/rows.ts";
import { drive, type World } from "../../helpers/domains/world.ts";
import { worlds } from "../../helpers/domains/worlds.ts";
import { rejection } from "../../helpers/rejection.ts";

const signal = new AbortController().signal;
const open = worlds();

const count = (world: World, call: string): number =>
  world.authority.calls.filter((made) => made.startsWith(call)).length;

describe("a domain with correct records", () => {
  test("is live within a minute, with one order", async () => {
    const world = await open();
    const { id } = await world.add(1);
    await drive(world, world.pipeline(), START + MINUTE_MS);
    expect(statusOf(await world.domain(id), START + MINUTE_MS)).toBe("live");
    expect(count(world, "newOrder")).toBe(1);
  });

  test("reports each event once", async () => {
    const world = await open();
    await world.store.commit([someAccount(1)], system);
    const { id } = await world.add(1);
    await drive(world, world.pipeline(), START + HOUR_MS);
    const kinds = (await world.domains.timeline.of(id, 20)).map(({ kind }) => kind).toReversed();
    expect(kinds).toEqual(["added", "verified", "issuing", "issued", "live"]);
    const [, ...events] = (await world.store.events.after(0, 20)).map(({ type }) => type);
    expect(events).toEqual(["domain.added", "domain.verified", "domain.issuing", "domain.live"]);
  });

  test("reports each check's findings and each order's outcome to metrics", async () => {
    const world = await open();
    const seen: Observation[] = [];
    const pipeline = world.pipeline({ observe: (observation) => seen.push(observation) });
    const { id, name } = await world.add(1);
    world.dns.delete(name);
    await pipeline.advance(id, signal);
    expect(seen).toEqual([{ kind: "dns_checked", findings: ["no_record"] }]);
    const { targetLabel } = await world.domain(id);
    world.dns.set(name, targetLabel);
    let refusals = 0;
    world.authority.fault = (call) =>
      call === "newOrder" && refusals++ === 0
        ? { code: "rate_limited", message: `too many for ${name}`, names: [] }
        : undefined;
    await drive(world, pipeline, START + 12 * HOUR_MS);
    const issuer = world.authority.id;
    expect(seen.filter(({ kind }) => kind === "order_ended")).toEqual([
      { kind: "order_ended", issuer, outcome: "ca_rate_limited" },
      { kind: "order_ended", issuer, outcome: "issued" },
    ]);
    expect(
      seen.slice(1).every((one) => one.kind !== "dns_checked" || one.findings.length === 0),
    ).toBe(true);
  });

  test("keeps only an encrypted key, and no order", async () => {
    const world = await open();
    const { id, name } = await world.add(1);
    await drive(world, world.pipeline(), START + MINUTE_MS);
    const { certificate } = await world.domain(id);
    const kept = await world.domains.certificates.byId(certificate?.id ?? "");
    expect(kept?.sealedKey).not.toContain("PRIVATE");
    expect(world.seal.open(kept?.sealedKey ?? "", `certificate ${kept?.id}`)).toContain(
      "PRIVATE KEY",
    );
    expect(await world.domains.orders.of(name)).toBeUndefined();
  });

  test("is renewed for a year without a gap", async () => {
    const world = await open();
    const { id } = await world.add(1);
    await drive(world, world.pipeline(), START + 365 * DAY_MS);
    const domain = await world.domain(id);
    expect(statusOf(domain, world.clock.now())).toBe("live");
    // Certificates of 30 days are renewed every 20.
    expect(count(world, "newOrder")).toBeGreaterThanOrEqual(18);
    expect(count(world, "newOrder")).toBeLessThanOrEqual(20);
    expect(count(world, "createAccount")).toBe(1);
    const kinds = (await world.domains.timeline.of(id, 200)).map(({ kind }) => kind);
    expect(kinds).not.toContain("expiring");
  });

  test("is not live before our own listener serves it", async () => {
    const world = await open();
    const { id } = await world.add(1);
    let answers = false;
    await drive(world, world.pipeline({ probe: async () => answers }), START + MINUTE_MS);
    expect(statusOf(await world.domain(id), world.clock.now())).toBe("issuing");
    answers = true;
    await drive(world, world.pipeline({ probe: async () => answers }), START + 2 * MINUTE_MS);
    expect(statusOf(await world.domain(id), world.clock.now())).toBe("live");
  });
});

describe("preflight", () => {
  test("prevents orders for a misconfigured domain, even with a hundred requested checks", async () => {
    const world = await open();
    const { id, name } = await world.add(1);
    world.dns.set(name, "elsewhere");
    const pipeline = world.pipeline();
    for (let click = 0; click < 100; click++) {
      await pipeline.verify(id, system, signal);
      world.clock.advance(SECOND_MS);
    }
    await drive(world, pipeline, START + DAY_MS);
    expect(count(world, "newOrder")).toBe(0);
    expect(await world.domains.orders.of(name)).toBeUndefined();
  });

  test("prevents orders for a record that broke before the renewal", async () => {
    const world = await open();
    const { name } = await world.add(1);
    const pipeline = world.pipeline();
    await drive(world, pipeline, START + 15 * DAY_MS);
    world.dns.delete(name);
    await drive(world, pipeline, START + 25 * DAY_MS);
    expect(count(world, "newOrder")).toBe(1);
    world.dns.set(name, (await world.domain("dom_000000000001")).targetLabel);
    await drive(world, pipeline, START + 26 * DAY_MS);
    expect(count(world, "newOrder")).toBe(2);
  });

  test("with missing answers starts nothing and keeps what exists", async () => {
    const world = await open();
    const { id, name } = await world.add(1);
    const pipeline = world.pipeline();
    await drive(world, pipeline, START + DAY_MS);
    world.silent.add(name);
    await drive(world, pipeline, START + 24 * DAY_MS);
    expect(count(world, "newOrder")).toBe(1);
    expect(statusOf(await world.domain(id), world.clock.now())).toBe("attention");
  });
});

describe("verify", () => {
  /** A requested check that finds the name leased: first its time limit runs, then the pause until the next attempt. */
  const waits = ({ clock }: World): boolean => clock.sleeping === 2;

  test("runs one check for a hundred concurrent requests", async () => {
    const world = await open();
    const { id } = await world.add(1);
    const pipeline = world.pipeline();
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => pipeline.verify(id, system, signal)),
    );
    expect(world.looks).toBe(1);
    expect(answers.every((domain) => domain?.dns.state === "verified")).toBe(true);
  });

  test("is recorded as the caller's, and scheduled work as the service's own", async () => {
    const world = await open();
    for (const id of [1, 2]) await world.store.commit([someAccount(id)], system);
    const [asked, scheduled] = [await world.add(1), await world.add(2)];
    const pipeline = world.pipeline();
    const actor = { kind: "member", id: "mem_one" } as const;
    const before = await world.store.events.last();
    await pipeline.verify(asked.id, actor, signal);
    await pipeline.advance(scheduled.id, signal);
    const events = await world.store.events.after(before, 10);
    expect(events.map((event) => [event.type, event.accountId, event.actor])).toEqual([
      ["domain.verified", asked.accountId, actor],
      ["domain.verified", scheduled.accountId, system],
    ]);
  });

  test("checks a live domain again", async () => {
    const world = await open();
    const { id } = await world.add(1);
    const pipeline = world.pipeline();
    await drive(world, pipeline, START + HOUR_MS);
    const before = world.looks;
    const domain = await pipeline.verify(id, system, signal);
    expect(world.looks).toBe(before + 1);
    expect(domain?.dns.checkedAt).toBe(START + HOUR_MS);
  });

  test("uses no answers from before the request, nor a waiting check those from before it was due", async () => {
    const world = await open();
    const { id } = await world.add(1);
    const dueSince: (number | undefined)[] = [];
    const pipeline = world.pipeline({
      verifier: async (subject) => {
        dueSince.push(subject.dueSince);
        return { state: "blocked", blocking: ["no_record"], leadsHere: false, details: null };
      },
    });
    world.clock.advance(4 * SECOND_MS);
    await pipeline.advance(id, signal);
    expect(dueSince).toEqual([START]);
    world.clock.advance(2 * SECOND_MS);
    await pipeline.verify(id, system, signal);
    expect(dueSince).toEqual([START, START + 6 * SECOND_MS]);
    // An automatic check, two seconds late.
    world.clock.advance(22 * SECOND_MS);
    await pipeline.advance(id, signal);
    expect(dueSince.at(-1)).toBe(START + 26 * SECOND_MS);
  });

  test("returns the known state after ten seconds, however long the check takes", async () => {
    const world = await open();
    const { id } = await world.add(1);
    const pipeline = world.pipeline({ verifier: () => new Promise(() => {}) });
    const answer = pipeline.verify(id, system, signal);
    await until(() => world.clock.sleeping === 1);
    world.clock.advance(VERIFY_MS);
    expect((await answer)?.dns.state).toBe("unchecked");
  });

  test("waits for a check by another process", async () => {
    const world = await open();
    const { id } = await world.add(1);
    const looking = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    const slow = world.pipeline({
      verifier: async () => {
        looking.resolve();
        await held.promise;
        return { state: "verified", blocking: [], leadsHere: true, details: null };
      },
    });
    const background = slow.advance(id, signal);
    await looking.promise;
    const answer = world.pipeline().verify(id, system, signal);
    await until(() => waits(world));
    held.resolve();
    expect((await background).kind).toBe("did");
    world.clock.advance(100);
    expect((await answer)?.dns.state).toBe("verified");
    expect(world.looks).toBe(0);
  });

  test("checks again if the running check started before the request", async () => {
    const world = await open();
    const { id } = await world.add(1);
    const looking = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    const slow = world.pipeline({
      verifier: async () => {
        looking.resolve();
        await held.promise;
        return { state: "blocked", blocking: ["no_record"], leadsHere: false, details: null };
      },
    });
    const background = slow.advance(id, signal);
    await looking.promise;
    world.clock.advance(SECOND_MS);
    const answer = world.pipeline().verify(id, system, signal);
    await until(() => waits(world));
    held.resolve();
    await background;
    world.clock.advance(100);
    expect((await answer)?.dns.state).toBe("verified");
    expect(world.looks).toBe(1);
  });

  test("during any step of an order starts no second one", async () => {
    for (const call of ["newOrder", "order", "authorization", "answer", "finalize"]) {
      const world = await open();
      const { id } = await world.add(1);
      const pipeline = world.pipeline();
      let clicked: Promise<unknown> | undefined;
      world.authority.fault = (what) => {
        if (what === call) clicked ??= world.pipeline().verify(id, system, signal);
        return undefined;
      };
      const { validate } = world.authority;
      world.authority.validate = async (...args) => {
        for (let turn = 0; turn < 5; turn++) await new Promise((done) => setImmediate(done));
        return validate(...args);
      };
      for (let step = 0; step < 40; step++) {
        await pipeline.advance(id, signal);
        await new Promise((done) => setImmediate(done));
        world.clock.advance(200);
      }
      await clicked;
      expect(statusOf(await world.domain(id), world.clock.now())).toBe("live");
      expect([call, count(world, "newOrder")]).toEqual([call, 1]);
    }
  });

  test("of a removed or unknown domain returns nothing", async () => {
    const world = await open();
    const { id } = await world.add(1);
    await world.remove(id);
    const pipeline = world.pipeline();
    expect(await pipeline.verify(id, system, signal)).toBeUndefined();
    expect(await pipeline.verify("dom_unknown", system, signal)).toBeUndefined();
  });
});

describe("failures", () => {
  for (const code of ["connection", "tls", "wrong_answer"] as const) {
    test(`a validation that failed with ${code} is retried at once with the other challenge`, async () => {
      const world = await open();
      const { id } = await world.add(1);
      const { validate } = world.authority;
      world.authority.validate = async (name, kind) =>
        kind === "http-01" ? { code, message: "timeout", names: [] } : validate(name, kind);
      await drive(world, world.pipeline(), START + 5 * SECOND_MS);
      const domain = await world.domain(id);
      expect(statusOf(domain, world.clock.now())).toBe("live");
      expect(domain.issuance.challenge).toBe("tls-alpn-01");
      expect(world.authority.orders.map(({ answered }) => answered)).toEqual([
        "http-01",
        "tls-alpn-01",
      ]);
      const kinds = (await world.domains.timeline.of(id, 50)).map(({ kind }) => kind);
      expect(kinds.toReversed()).toEqual([
        "added",
        "verified",
        "issuing",
        "changed",
        "issued",
        "live",
      ]);
    });
  }

  for (const code of ["dns", "caa"] as const) {
    test(`a validation that failed with ${code} is not retried with the other challenge`, async () => {
      const world = await open();
      await world.add(1);
      world.authority.validate = async () => ({ code, message: "", names: [] });
      await drive(world, world.pipeline(), START + 30 * SECOND_MS);
      expect(world.authority.orders.map(({ answered }) => answered)).toEqual(["http-01"]);
    });
  }

  test("a renewal starts with the challenge that worked", async () => {
    const world = await open();
    const { id } = await world.add(1);
    const { validate } = world.authority;
    world.authority.validate = async (name, kind) =>
      kind === "http-01"
        ? { code: "connection", message: "timeout", names: [] }
        : validate(name, kind);
    await drive(world, world.pipeline(), START + MINUTE_MS);
    const { certificate } = await world.domain(id);
    // Another process without this experience.
    await drive(world, world.pipeline(), (certificate?.renewAt ?? 0) + HOUR_MS);
    expect(world.authority.orders.map(({ answered }) => answered)).toEqual([
      "http-01",
      "tls-alpn-01",
      "tls-alpn-01",
    ]);
  });

  test("a process that crashes between two challenges continues with the second", async () => {
    for (let commits = 1; ; commits++) {
      const world = await open();
      const { id } = await world.add(1);
      const { validate } = world.authority;
      world.authority.validate = async (name, kind) =>
        kind === "http-01"
          ? { code: "connection", message: "timeout", names: [] }
          : validate(name, kind);
      let died = false;
      try {
        await drive(world, dyingAt(world, commits, "after"), START + MINUTE_MS);
      } catch (error) {
        if (!(error instanceof Crash)) throw error;
        died = true;
      }
      // The lease of the crashed process expires first.
      world.clock.set(START + MINUTE_MS);
      await drive(world, world.pipeline(), START + 2 * MINUTE_MS);
      const domain = await world.domain(id);
      expect([commits, statusOf(domain, world.clock.now())]).toEqual([commits, "live"]);
      expect(world.authority.failedValidations).toHaveLength(1);
      expect(world.authority.orders).toHaveLength(2);
      if (!died) return;
    }
  });

  test("a name that fails both challenges fails at most five times an hour, even on request", async () => {
    const world = await open();
    const { id } = await world.add(1);
    world.authority.validate = async () => ({ code: "connection", message: "", names: [] });
    const pipeline = world.pipeline();
    while (world.clock.now() < START + 6 * HOUR_MS) {
      await pipeline.verify(id, system, signal);
      await drive(world, pipeline, world.clock.now() + 5 * MINUTE_MS);
    }
    const { failedValidations } = world.authority;
    const most = failedValidations.map(
      ({ at }) => failedValidations.filter((one) => one.at >= at && one.at < at + HOUR_MS).length,
    );
    expect(Math.max(...most)).toBe(4);
    expect(new Set(world.authority.orders.map(({ answered }) => answered))).toEqual(
      new Set(["http-01", "tls-alpn-01"]),
    );
  });

  test("the next name starts with the challenge that worked last", async () => {
    const world = await open();
    await world.add(1);
    const { validate } = world.authority;
    world.authority.validate = async (name, kind) =>
      kind === "http-01"
        ? { code: "connection", message: "timeout", names: [] }
        : validate(name, kind);
    const pipeline = world.pipeline();
    await drive(world, pipeline, START + 5 * MINUTE_MS);
    await world.add(2);
    await drive(world, pipeline, START + 10 * MINUTE_MS);
    expect(world.authority.orders.map(({ answered }) => answered)).toEqual([
      "http-01",
      "tls-alpn-01",
      "tls-alpn-01",
    ]);
  });

  test("an installation with one challenge uses no other", async () => {
    const world = await open();
    const { id } = await world.add(1);
    await drive(world, world.pipeline({ challenges: ["tls-alpn-01"] }), START + MINUTE_MS);
    expect(world.authority.orders.map(({ answered }) => answered)).toEqual(["tls-alpn-01"]);
    expect(statusOf(await world.domain(id), world.clock.now())).toBe("live");
  });

  test("requested checks of a refused name create at most one order in five minutes", async () => {
    const world = await open();
    const { id } = await world.add(1);
    world.authority.fault = (call) =>
      call === "newOrder" ? { code: "name_refused", message: "no", names: [] } : undefined;
    const pipeline = world.pipeline();
    while (world.clock.now() < START + HOUR_MS) {
      await pipeline.verify(id, system, signal);
      await drive(world, pipeline, world.clock.now() + 10 * SECOND_MS);
    }
    expect(count(world, "newOrder")).toBeGreaterThan(5);
    expect(count(world, "newOrder")).toBeLessThanOrEqual(13);
  });

  test("repeated replacement requests create at most one order in five minutes", async () => {
    const world = await open();
    const { id } = await world.add(1);
    const pipeline = world.pipeline();
    await drive(world, pipeline, START + MINUTE_MS);
    world.authority.fault = (call) =>
      call === "newOrder" ? { code: "name_refused", message: "no", names: [] } : undefined;
    for (const reason of ["asked", "key", "revoked"] as const) {
      const before = count(world, "newOrder");
      const begun = world.clock.now();
      while (world.clock.now() < begun + HOUR_MS) {
        const from = await world.domain(id);
        const at = world.clock.now();
        const { domain: to } = applyOutcome(from, { kind: "replace", reason }, at);
        await world.domains.commit([saving(from, to, { at })], system);
        await drive(world, pipeline, at + 10 * SECOND_MS);
      }
      expect([reason, count(world, "newOrder") - before]).toEqual([reason, expect.any(Number)]);
      expect(count(world, "newOrder") - before).toBeWithin(6, 15);
    }
  });

  test("validations never fail more than five times an hour, even on request", async () => {
    const world = await open();
    const { id } = await world.add(1);
    world.authority.validate = async () => ({ code: "wrong_answer", message: "", names: [] });
    const pipeline = world.pipeline();
    while (world.clock.now() < START + 5 * HOUR_MS) {
      await pipeline.verify(id, system, signal);
      await drive(world, pipeline, world.clock.now() + 30 * SECOND_MS);
    }
    const { failedValidations } = world.authority;
    expect(failedValidations.length).toBeGreaterThan(8);
    for (const { at } of failedValidations) {
      const within = failedValidations.filter((other) => other.at >= at && other.at < at + HOUR_MS);
      expect(within.length).toBeLessThanOrEqual(5);
    }
  });

  test("an order survives a CA outage", async () => {
    const world = await open();
    const { id } = await world.add(1);
    const down = { code: "unavailable", message: "busy", names: [] } as const;
    world.authority.fault = (call) =>
      call === "authorization" && world.clock.now() < START + 10 * MINUTE_MS ? down : undefined;
    await drive(world, world.pipeline(), START + 12 * MINUTE_MS);
    expect(statusOf(await world.domain(id), world.clock.now())).toBe("live");
    expect(count(world, "newOrder")).toBe(1);
  });

  test("an order at the CA waits while the account is unavailable", async () => {
    const world = await open();
    const { id, name } = await world.add(1);
    const { authority, domains, seal } = world;
    const pipeline = world.pipeline();
    while ((await domains.orders.of(name))?.state.step !== "answered") {
      await drive(world, pipeline, world.clock.now() + SECOND_MS, 1).catch(() => undefined);
    }
    // An unfinished key change: which key is valid has to be asked.
    const account = await domains.accounts.of(authority.id);
    if (account === undefined) throw new Error("no account");
    const key = seal.open(account.sealedKey, `account ${authority.id}`);
    const nextSealedKey = seal.close(key, `account ${authority.id}`);
    await domains.commit(
      [{ kind: "account.save", account: { ...account, nextSealedKey } }],
      system,
    );
    authority.fault = (call) =>
      call === "findAccount" && world.clock.now() < START + 10 * MINUTE_MS
        ? { code: "unavailable", message: "busy", names: [] }
        : undefined;
    await drive(world, pipeline, START + 12 * MINUTE_MS);
    expect(statusOf(await world.domain(id), world.clock.now())).toBe("live");
    expect(count(world, "newOrder")).toBe(1);
  });

  test("an order that takes longer than an hour is closed and replaced", async () => {
    const world = await open();
    await world.add(1);
    world.authority.validate = async () => undefined;
    await drive(world, world.pipeline(), START + 70 * MINUTE_MS);
    expect(count(world, "newOrder")).toBe(2);
  });

  test("a CA that responds too slowly for the lease is abandoned in time, without a second order", async () => {
    const world = await open();
    const { id, name } = await world.add(1);
    const { authority, clock } = world;
    const asked: AbortSignal[] = [];
    const slow: typeof authority = Object.create(authority, {
      newOrder: {
        value: (_account: unknown, _names: unknown, until: AbortSignal) => {
          asked.push(until);
          return new Promise((_resolve, reject) => {
            until.addEventListener("abort", () => reject(until.reason));
          });
        },
      },
    });
    const pipeline = world.pipeline({ authorities: [slow] });
    await pipeline.advance(id, signal);
    await pipeline.advance(id, signal);
    const stepping = pipeline.advance(id, signal);
    while (asked.length === 0) await new Promise((resolve) => setImmediate(resolve));
    clock.advance(LEASE_MS - SECOND_MS);
    expect(await pipeline.advance(id, signal)).not.toMatchObject({ kind: "did" });
    expect(await stepping).toEqual({ kind: "did", task: "order" });
    expect(asked).toHaveLength(1);
    expect(await world.domains.orders.of(name)).toBeUndefined();
    expect((await world.domain(id)).issuance.failure?.code).toBe("ca_unavailable");
  });

  test("a rate limit is waited for exactly", async () => {
    const world = await open();
    const { id } = await world.add(1);
    const until = START + 14 * HOUR_MS;
    world.authority.fault = (call) =>
      call === "newOrder" && world.clock.now() < until
        ? { code: "rate_limited", message: "too many", names: [], retryAt: until }
        : undefined;
    await drive(world, world.pipeline(), until - 1);
    expect(count(world, "newOrder")).toBe(1);
    expect((await world.domain(id)).issuance.failure).toMatchObject({
      code: "ca_rate_limited",
      until,
    });
    await drive(world, world.pipeline(), until + MINUTE_MS);
    expect(statusOf(await world.domain(id), world.clock.now())).toBe("live");
  });

  test("an account that the CA lost is created again", async () => {
    const world = await open();
    const { id } = await world.add(1);
    let lost = true;
    world.authority.fault = (call) => {
      if (call !== "newOrder" || !lost) return undefined;
      lost = false;
      return { code: "account_unknown", message: "who?", names: [] };
    };
    await drive(world, world.pipeline(), START + 5 * MINUTE_MS);
    expect(count(world, "createAccount")).toBe(2);
    expect(statusOf(await world.domain(id), world.clock.now())).toBe("live");
  });

  test("a certificate for another key is never used", async () => {
    const world = await open();
    const { id } = await world.add(1);
    const other = await world.add(2);
    await drive(world, world.pipeline(), START + MINUTE_MS);
    const chain = await world.domains.certificates.byId(
      (await world.domain(other.id)).certificate?.id ?? "",
    );
    const third = await world.add(3);
    world.authority.download = async () => ({ ok: true, value: chain?.chainPem ?? "" });
    await drive(world, world.pipeline(), START + 10 * MINUTE_MS);
    expect((await world.domain(third.id)).certificate).toBeUndefined();
    expect((await world.domain(id)).certificate).toBeDefined();
  });

  test("a certificate that is not valid yet, by our clock, waits", async () => {
    const world = await open();
    const { id, name } = await world.add(1);
    const { download } = world.authority;
    world.authority.download = async (...args) => {
      // The CA dated it an hour back; our clock is corrected by two.
      world.clock.set(START - 2 * HOUR_MS);
      return download(...args);
    };
    const pipeline = world.pipeline();
    while ((await world.domains.orders.of(name))?.state.step !== "downloaded") {
      await pipeline.advance(id, signal);
      if (world.clock.now() >= START) world.clock.advance(1);
    }
    await drive(world, pipeline, START - HOUR_MS - SECOND_MS);
    expect((await world.domain(id)).certificate).toBeUndefined();
    await drive(world, pipeline, START - HOUR_MS + SECOND_MS);
    expect((await world.domain(id)).certificate).toBeDefined();
    expect(count(world, "newOrder")).toBe(1);
  });

  test("without a writable database there is no order and no account", async () => {
    const world = await open();
    const { id } = await world.add(1);
    await world.pipeline().advance(id, signal);
    const store = {
      ...world.domains,
      commit: () => Promise.reject(new StoreUnavailable("full")),
    };
    const pipeline = world.pipeline({ store });
    for (let time = 0; time < 5; time++) {
      expect(await rejection(pipeline.advance(id, signal))).toBeInstanceOf(StoreUnavailable);
    }
    expect(world.authority.calls).toEqual([]);
    await drive(world, world.pipeline(), START + MINUTE_MS);
    expect(statusOf(await world.domain(id), world.clock.now())).toBe("live");
  });

  test("an order with a removed CA is replaced by one with the configured CA", async () => {
    const world = await open();
    const { id, name } = await world.add(1);
    const pipeline = world.pipeline();
    for (let step = 0; step < 4; step++) await pipeline.advance(id, signal);
    expect((await world.domains.orders.of(name))?.authority).toBe(world.authority.id);
    const other = { ...world.authority, id: "https://other.test/directory" };
    await drive(world, world.pipeline({ authorities: [other] }), START + 10 * MINUTE_MS);
    const { certificate } = await world.domain(id);
    expect(certificate?.authority).toBe("https://other.test/directory");
  });

  test("a failed order counts for its own CA", async () => {
    const world = await open();
    const { id, name } = await world.add(1);
    const seen: Observation[] = [];
    const { authority } = world;
    const observe = (observation: Observation) => void seen.push(observation);
    const pipeline = world.pipeline();
    while ((await world.domains.orders.of(name)) === undefined) await pipeline.advance(id, signal);
    const first = { ...authority, id: "https://other.test/directory" };
    authority.fault = (call) =>
      call === "newOrder" ? { code: "name_refused", message: "no", names: [] } : undefined;
    const both = world.pipeline({ authorities: [first, authority], observe });
    await both.advance(id, signal);
    expect(seen).toEqual([
      { kind: "order_ended", issuer: authority.id, outcome: "ca_rejected_name" },
    ]);
  });

  test("a failing name does not delay others", async () => {
    const world = await open();
    const bad = await world.add(1);
    const good = await world.add(2);
    world.authority.fault = (call, name) =>
      call === "newOrder" && name === bad.name
        ? {
            code: "rate_limited",
            message: "too many certificates already issued for this exact set of identifiers",
            names: [],
            retryAt: START + DAY_MS,
          }
        : undefined;
    await drive(world, world.pipeline(), START + MINUTE_MS);
    expect(statusOf(await world.domain(good.id), world.clock.now())).toBe("live");
  });
});

describe("removal", () => {
  test("between any two steps of an order closes it, and nothing becomes active", async () => {
    for (let steps = 1; ; steps++) {
      const world = await open();
      const { id, name } = await world.add(1);
      const pipeline = world.pipeline();
      for (let step = 0; step < steps; step++) {
        await pipeline.advance(id, signal);
        world.clock.advance(SECOND_MS);
      }
      if ((await world.domain(id)).certificate !== undefined) {
        expect(steps).toBeGreaterThan(7);
        return;
      }
      await world.remove(id);
      await drive(world, pipeline, START + 2 * DAY_MS);
      expect((await world.domain(id)).certificate).toBeUndefined();
      expect(await world.domains.orders.of(name)).toBeUndefined();
      expect(await world.domains.challenges.http01(name, "http-01-0", START)).toBeUndefined();
      const left = world.authority.orders.filter(({ proof }) => proof !== "deactivated");
      // An order without a known URL has no authorizations.
      expect(left.length).toBeLessThanOrEqual(0);
    }
  });

  test("and adding to another project closes the order, and only the other project is served", async () => {
    for (const steps of [2, 4, 6]) {
      const world = await open();
      const before = await world.add(1);
      const pipeline = world.pipeline();
      for (let step = 0; step < steps; step++) await pipeline.advance(before.id, signal);
      await world.remove(before.id);
      const { name, accountId } = before;
      const after = await world.add(2, { name, accountId });
      await drive(world, pipeline, START + DAY_MS);
      expect((await world.domain(before.id)).certificate).toBeUndefined();
      expect((await world.domain(after.id)).liveSince).toBeDefined();
      const [own, ...others] = await world.domains.domains.served(0, 10);
      expect([own?.domain.id, others]).toEqual([after.id, []]);
    }
  });

  test("during a step closes the order, whatever the step's result", async () => {
    const world = await open();
    const { id } = await world.add(1);
    const pipeline = world.pipeline();
    const { download } = world.authority;
    world.authority.download = async (...args) => {
      await world.remove(id);
      return download(...args);
    };
    await drive(world, pipeline, START + DAY_MS);
    const domain = await world.domain(id);
    expect(domain.certificate).toBeUndefined();
    expect(domain.removal).toBeDefined();
  });

  test("of a live domain deactivates its authorizations", async () => {
    const world = await open();
    const { id } = await world.add(1);
    const pipeline = world.pipeline();
    await drive(world, pipeline, START + HOUR_MS);
    await world.remove(id);
    await drive(world, pipeline, START + 2 * HOUR_MS);
    expect(world.authority.orders.map(({ proof }) => proof)).toEqual(["deactivated"]);
  });

  test("undone by the same project is live at once, with the old certificate", async () => {
    const world = await open();
    const { id, name } = await world.add(1);
    const pipeline = world.pipeline();
    await drive(world, pipeline, START + HOUR_MS);
    const { certificate } = await world.domain(id);
    await world.remove(id);
    await drive(world, pipeline, START + 10 * DAY_MS);
    const from = await world.domain(id);
    const now = world.clock.now();
    const to = restored(from, someDomain(1, {}, now), now);
    const { kind: _add, domain: _domain, ...limits } = adding(to);
    await world.domains.commit([{ ...limits, kind: "domain.restore", from, to, at: now }], system);
    expect(world.dns.get(name)).toBe(to.targetLabel);
    await drive(world, pipeline, now + SECOND_MS);
    const domain = await world.domain(id);
    expect(statusOf(domain, now)).toBe("live");
    expect(domain.certificate?.id).toBe(certificate?.id ?? "");
    expect(count(world, "newOrder")).toBe(1);
  });

  test("ends after 30 days with only the target left", async () => {
    const world = await open();
    const { id, name, projectId, targetLabel } = await world.add(1);
    const pipeline = world.pipeline();
    await drive(world, pipeline, START + HOUR_MS);
    const { certificate } = await world.domain(id);
    await world.remove(id);
    await drive(world, pipeline, START + HOUR_MS + REMOVED_KEPT_MS - 1);
    expect(await world.domains.certificates.byId(certificate?.id ?? "")).toBeDefined();
    await drive(world, pipeline, START + HOUR_MS + REMOVED_KEPT_MS);
    expect(await world.domains.domains.byId(id)).toBeUndefined();
    expect(await world.domains.certificates.byId(certificate?.id ?? "")).toBeUndefined();
    expect(await world.domains.targets.of(projectId, name)).toBe(targetLabel);
  });
});

describe("a name held by another account", () => {
  async function contested(): Promise<{ world: World; holder: string; claimant: string }> {
    const world = await open();
    const holder = await world.add(1);
    await drive(world, world.pipeline(), START + HOUR_MS);
    const claimant = await world.add(2, { name: holder.name, attachedBefore: true });
    return { world, holder: holder.id, claimant: claimant.id };
  }

  test("cannot be claimed by a record alone", async () => {
    const { world, holder, claimant } = await contested();
    await drive(world, world.pipeline(), START + 6 * DAY_MS);
    expect((await world.domain(claimant)).heldSince).toBeUndefined();
    expect((await world.domain(holder)).heldSince).toBeDefined();
    expect(count(world, "newOrder")).toBe(1);
  });

  test("moves at once to the proven owner if the holder's record points elsewhere", async () => {
    const { world, holder, claimant } = await contested();
    const { name, ownershipToken } = await world.domain(claimant);
    world.proofs.set(name, ownershipToken);
    await drive(world, world.pipeline(), world.clock.now() + HOUR_MS);
    expect((await world.domain(holder)).lostAt).toBeDefined();
    expect((await world.domains.domains.holderOf(name))?.id).toBe(claimant);
    expect(statusOf(await world.domain(claimant), world.clock.now())).toBe("live");
  });

  test("is lost without a word about who of the other account requested the check", async () => {
    const { world, holder, claimant } = await contested();
    for (const id of [1, 2]) await world.store.commit([someAccount(id)], system);
    const { name, ownershipToken } = await world.domain(claimant);
    world.proofs.set(name, ownershipToken);
    const before = await world.store.events.last();
    const actor = { kind: "member", id: "mem_one" } as const;
    await world.pipeline().verify(claimant, actor, signal);
    const events = await world.store.events.after(before, 10);
    expect(events.map(({ type, data, actor: by }) => [type, data["domainId"], by])).toEqual([
      ["domain.removed", holder, system],
      ["domain.verified", claimant, actor],
    ]);
  });

  test("moves 72 hours after the holder was notified if the holder still verifies", async () => {
    const { world, holder, claimant } = await contested();
    const { name, ownershipToken } = await world.domain(claimant);
    world.proofs.set(name, ownershipToken);
    const at = world.clock.now();
    // Both verify, which addresses at an apex allow.
    const pipeline = world.pipeline({
      verifier: async (subject) =>
        subject.contested && world.proofs.get(name) !== subject.ownershipToken
          ? { state: "blocked", blocking: ["ownership_missing"], leadsHere: true, details: null }
          : { state: "verified", blocking: [], leadsHere: true, details: null },
    });
    await drive(world, pipeline, at + CLAIM_WAIT_MS - 1);
    expect((await world.domain(holder)).heldSince).toBeDefined();
    expect((await world.domains.timeline.of(holder, 1))[0]?.kind).toBe("contested");
    await drive(world, pipeline, at + CLAIM_WAIT_MS + MINUTE_MS);
    expect((await world.domain(holder)).heldSince).toBeUndefined();
    expect(statusOf(await world.domain(claimant), world.clock.now())).toBe("live");
  });

  test("stays while the holder's records cannot be queried", async () => {
    const { world, holder, claimant } = await contested();
    const { name, ownershipToken } = await world.domain(claimant);
    world.proofs.set(name, ownershipToken);
    const pipeline = world.pipeline({
      verifier: async ({ contested: rival }) =>
        rival
          ? { state: "verified", blocking: [], leadsHere: true, details: null }
          : { state: "unknown", blocking: [], leadsHere: false, details: null },
    });
    await drive(world, pipeline, world.clock.now() + HOUR_MS);
    expect((await world.domain(holder)).heldSince).toBeDefined();
  });
});

describe("gates", () => {
  test("without the plan, there are no checks and no orders", async () => {
    const world = await open();
    const { id, projectId } = await world.add(1);
    world.gates.set(projectId, { plan: false, deploy: true, project: true });
    const pipeline = world.pipeline();
    await pipeline.verify(id, system, signal);
    await drive(world, pipeline, START + 3 * DAY_MS);
    expect(world.looks).toBe(0);
    expect(world.authority.calls).toEqual([]);
  });

  test("a requested check notices an upgraded plan", async () => {
    const world = await open();
    const { id, projectId } = await world.add(1);
    world.gates.set(projectId, { plan: false, deploy: true, project: true });
    const pipeline = world.pipeline();
    await pipeline.verify(id, system, signal);
    world.gates.delete(projectId);
    world.clock.advance(SECOND_MS);
    expect((await pipeline.verify(id, system, signal))?.dns.state).toBe("verified");
  });

  test("an open order is closed when the plan ends, and serving ends with the grace period", async () => {
    const world = await open();
    const { id, name, projectId } = await world.add(1);
    const pipeline = world.pipeline();
    for (let step = 0; step < 4; step++) await pipeline.advance(id, signal);
    expect(await world.domains.orders.of(name)).toBeDefined();
    world.gates.set(projectId, { plan: false, deploy: true, project: true });
    await drive(world, pipeline, START + DAY_MS);
    expect(await world.domains.orders.of(name)).toBeUndefined();
    const { gates } = await world.domain(id);
    expect(gates.lapsedAt).toBe(START);
    await drive(world, pipeline, START + GRACE_MS);
    expect((await world.domain(id)).gates.stoppedAt).toBe(START + GRACE_MS);
  });
});

describe("leases", () => {
  test("prevent concurrent work on a name", async () => {
    const world = await open();
    const { id, name } = await world.add(1);
    const lease = await world.leases.acquire(`domain:${name}`, LEASE_MS);
    expect(lease).toBeDefined();
    expect(await world.pipeline().advance(id, signal)).toEqual({ kind: "busy" });
    world.clock.advance(LEASE_MS);
    expect(await world.pipeline().advance(id, signal)).toEqual({ kind: "did", task: "check" });
  });

  test("cause the due task to be checked again once acquired", async () => {
    const world = await open();
    const { id } = await world.add(1);
    const { leases } = world;
    // Another process is faster, between reading the row and the lease.
    const slow: Leases = {
      ...leases,
      acquire: async (...args) => {
        if (world.looks === 0) await drive(world, world.pipeline(), START + MINUTE_MS);
        return leases.acquire(...args);
      },
    };
    expect(await world.pipeline({ leases: slow }).advance(id, signal)).toEqual({ kind: "idle" });
    expect(world.looks).toBe(1);
    expect(count(world, "newOrder")).toBe(1);
  });

  test("prevent writes by a process that slept past the expiry", async () => {
    const world = await open();
    const { id } = await world.add(1);
    const slow = world.pipeline({
      verifier: async () => {
        world.clock.advance(LEASE_MS);
        expect((await world.pipeline().advance(id, signal)).kind).toBe("did");
        return { state: "blocked", blocking: ["no_record"], leadsHere: false, details: null };
      },
    });
    expect(await slow.advance(id, signal)).toEqual({ kind: "superseded" });
    expect((await world.domain(id)).dns.state).toBe("verified");
  });

  test("cover several tasks, until one is not due", async () => {
    const world = await open();
    const { id, name } = await world.add(1);
    const acquired: string[] = [];
    const leases: Leases = {
      ...world.leases,
      acquire: (lease, ...rest) => {
        acquired.push(lease);
        return world.leases.acquire(lease, ...rest);
      },
    };
    const pipeline = world.pipeline({ leases });
    expect(await pipeline.advance(id, signal, 3)).toEqual({ kind: "did", task: "order" });
    expect((await world.domains.orders.of(name))?.state.step).toBe("ordered");
    expect(await pipeline.advance(id, signal, 50)).toEqual({ kind: "did", task: "order" });
    // The CA has been asked to validate, and is polled later.
    expect((await world.domains.orders.of(name))?.state.step).toBe("answered");
    const own = `domain:${name}`;
    expect(acquired.filter((lease) => lease === own)).toHaveLength(2);
    expect(await world.leases.acquire(own, LEASE_MS)).toBeDefined();
  });

  test("are not acquired for domains without a due task", async () => {
    const world = await open();
    const domain = await world.add(1);
    await world.domains.commit([saving(domain, { watch: { since: START + 1 } })], system);
    expect(await world.pipeline().advance(domain.id, signal)).toEqual({ kind: "idle" });
    expect(await world.pipeline().advance("dom_unknown", signal)).toEqual({ kind: "gone" });
  });
});
