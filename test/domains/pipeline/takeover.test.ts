import { describe, expect, test } from "bun:test";

import { system } from "../../../lib/model/actor.ts";
import { evaluateCaa } from "../../../domains/model/caa.ts";
import type { Domain } from "../../../domains/model/domain.ts";
import { newTargetLabel } from "../../../domains/model/target.ts";
import { certificatesOf } from "../../../domains/serving/presented.ts";
import { createRouteTable } from "../../../domains/serving/routes.ts";
import { DAY_MS, HOUR_MS } from "../../../lib/base/clock.ts";
import { systemRandom } from "../../../lib/base/id.ts";
import { adding, saving, someAccount, someDomain, START } from "../../helpers/domains/rows.ts";
import { drive, type World } from "../../helpers/domains/world.ts";
import { worlds } from "../../helpers/domains/worlds.ts";

const open = worlds();

/** Adds a domain without setting any records. */
async function attack(world: World, number: number, name: string): Promise<Domain> {
  const domain = someDomain(number, { name }, world.clock.now());
  const attachedBefore = await world.domains.targets.attachedElsewhere(name, domain.accountId);
  const added = await world.domains.commit([adding({ ...domain, attachedBefore })], system);
  expect(added.ok).toBe(true);
  return domain;
}

/** Adds a domain for a name whose records now lead to it and prove its ownership. */
async function claim(world: World, name: string): Promise<Domain> {
  const domain = await attack(world, 2, name);
  world.dns.set(name, domain.targetLabel);
  world.proofs.set(name, domain.ownershipToken);
  return domain;
}

/** A domain that is held for an hour. */
async function held() {
  const world = await open();
  const owner = await world.add(1);
  const pipeline = world.pipeline();
  await drive(world, pipeline, START + HOUR_MS);
  return { world, owner, pipeline };
}

