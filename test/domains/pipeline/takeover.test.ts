import { afterEach, describe, expect, test } from "bun:test";

import { evaluateCaa } from "../../../domains/model/caa.ts";
import type { Domain } from "../../../domains/model/domain.ts";
import { newTargetLabel } from "../../../domains/model/target.ts";
import { certificatesOf } from "../../../domains/presented.ts";
import { createRouteTable } from "../../../domains/routes.ts";
import { DAY_MS, HOUR_MS } from "../../../lib/base/clock.ts";
import { systemRandom } from "../../../lib/base/id.ts";
import { adding, saving, someAccount, someDomain, START } from "../../helpers/domains/rows.ts";
import { drive, openWorld, type World } from "../../helpers/domains/world.ts";

const opened: World[] = [];
afterEach(async () => {
  for (const world of opened.splice(0)) await world.close();
});

async function open(): Promise<World> {
  const world = await openWorld();
  opened.push(world);
  return world;
}

/** Adds a domain as somebody does whose record is not there: nothing is set in the DNS. */
async function attack(world: World, number: number, name: string): Promise<Domain> {
  const domain = someDomain(number, { name }, world.clock.now());
  const attachedBefore = await world.domains.targets.attachedElsewhere(name, domain.accountId);
  const added = await world.domains.commit([adding({ ...domain, attachedBefore })]);
  expect(added.ok).toBe(true);
  return domain;
}

