import { describe, expect, test } from "bun:test";

import { system } from "../../../lib/model/actor.ts";
import { CLAIM_WAIT_MS, GRACE_MS, REMOVED_KEPT_MS } from "../../../domains/model/domain.ts";
import { restored } from "../../../domains/model/apply-outcome.ts";
import { statusOf } from "../../../domains/model/domain-state.ts";
import type { Leases } from "../../../domains/ports/leases.ts";
import type { Observation } from "../../../domains/ports/observation.ts";
import { LEASE_MS } from "../../../domains/pipeline/work.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../lib/base/clock.ts";
import { adding, saving, someAccount, someDomain, START } from "../../helpers/domains/rows.ts";
import { drive, type World } from "../../helpers/domains/world.ts";
import { worlds } from "../../helpers/domains/worlds.ts";

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