describe("an account that wants a name it does not own", () => {
  test("gains nothing from a CNAME that the owner left behind", async () => {
    const { world, owner, pipeline } = await held();
    await world.remove(owner.id);
    // The record still points to the owner's target.
    const thief = await attack(world, 2, owner.name);
    expect(thief.targetLabel).not.toBe(owner.targetLabel);
    await drive(world, pipeline, START + 8 * DAY_MS);
    const after = await world.domain(thief.id);
    expect(after.heldSince).toBeUndefined();
    expect(after.removal?.reason).toBe("expired");
  });

  test("never gets another project's target, however old", async () => {
    const world = await open();
    const owner = await world.add(1);
    await world.remove(owner.id);
    await drive(world, world.pipeline(), START + 40 * DAY_MS);
    expect(await world.domains.domains.byId(owner.id)).toBeUndefined();
    const { name, targetLabel } = owner;
    const thief = someDomain(2, { name, targetLabel }, world.clock.now());
    expect(await world.domains.commit([adding(thief)], system)).toEqual({
      ok: false,
      failure: "stale",
    });
    const elsewhere = someDomain(3, { name: "other.test", targetLabel }, world.clock.now());
    expect(await world.domains.commit([adding(elsewhere)], system)).toEqual({
      ok: false,
      failure: "stale",
    });
  });

  test("gets no subdomain of a held name without a record in the owner's zone", async () => {
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

  test("gains nothing from its own ACME account if CAA names ours", () => {
    const ours = "https://ca.test/account/1";
    const records = [{ flags: 0, tag: "issue", value: `ca.test; accounturi=${ours}` }];
    const request = { identities: ["ca.test"], methods: ["http-01"] };
    expect(evaluateCaa(records, { ...request, accountUri: ours }).kind).toBe("allowed");
    expect(evaluateCaa(records, { ...request, accountUri: "https://ca.test/account/2" })).toEqual({
      kind: "forbidden",
      reason: "other_account",
    });
  });

  test("cannot guess a target", () => {
    const labels = Array.from({ length: 1_000 }, () => newTargetLabel(systemRandom));
    expect(new Set(labels).size).toBe(1_000);
    for (const label of labels) expect(label).toMatch(/^[\da-f]{32}$/);
  });

  test("must prove ownership if another account attached the name before", async () => {
    const world = await open();
    const owner = await world.add(1);
    await world.remove(owner.id);
    await drive(world, world.pipeline(), START + 40 * DAY_MS);
    const { name, accountId } = owner;
    expect(await world.domains.targets.attachedElsewhere(name, "acc_2")).toBe(true);
    expect(await world.domains.targets.attachedElsewhere(name, accountId)).toBe(false);
  });

  test("cannot lock out the owner by adding the name first", async () => {
    const world = await open();
    const squatter = await attack(world, 1, "pets2.test");
    const owner = await world.add(2);
    const pipeline = world.pipeline();
    await drive(world, pipeline, START + HOUR_MS);
    expect((await world.domains.domains.holderOf("pets2.test"))?.id).toBe(owner.id);
    await drive(world, pipeline, START + 8 * DAY_MS);
    expect((await world.domain(squatter.id)).removal?.reason).toBe("expired");
  });

  test("does not profit from adding the name first when the owner points an ALIAS here", async () => {
    const world = await open();
    const squatter = await attack(world, 1, "shelter.test");
    const pipeline = world.pipeline();
    await drive(world, pipeline, START + HOUR_MS);
    expect((await world.domain(squatter.id)).ledHere).toBe(false);
    const owner = await attack(world, 2, squatter.name);
    // The addresses are the same for every account.
    world.aliases.add(owner.name);
    await pipeline.verify(squatter.id, system, new AbortController().signal);
    await drive(world, pipeline, world.clock.now() + HOUR_MS);
    expect(await world.domains.domains.holderOf(owner.name)).toBeUndefined();
    world.proofs.set(owner.name, owner.ownershipToken);
    await drive(world, pipeline, world.clock.now() + HOUR_MS);
    expect((await world.domains.domains.holderOf(owner.name))?.id).toBe(owner.id);
  });

  test("cannot make the holder prove ownership again", async () => {
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

  test("loses an expired domain to its new owner", async () => {
    const { world, owner: before, pipeline } = await held();
    const buyer = await claim(world, before.name);
    await drive(world, pipeline, world.clock.now() + HOUR_MS);
    expect((await world.domains.domains.holderOf(before.name))?.id).toBe(buyer.id);
    expect((await world.domain(before.id)).lostAt).toBeDefined();
  });

  test("gains nothing when the owner's plan ends: the name stays reserved", async () => {
    const { world, owner, pipeline } = await held();
    world.gates.set(owner.projectId, { plan: false, deploy: true, project: true });
    await drive(world, pipeline, START + 20 * DAY_MS);
    const thief = await attack(world, 2, owner.name);
    await drive(world, pipeline, START + 21 * DAY_MS);
    expect((await world.domains.domains.holderOf(owner.name))?.id).toBe(owner.id);
    expect((await world.domain(thief.id)).heldSince).toBeUndefined();
  });

  test("gets no certificate by requesting the name", async () => {
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

  test("gains nothing from the CA's authorizations for the owner", async () => {
    const { world, owner, pipeline } = await held();
    await claim(world, owner.name);
    await drive(world, pipeline, world.clock.now() + HOUR_MS);
    const [first, second] = world.authority.orders;
    expect(first?.proof).toBe("deactivated");
    expect(second?.proof).toBe("valid");
  });

  test("does not inherit the previous holder's open order", async () => {
    const world = await open();
    const loser = await world.add(1);
    const pipeline = world.pipeline();
    world.authority.validate = async () => undefined;
    await drive(world, pipeline, START + HOUR_MS / 2);
    const [, ...none] = world.authority.orders;
    expect(none).toEqual([]);
    const winner = await claim(world, loser.name);
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

  test("needs the token of this attempt, not of an earlier one", async () => {
    const { world, owner, pipeline } = await held();
    const claimant = await attack(world, 2, owner.name);
    world.dns.set(owner.name, claimant.targetLabel);
    world.proofs.set(owner.name, "the token of last year");
    await drive(world, pipeline, world.clock.now() + DAY_MS);
    expect((await world.domains.domains.holderOf(owner.name))?.id).toBe(owner.id);
  });

  test("is reported to the owner through the outbox", async () => {
    const world = await open();
    await world.store.commit([someAccount(1)], system);
    const owner = await world.add(1);
    const pipeline = world.pipeline();
    await drive(world, pipeline, START + HOUR_MS);
    await claim(world, owner.name);
    await drive(world, pipeline, world.clock.now() + HOUR_MS);
    const events = await world.store.events.after(0, 50, owner.accountId);
    expect(events.at(-1)).toMatchObject({
      type: "domain.removed",
      data: { domain: owner.name, code: "taken" },
    });
  });

  test("cannot displace the holder while name servers are silent", async () => {
    const { world, owner, pipeline } = await held();
    world.silent.add(owner.name);
    await attack(world, 2, owner.name);
    await drive(world, pipeline, START + 4 * DAY_MS);
    expect((await world.domains.domains.holderOf(owner.name))?.id).toBe(owner.id);
  });
});

describe("a domain of a project whose account was deleted", () => {
  test("is removed, and its name is free", async () => {
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

  test("refuses changes based on its previous state", async () => {
    const world = await open();
    const domain = await world.add(1);
    await world.remove(domain.id);
    expect(await world.domains.commit([saving(domain, { hstsSeconds: 1 })], system)).toEqual({
      ok: false,
      failure: "stale",
    });
  });
});
