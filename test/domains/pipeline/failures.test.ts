import { describe, expect, test } from "bun:test";

import { system } from "../../../lib/model/actor.ts";
import { StoreUnavailable } from "../../../lib/sql/sql.ts";
import { applyOutcome } from "../../../domains/model/apply-outcome.ts";
import { statusOf } from "../../../domains/model/domain-state.ts";
import type { Observation } from "../../../domains/ports/observation.ts";
import { LEASE_MS } from "../../../domains/pipeline/work.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../lib/base/clock.ts";
import { Crash, dyingAt } from "../../helpers/domains/dying.ts";
import { saving, START } from "../../helpers/domains/rows.ts";
import { drive, type World } from "../../helpers/domains/world.ts";
import { worlds } from "../../helpers/domains/worlds.ts";
import { rejection } from "../../helpers/rejection.ts";

const signal = new AbortController().signal;
const open = worlds();

const count = (world: World, call: string): number =>
  world.authority.calls.filter((made) => made.startsWith(call)).length;

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