describe("somebody who wants a name that is not theirs", () => {
  test("gets nothing from a CNAME that its owner left behind", async () => {
    const world = await open();
    const owner = await world.add(1);
    const pipeline = world.pipeline();
    await drive(world, pipeline, START + HOUR_MS);
    await world.remove(owner.id);
    // The record still leads to the owner's target.
    const thief = await attack(world, 2, owner.name);
    expect(thief.targetLabel).not.toBe(owner.targetLabel);
    await drive(world, pipeline, START + 8 * DAY_MS);
    const after = await world.domain(thief.id);
    expect(after.heldSince).toBeUndefined();
    expect(after.removal?.reason).toBe("expired");
  });

  test("cannot be given the target of somebody else, however long that one is gone", async () => {
    const world = await open();
    const owner = await world.add(1);
    await world.remove(owner.id);
    await drive(world, world.pipeline(), START + 40 * DAY_MS);
    expect(await world.domains.domains.byId(owner.id)).toBeUndefined();
    const { name, targetLabel } = owner;
    const thief = someDomain(2, { name, targetLabel }, world.clock.now());
    expect(await world.domains.commit([adding(thief)])).toEqual({ ok: false, failure: "stale" });
    const elsewhere = someDomain(3, { name: "other.test", targetLabel }, world.clock.now());
    expect(await world.domains.commit([adding(elsewhere)])).toEqual({
      ok: false,
      failure: "stale",
    });
  });

  test("gets no subdomain of a name that its owner holds, without a record in the owner's zone", async () => {
    const world = await open();
    const owner = await world.add(1, { name: "shelter.test" });
    const pipeline = world.pipeline();
    await drive(world, pipeline, START + HOUR_MS);
    expect((await world.domain(owner.id)).heldSince).toBeDefined();
    const thief = await attack(world, 2, "pets.shelter.test");
    await drive(world, pipeline, START + 8 * DAY_MS);
    const after = await world.domain(thief.id);
    expect([after.heldSince, after.certificate]).toEqual([undefined, undefined]);
    expect(after.removal?.reason).toBe("expired");
  });

  test("gets nothing from an ACME account of their own where CAA names ours", () => {
    const ours = "https://ca.test/account/1";
    const records = [{ flags: 0, tag: "issue", value: `ca.test; accounturi=${ours}` }];
    const asked = { identities: ["ca.test"], methods: ["http-01"] };
    expect(evaluateCaa(records, { ...asked, accountUri: ours }).kind).toBe("allowed");
    expect(evaluateCaa(records, { ...asked, accountUri: "https://ca.test/account/2" })).toEqual({
      kind: "forbidden",
      reason: "other_account",
    });
  });

  test("cannot guess a target", () => {
    const labels = Array.from({ length: 1_000 }, () => newTargetLabel(systemRandom));
    expect(new Set(labels).size).toBe(1_000);
    for (const label of labels) expect(label).toMatch(/^[\da-f]{32}$/);
  });

  test("is known to have been preceded, so that ownership is asked for", async () => {
    const world = await open();
    const owner = await world.add(1);
    await world.remove(owner.id);
    await drive(world, world.pipeline(), START + 40 * DAY_MS);
    const { name, accountId } = owner;
    expect(await world.domains.targets.attachedElsewhere(name, "acc_2")).toBe(true);
    expect(await world.domains.targets.attachedElsewhere(name, accountId)).toBe(false);
  });

  test("does not keep it from its owner by adding it first", async () => {
    const world = await open();
    const squatter = await attack(world, 1, "pets2.test");
    const owner = await world.add(2);
    const pipeline = world.pipeline();
    await drive(world, pipeline, START + HOUR_MS);
    expect((await world.domains.domains.holderOf("pets2.test"))?.id).toBe(owner.id);
    await drive(world, pipeline, START + 8 * DAY_MS);
    expect((await world.domain(squatter.id)).removal?.reason).toBe("expired");
  });

  test("is not helped by having added it first when its owner lets it lead here by an ALIAS", async () => {
    const world = await open();
    const squatter = await attack(world, 1, "shelter.test");
    const pipeline = world.pipeline();
    await drive(world, pipeline, START + HOUR_MS);
    expect((await world.domain(squatter.id)).ledHere).toBe(false);
    const owner = await attack(world, 2, squatter.name);
    // The addresses are the same whoever had the record made.
    world.aliases.add(owner.name);
    await pipeline.verify(squatter.id, new AbortController().signal);
    await drive(world, pipeline, world.clock.now() + HOUR_MS);
    expect(await world.domains.domains.holderOf(owner.name)).toBeUndefined();
    world.proofs.set(owner.name, owner.ownershipToken);
    await drive(world, pipeline, world.clock.now() + HOUR_MS);
    expect((await world.domains.domains.holderOf(owner.name))?.id).toBe(owner.id);
  });

  test("does not make the holder prove it again by adding it", async () => {
    const world = await open();
    const owner = await world.add(1);
    const pipeline = world.pipeline();
    world.dns.delete(owner.name);
    await drive(world, pipeline, START + HOUR_MS);
    world.aliases.add(owner.name);
    await drive(world, pipeline, START + 2 * HOUR_MS);
    expect((await world.domains.domains.holderOf(owner.name))?.id).toBe(owner.id);
    await attack(world, 2, owner.name);
    await drive(world, pipeline, START + 100 * DAY_MS);
    expect((await world.domain(owner.id)).dns.state).toBe("verified");
  });

  test("and had it before it expired loses it to the one who bought it", async () => {
    const world = await open();
    const before = await world.add(1);
    const pipeline = world.pipeline();
    await drive(world, pipeline, START + HOUR_MS);
    const buyer = await attack(world, 2, before.name);
    world.dns.set(before.name, buyer.targetLabel);
    world.proofs.set(before.name, buyer.ownershipToken);
    await drive(world, pipeline, world.clock.now() + HOUR_MS);
    expect((await world.domains.domains.holderOf(before.name))?.id).toBe(buyer.id);
    expect((await world.domain(before.id)).lostAt).toBeDefined();
  });

  test("gets nothing when the owner's plan ends: the name stays reserved", async () => {
    const world = await open();
    const owner = await world.add(1);
    const pipeline = world.pipeline();
    await drive(world, pipeline, START + HOUR_MS);
    world.gates.set(owner.projectId, { plan: false, deploy: true, project: true });
    await drive(world, pipeline, START + 20 * DAY_MS);
    const thief = await attack(world, 2, owner.name);
    await drive(world, pipeline, START + 21 * DAY_MS);
    expect((await world.domains.domains.holderOf(owner.name))?.id).toBe(owner.id);
    expect((await world.domain(thief.id)).heldSince).toBeUndefined();
  });

  test("gets no certificate by asking for the name alone", async () => {
    const world = await open();
    const { name } = await attack(world, 1, "pets1.test");
    const routes = createRouteTable({
      store: world.domains,
      clock: world.clock,
      gatekeeper: { slugOf: async () => "site" },
    });
    await drive(world, world.pipeline(), START + DAY_MS);
    await routes.refresh();
    const certificateFor = certificatesOf({ store: world.domains, routes, seal: world.seal });
    expect(certificateFor(name)).toBeUndefined();
    expect(certificateFor(`sub.${name}`)).toBeUndefined();
    expect(world.authority.calls).toEqual([]);
  });

  test("profits from no authorization that the CA granted for the owner", async () => {
    const world = await open();
    const owner = await world.add(1);
    const pipeline = world.pipeline();
    await drive(world, pipeline, START + HOUR_MS);
    const thief = await attack(world, 2, owner.name);
    world.dns.set(owner.name, thief.targetLabel);
    world.proofs.set(owner.name, thief.ownershipToken);
    await drive(world, pipeline, world.clock.now() + HOUR_MS);
    const [first, second] = world.authority.orders;
    expect(first?.proof).toBe("deactivated");
    expect(second?.proof).toBe("valid");
  });

  test("does not inherit the order that was open for the one who lost the name", async () => {
    const world = await open();
    const loser = await world.add(1);
    const pipeline = world.pipeline();
    world.authority.validate = async () => undefined;
    await drive(world, pipeline, START + HOUR_MS / 2);
    const [, ...none] = world.authority.orders;
    expect(none).toEqual([]);
    const winner = await attack(world, 2, loser.name);
    world.dns.set(loser.name, winner.targetLabel);
    world.proofs.set(loser.name, winner.ownershipToken);
    const down = { code: "unavailable", message: "", names: [] } as const;
    world.authority.fault = (call) => (call === "deactivate" ? down : undefined);
    await drive(world, pipeline, world.clock.now() + 1, 20).catch(() => {});
    expect((await world.domains.domains.holderOf(loser.name))?.id).toBe(winner.id);
    expect(await pipeline.advance(winner.id, new AbortController().signal)).toEqual({
      kind: "busy",
    });
    expect((await world.domains.orders.of(loser.name))?.domainId).toBe(loser.id);
    world.authority.fault = () => undefined;
    world.authority.validate = async () => true;
    world.clock.advance(HOUR_MS);
    await pipeline.advance(loser.id, new AbortController().signal);
    await drive(world, pipeline, world.clock.now() + HOUR_MS);
    expect((await world.domain(winner.id)).certificate).toBeDefined();
    expect((await world.domain(loser.id)).certificate).toBeUndefined();
    expect(world.authority.orders.map(({ proof }) => proof)).toEqual(["deactivated", "valid"]);
  });

  test("needs the token of this attempt: one from an earlier one proves nothing", async () => {
    const world = await open();
    const owner = await world.add(1);
    const pipeline = world.pipeline();
    await drive(world, pipeline, START + HOUR_MS);
    const claimant = await attack(world, 2, owner.name);
    world.dns.set(owner.name, claimant.targetLabel);
    world.proofs.set(owner.name, "the token of last year");
    await drive(world, pipeline, world.clock.now() + DAY_MS);
    expect((await world.domains.domains.holderOf(owner.name))?.id).toBe(owner.id);
  });

  test("is told to the owner, whose domain says so in the outbox", async () => {
    const world = await open();
    await world.store.commit([someAccount(1)]);
    const owner = await world.add(1);
    const pipeline = world.pipeline();
    await drive(world, pipeline, START + HOUR_MS);
    const claimant = await attack(world, 2, owner.name);
    world.dns.set(owner.name, claimant.targetLabel);
    world.proofs.set(owner.name, claimant.ownershipToken);
    await drive(world, pipeline, world.clock.now() + HOUR_MS);
    const events = await world.store.events.after(0, 50, owner.accountId);
    expect(events.at(-1)).toMatchObject({
      type: "domain.removed",
      data: { domain: owner.name, code: "taken" },
    });
  });

  test("cannot make the holder lose it while name servers are silent", async () => {
    const world = await open();
    const owner = await world.add(1);
    const pipeline = world.pipeline();
    await drive(world, pipeline, START + HOUR_MS);
    world.silent.add(owner.name);
    await attack(world, 2, owner.name);
    await drive(world, pipeline, START + 4 * DAY_MS);
    expect((await world.domains.domains.holderOf(owner.name))?.id).toBe(owner.id);
  });
});

describe("a domain of a project whose account is gone", () => {
  test("is removed, and its name free", async () => {
    const world = await open();
    const { id, name, projectId } = await world.add(1);
    const pipeline = world.pipeline();
    await drive(world, pipeline, START + HOUR_MS);
    world.gates.set(projectId, { plan: false, deploy: false, project: false });
    await pipeline.checkGates(id);
    expect((await world.domain(id)).removal?.reason).toBe("project_gone");
    expect(await world.domains.domains.holderOf(name)).toBeUndefined();
    const next = await world.add(2, { name });
    await drive(world, pipeline, world.clock.now() + HOUR_MS);
    expect((await world.domains.domains.holderOf(name))?.id).toBe(next.id);
  });

  test("can be changed by nobody who decided on what it was before", async () => {
    const world = await open();
    const domain = await world.add(1);
    await world.remove(domain.id);
    expect(await world.domains.commit([saving(domain, { hstsSeconds: 1 })])).toEqual({
      ok: false,
      failure: "stale",
    });
  });
});
