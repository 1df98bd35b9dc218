import { expect, test } from "bun:test";

import { system } from "../../../lib/model/actor.ts";
import { scheduleRevocation } from "../../../domains/model/apply-certificate.ts";
import { rollOver } from "../../../domains/pipeline/authority-account.ts";
import { LEASE_MS } from "../../../domains/pipeline/work.ts";
import type { CertificateAuthority } from "../../../domains/ports/authority.ts";
import { DAY_MS, SECOND_MS } from "../../../lib/base/clock.ts";
import { START } from "../../helpers/domains/rows.ts";
import { drive, type World } from "../../helpers/domains/world.ts";
import { worlds } from "../../helpers/domains/worlds.ts";

const { signal } = new AbortController();
const open = worlds();

type Call = Extract<keyof CertificateAuthority, string>;

/** The world's CA, which never answers calls of one kind. */
function silentTo({ authority }: World, silent: Call) {
  const reached = Promise.withResolvers<AbortSignal>();
  let isReached = false;
  const stalled: CertificateAuthority = new Proxy(authority, {
    get: (target, name, receiver) => {
      if (name !== silent) return Reflect.get(target, name, receiver) as unknown;
      return (...given: readonly unknown[]) =>
        new Promise((_, reject) => {
          const limit = given.at(-1);
          if (!(limit instanceof AbortSignal)) throw new Error("A call has no limit.");
          limit.addEventListener("abort", () => reject(limit.reason as Error));
          isReached = true;
          reached.resolve(limit);
        });
    },
  });
  return { stalled, reached: reached.promise, isReached: () => isReached };
}

/** Lets time pass until a call is given up, and checks that there is time left to save that under the lease. */
async function expectGivenUp(world: World, lease: string, call: AbortSignal): Promise<void> {
  const begunAt = world.clock.now();
  expect(await world.leases.acquire(lease, LEASE_MS)).toBeUndefined();
  while (!call.aborted && world.clock.now() < begunAt + LEASE_MS) {
    world.clock.advance(SECOND_MS);
    await Bun.sleep(0);
  }
  expect(world.clock.now() - begunAt).toBe(LEASE_MS - 15 * SECOND_MS);
}

const calls = [
  "createAccount",
  "newOrder",
  "authorization",
  "respond",
  "finalize",
  "download",
  "renewalInfo",
  "revoke",
  "deactivate",
] as const;

test.each(calls)(
  "a CA that does not answer %s is given up before the lease expires",
  async (silent) => {
    const world = await open();
    world.authority.renewal = () => ({
      window: { start: START + 20 * DAY_MS, end: START + 21 * DAY_MS },
    });
    const { stalled, reached, isReached } = silentTo(world, silent);
    const pipeline = world.pipeline({ authorities: [stalled] });
    const { id, name } = await world.add(1);

    const advance = async (until: () => Promise<boolean>) => {
      for (;;) {
        const advancing = pipeline.advance(id, signal);
        await Promise.race([advancing, reached]);
        // In an object: an async function would wait for the promise.
        if (isReached()) return { advancing };
        if (await until()) return undefined;
        const next = (await world.domains.domains.nextDueAt()) ?? 0;
        if (next > world.clock.now()) world.clock.set(next);
      }
    };
    let stopped = await advance(async () => world.clock.now() > START + DAY_MS);
    if (!isReached()) {
      // Its life ends: the certificate is revoked, and the authorization given up.
      const live = await world.domain(id);
      const kept = await world.domains.certificates.byId(live.certificate?.id ?? "");
      if (kept === undefined) throw new Error("It has no certificate.");
      await world.remove(id);
      const from = await world.domain(id);
      const at = world.clock.now();
      const to = scheduleRevocation(
        from,
        {
          ...kept,
          certificateId: kept.id,
          authority: stalled.id,
          reason: "superseded",
          since: at,
          resumeAt: at,
        },
        at,
      );
      // Otherwise it would be due as well.
      if (silent === "revoke") {
        await world.domains.commit([{ kind: "domain.save", from, to, news: [], at }], system);
      }
      stopped = await advance(async () => false);
    }
    await expectGivenUp(world, `domain:${name}`, await reached);
    // The failure is saved, so that the next attempt waits.
    expect(await stopped?.advancing).toMatchObject({ kind: "did" });
    expect(await world.domains.domains.nextDueAt()).toBeGreaterThan(world.clock.now());
  },
);

test("a change of the account's key is given up before its lease expires", async () => {
  const world = await open();
  await world.add(1);
  await drive(world, world.pipeline(), START + DAY_MS);
  const { stalled, reached } = silentTo(world, "changeKey");
  const { domains: store, leases, seal } = world;
  const context = { store, actor: system, leases, seal, clock: world.time(), application: {} };
  const changing = rollOver(context, stalled, signal);
  await expectGivenUp(world, `account:${stalled.id}`, await reached);
  expect(await changing).toMatchObject({ ok: false, failure: { code: "unavailable" } });
  // The next use determines which key is valid.
  expect(await rollOver(context, world.authority, signal)).toMatchObject({ ok: true });
});
