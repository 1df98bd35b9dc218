import { describe, expect, test } from "bun:test";

import { system } from "../../../lib/model/actor.ts";
import { inspectChain } from "../../../domains/acme/inspect.ts";
import { keyFingerprint } from "../../../domains/acme/keys.ts";
import { ownProblem } from "../../../domains/model/acme-problem.ts";
import { restored } from "../../../domains/model/apply-outcome.ts";
import { statusOf } from "../../../domains/model/domain-state.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../lib/base/clock.ts";
import { Crash, dyingAt } from "../../helpers/domains/dying.ts";
import { lostAnswer } from "../../helpers/domains/fake-authority.ts";
import { openActions } from "../../helpers/domains/actions-fixture.ts";
import { adding, someDomain, START } from "../../helpers/domains/rows.ts";
import { drive } from "../../helpers/domains/world.ts";
import { worlds } from "../../helpers/domains/worlds.ts";

const open = worlds();

/** A live domain, with the actions. */
async function live() {
  const world = await open();
  const { domains } = await openActions({ clock: world.clock, store: () => world.domains });
  const { id, name, projectId, accountId } = await world.add(1);
  await drive(world, world.pipeline(), START + MINUTE_MS);
  const { certificate } = await world.domain(id);
  const kept = await world.domains.certificates.byId(certificate?.id ?? "");
  if (certificate === undefined || kept === undefined) throw new Error("not live");
  const facts = inspectChain(kept.chainPem)?.certificates[0];
  return {
    world,
    id,
    domains,
    before: certificate.id,
    chainPem: kept.chainPem,
    fingerprint: facts?.publicKey ?? "",
    revoke: (reason: "keyCompromise" | "superseded" | "cessationOfOperation" | "unspecified") =>
      domains.revoke({ projectId, accountId }, name, reason),
  };
}

describe("a certificate to be revoked", () => {
  test.each([
    ["keyCompromise", "key"],
    ["superseded", "account"],
    ["cessationOfOperation", "account"],
    ["unspecified", "account"],
  ] as const)("for %s is revoked by its %s, once another one is served", async (reason, by) => {
    const { world, id, before, chainPem, fingerprint, revoke } = await live();
    expect((await revoke(reason)).ok).toBe(true);
    let servedThen: string | undefined;
    const { authority } = world;
    const watched = {
      ...authority,
      revoke: async (...args: Parameters<typeof authority.revoke>) => {
        servedThen = (await world.domain(id)).certificate?.id;
        return authority.revoke(...args);
      },
    };
    await drive(world, world.pipeline({ authorities: [watched] }), START + 5 * MINUTE_MS);
    const after = await world.domain(id);
    expect(statusOf(after, world.clock.now())).toBe("live");
    expect(after.certificate?.id).not.toBe(before);
    expect(servedThen).toBe(after.certificate?.id ?? "");
    expect(authority.revoked).toEqual([{ pem: chainPem, reason, by }]);
    expect(after.revocation).toBeUndefined();
    expect(await world.domains.keys.isBlocked(fingerprint)).toBe(reason === "keyCompromise");
    const messages = (await world.domains.timeline.of(id, 9)).map(({ message }) => message);
    expect(messages).toContain(`A certificate was revoked (${reason}).`);
  });

  test("first has its key blocked, so that no order completes with it", async () => {
    const { world, id, fingerprint, revoke } = await live();
    await revoke("keyCompromise");
    expect(await world.domains.keys.isBlocked(fingerprint)).toBe(true);
    await drive(world, world.pipeline(), START + 5 * MINUTE_MS);
    const { certificate } = await world.domain(id);
    const kept = await world.domains.certificates.byId(certificate?.id ?? "");
    const key = world.seal.open(kept?.sealedKey ?? "", `certificate ${certificate?.id}`);
    expect(keyFingerprint(key)).not.toBe(fingerprint);
  });

  test("is revoked after a day even without a replacement", async () => {
    const { world, before, id, revoke } = await live();
    world.authority.fault = (call) =>
      call === "newOrder" ? ownProblem("name_refused", "no") : undefined;
    await revoke("keyCompromise");
    const pipeline = world.pipeline();
    await drive(world, pipeline, START + DAY_MS - HOUR_MS);
    expect(world.authority.revoked).toEqual([]);
    await drive(world, pipeline, START + DAY_MS + HOUR_MS);
    expect(world.authority.revoked).toHaveLength(1);
    expect((await world.domain(id)).certificate?.id).toBe(before);
  });

  test("of a removed domain is revoked at once, and not restored", async () => {
    const { world, id, revoke } = await live();
    await world.remove(id);
    expect((await revoke("cessationOfOperation")).ok).toBe(true);
    const removed = await world.domain(id);
    expect(removed.certificate).toBeUndefined();
    await drive(world, world.pipeline(), START + 5 * MINUTE_MS);
    expect(world.authority.revoked).toHaveLength(1);
    expect(world.authority.orders).toHaveLength(1);
  });

  test("is neither served again nor forgotten if its domain is removed and added again", async () => {
    const { world, id, before, chainPem, revoke } = await live();
    world.authority.fault = () => lostAnswer;
    await revoke("keyCompromise");
    await world.remove(id);
    const from = await world.domain(id);
    const now = world.clock.now();
    const to = restored(from, someDomain(1, {}, now), now);
    const { kind: _add, domain: _domain, ...limits } = adding(to);
    await world.domains.commit([{ ...limits, kind: "domain.restore", from, to, at: now }], system);
    const added = await world.domain(id);
    expect([added.removal, added.certificate]).toEqual([undefined, undefined]);
    expect(added.revocation?.certificateId).toBe(before);
    world.authority.fault = () => undefined;
    await drive(world, world.pipeline(), START + HOUR_MS);
    expect(world.authority.revoked.map(({ pem }) => pem)).toEqual([chainPem]);
    expect((await world.domain(id)).certificate?.id).not.toBe(before);
  });

  test("is not restored if revoked without a replacement", async () => {
    const { world, id, revoke } = await live();
    world.authority.fault = (call) =>
      call === "newOrder" ? ownProblem("name_refused", "no") : undefined;
    await revoke("superseded");
    await drive(world, world.pipeline(), START + DAY_MS + HOUR_MS);
    expect(world.authority.revoked).toHaveLength(1);
    await world.remove(id);
    expect((await world.domain(id)).certificate).toBeUndefined();
  });

  test("is revoked with its key if the account is closed", async () => {
    const { world, id, revoke } = await live();
    await world.remove(id);
    await revoke("superseded");
    world.authority.closed.add("https://ca.test/account/1");
    await drive(world, world.pipeline(), START + 5 * MINUTE_MS);
    expect(world.authority.revoked.map(({ by }) => by)).toEqual(["key"]);
  });

  test("is retried while the CA is down, and given up when the CA refuses", async () => {
    const { world, id, revoke } = await live();
    await world.remove(id);
    await revoke("superseded");
    world.authority.fault = (call) => (call === "revoke" ? lostAnswer : undefined);
    await drive(world, world.pipeline(), START + HOUR_MS);
    const tries = world.authority.calls.filter((call) => call.startsWith("revoke")).length;
    expect(tries).toBeGreaterThan(5);
    expect(tries).toBeLessThan(15);
    world.authority.fault = (call) =>
      call === "revoke" ? ownProblem("bad_request", "not yours") : undefined;
    await drive(world, world.pipeline(), START + 2 * HOUR_MS);
    expect((await world.domain(id)).revocation).toBeUndefined();
    const [news] = await world.domains.timeline.of(id, 1);
    expect(news?.message).toContain("not yours");
  });

  test("is reported to the owner without the operator's links and network", async () => {
    const { world, id, revoke } = await live();
    await world.remove(id);
    await revoke("superseded");
    world.authority.fault = (call) =>
      call === "revoke"
        ? {
            ...ownProblem("terms_changed", "Agree to https://ca.test/terms?account=7 first."),
            helpUrl: "https://ca.test/terms?account=7",
          }
        : undefined;
    await drive(world, world.pipeline(), START + 5 * MINUTE_MS);
    const [news] = await world.domains.timeline.of(id, 1);
    expect(news?.message).toContain("did not revoke a certificate (superseded): Agree to (link");
    expect(news?.message).not.toContain("account=7");
  });

  test("that was revoked before counts as revoked", async () => {
    const { world, id, revoke } = await live();
    await world.remove(id);
    await revoke("superseded");
    world.authority.fault = (call) =>
      call === "revoke" ? ownProblem("already_revoked", "again?") : undefined;
    await drive(world, world.pipeline(), START + 5 * MINUTE_MS);
    expect((await world.domain(id)).revocation).toBeUndefined();
  });

  test("is revoked despite a crash at any point", async () => {
    for (let commits = 1; ; commits++) {
      const { world, id, revoke } = await live();
      await revoke("keyCompromise");
      let died = false;
      try {
        await drive(world, dyingAt(world, commits, "before"), START + 5 * MINUTE_MS);
      } catch (error) {
        if (!(error instanceof Crash)) throw error;
        died = true;
      }
      world.clock.set(START + 10 * MINUTE_MS);
      await drive(world, world.pipeline(), START + HOUR_MS);
      expect([commits, new Set(world.authority.revoked.map(({ pem }) => pem)).size]).toEqual([
        commits,
        1,
      ]);
      expect((await world.domain(id)).revocation).toBeUndefined();
      if (!died) return;
    }
  });

  test("can be requested again without harm", async () => {
    const { world, revoke } = await live();
    await revoke("superseded");
    expect((await revoke("keyCompromise")).ok).toBe(true);
    await drive(world, world.pipeline(), START + 5 * MINUTE_MS);
    expect(world.authority.revoked.map(({ reason }) => reason)).toEqual(["keyCompromise"]);
  });

  test("of an own host is identified by its name", async () => {
    const { world, id, domains } = await live();
    const { name } = await world.domain(id);
    expect((await domains.revokeHost(name, "superseded")).ok).toBe(true);
    expect((await domains.revokeHost("unknown.example", "superseded")).ok).toBe(false);
    await drive(world, world.pipeline(), START + 5 * MINUTE_MS);
    expect(world.authority.revoked).toHaveLength(1);
  });

  test("is refused without a certificate", async () => {
    const fixture = await openActions();
    const owner = { projectId: "prj_otters", accountId: "acc_otters" };
    await fixture.domains.add(owner, "a.org");
    expect(await fixture.domains.revoke(owner, "a.org", "superseded")).toMatchObject({
      ok: false,
      failure: { code: "domain_not_ready" },
    });
  });
});

test("a certificate whose key was blocked during its order is not used", async () => {
  const world = await open();
  const { id, name } = await world.add(1);
  const pipeline = world.pipeline();
  while ((await world.domains.orders.of(name))?.state.step !== "downloaded") {
    await drive(world, pipeline, world.clock.now(), 1).catch(() => undefined);
    world.clock.advance(1_000);
  }
  const order = await world.domains.orders.of(name);
  const key = world.seal.open(order?.sealedKey ?? "", `order ${order?.id}`);
  await world.domains.commit(
    [{ kind: "key.block", fingerprint: keyFingerprint(key), at: world.clock.now() }],
    system,
  );
  await drive(world, pipeline, START + HOUR_MS);
  const { certificate } = await world.domain(id);
  const kept = await world.domains.certificates.byId(certificate?.id ?? "");
  expect(inspectChain(kept?.chainPem ?? "")?.certificates[0].publicKey).not.toBe(
    keyFingerprint(key),
  );
  expect(world.authority.orders).toHaveLength(2);
});
