import { describe, expect, test } from "bun:test";

import { system } from "../../../lib/model/actor.ts";
import { createKeeper } from "../../../domains/keeper/keeper.ts";
import { ownProblem } from "../../../domains/model/acme-problem.ts";
import type { ReplacementReason } from "../../../domains/model/domain.ts";
import { applyOutcome } from "../../../domains/model/apply-outcome.ts";
import { done, refused } from "../../../lib/base/result.ts";
import { DAY_MS, HOUR_MS } from "../../../lib/base/clock.ts";
import { silentLog } from "../../../lib/base/log.ts";
import { manualClock, type ManualClock } from "../../helpers/clock.ts";
import { fakeAuthority, type FakeAuthority } from "../../helpers/domains/fake-authority.ts";
import { saving, START } from "../../helpers/domains/rows.ts";
import { openWorld, type World } from "../../helpers/domains/world.ts";

/** A host whose clock may be wrong, and a CA whose clock is correct. */
interface Host {
  readonly world: World;
  /** The correct time. */
  readonly real: ManualClock;
  /** How far the host's clock is ahead. */
  offsetMs: number;
  /** Times of orders at the CA. */
  readonly orders: () => readonly number[];
  /** Runs for a period in steps of `stepMs`. Fails when a certificate expires. */
  live(forMs: number, stepMs: number): Promise<void>;
  /** Requests a replacement of the certificate. */
  replace(reason: ReplacementReason): Promise<void>;
  /** Restarts the process with the same database. */
  restart(): void;
}

async function openHost(
  lifetimeMs: number,
  offsetMs: number,
  { saysDate = true }: { readonly saysDate?: boolean } = {},
): Promise<Host> {
  const real = manualClock(START);
  const clock: ManualClock = { ...real, now: () => real.now() + host.offsetMs };
  const authorityOver = async (): Promise<FakeAuthority> => {
    const authority = await fakeAuthority(real, { lifetimeMs });
    const { directory } = authority;
    authority.directory = async (signal) => {
      const found = await directory(signal);
      if (!found.ok) return found;
      const { aheadMs: _known, ...rest } = found.value;
      return done(saysDate ? { ...rest, aheadMs: real.now() - clock.now() } : rest);
    };
    return authority;
  };
  const host: Host = {
    offsetMs,
    real,
    orders: () => host.world.authority.orders.map(({ at }) => at),
    replace: async (reason) => {
      const from = await host.world.domain("dom_000000000001");
      const at = clock.now();
      const { domain: to } = applyOutcome(from, { kind: "replace", reason }, at);
      await host.world.domains.commit([saving(from, to, { at })], system);
    },
    restart: () => {
      keeper = start();
    },
    live: async (forMs, stepMs) => {
      const until = real.now() + forMs;
      while (real.now() < until) {
        // An order takes several rounds.
        for (let round = 0; round < 4; round++) {
          await keeper.tick();
          real.advance(2_000);
        }
        real.advance(stepMs);
        const { certificate } = await host.world.domain("dom_000000000001");
        if (certificate !== undefined) ends.push(certificate.notAfter - real.now());
      }
      expect(Math.min(...ends)).toBeGreaterThan(0);
    },
    get world(): World {
      throw new Error("not open yet");
    },
  };
  const world = await openWorld(":memory:", { clock, authorityOver });
  Object.defineProperty(host, "world", { value: world });
  const ends: number[] = [];
  const start = () => {
    const { domains, store } = world;
    const time = world.time();
    // The running process responds to challenges.
    world.authority.validate = async (name, kind) => {
      const token = `${kind}-${world.authority.orders.length - 1}`;
      const open = await domains.challenges.http01(name, token, time.now());
      return open === undefined ? { code: "wrong_answer", message: "", names: [] } : true;
    };
    return createKeeper({
      pipeline: world.pipeline({ clock: time }),
      domains,
      store,
      routes: { forget() {}, forgetAll() {}, refresh: async () => {}, confirm() {} },
      clock: time,
      log: silentLog,
    });
  };
  let keeper = start();
  await world.add(1);
  return host;
}

function mostInADay(orders: readonly number[]): number {
  const counts = orders.map((at) => orders.filter((one) => one >= at && one < at + DAY_MS).length);
  return Math.max(0, ...counts);
}

const OFFSETS = [
  ["13 hours", 13 * HOUR_MS],
  ["4 days", 4 * DAY_MS],
  ["70 days", 70 * DAY_MS],
] as const;
const LIFETIMES = [
  ["24 hours", DAY_MS],
  ["6 days", 6 * DAY_MS],
  ["90 days", 90 * DAY_MS],
] as const;

describe("at most three orders a day, and no expired certificate,", () => {
  for (const [life, lifetimeMs] of LIFETIMES) {
    const stepMs = lifetimeMs / 24;
    for (const [amount, offsetMs] of OFFSETS) {
      for (const [side, wrongMs] of [
        ["ahead", offsetMs],
        ["behind", -offsetMs],
      ] as const) {
        test(`with a lifetime of ${life}, while our clock is ${amount} ${side}, is corrected and goes wrong again`, async () => {
          const host = await openHost(lifetimeMs, wrongMs);
          await host.live(1.2 * lifetimeMs, stepMs);
          host.offsetMs = 0;
          await host.live(0.9 * lifetimeMs, stepMs);
          host.offsetMs = -wrongMs;
          host.restart();
          await host.live(0.9 * lifetimeMs, stepMs);
          expect(mostInADay(host.orders())).toBeLessThanOrEqual(3);
          // Exactly as many as with a correct clock.
          expect(host.orders().length).toBeWithin(4, 8);
          await host.world.close();
        });

        test(`with a lifetime of ${life}, if the CA's time is unknown and our clock is ${amount} ${side}`, async () => {
          const host = await openHost(lifetimeMs, wrongMs, { saysDate: false });
          await host.live(1.2 * lifetimeMs, stepMs);
          host.restart();
          await host.live(lifetimeMs, stepMs);
          expect(mostInADay(host.orders())).toBeLessThanOrEqual(3);
          await host.world.close();
        });
      }
    }
  }
});

describe("the minimum interval of automatic orders", () => {
  test("applies whatever the renewal time is, except for replacements with a reason", async () => {
    const host = await openHost(DAY_MS, 0);
    await host.live(HOUR_MS, HOUR_MS / 4);
    const { world } = host;
    const from = await world.domain("dom_000000000001");
    const { certificate } = from;
    if (certificate === undefined) throw new Error("no certificate");
    const due = { ...certificate, renewAt: START };
    await world.domains.commit(
      [saving(from, { certificate: due }, { at: host.real.now() })],
      system,
    );
    await host.live(6 * HOUR_MS, HOUR_MS / 4);
    expect(host.orders()).toHaveLength(1);
    await host.live(2 * HOUR_MS, HOUR_MS / 4);
    expect(host.orders()).toHaveLength(2);
    await host.replace("revoked");
    await host.live(HOUR_MS, HOUR_MS / 4);
    expect(host.orders()).toHaveLength(3);
    await world.close();
  });

  test("does not apply to replacements, of which three a day are allowed per reason", async () => {
    const host = await openHost(90 * DAY_MS, 0);
    await host.live(HOUR_MS, HOUR_MS / 4);
    for (let time = 0; time < 10; time++) {
      await host.replace("revoked");
      await host.live(HOUR_MS / 2, HOUR_MS / 4);
    }
    expect(host.orders()).toHaveLength(4);
    await host.live(DAY_MS, 4 * HOUR_MS);
    expect(host.orders()).toHaveLength(5);
    await host.replace("key");
    await host.live(HOUR_MS / 2, HOUR_MS / 4);
    expect(host.orders()).toHaveLength(6);
    await host.world.close();
  });
});

describe("a start with a wrong clock", () => {
  test("does not remove any name before the CA's time is known", async () => {
    const host = await openHost(90 * DAY_MS, 0);
    const { authority, dns } = host.world;
    const { id, name } = await host.world.domain("dom_000000000001");
    dns.delete(name);
    const { directory } = authority;
    authority.directory = async (signal) => {
      // Slower than the database.
      for (let turn = 0; turn < 100; turn++) await new Promise((next) => setImmediate(next));
      return directory(signal);
    };
    host.offsetMs = 70 * DAY_MS;
    host.restart();
    await host.live(HOUR_MS, HOUR_MS / 4);
    expect((await host.world.domain(id)).removal).toBeUndefined();
    // Likewise while running.
    host.offsetMs = 140 * DAY_MS;
    await host.live(HOUR_MS, HOUR_MS / 4);
    expect((await host.world.domain(id)).removal).toBeUndefined();
    await host.world.close();
  });

  test("that is behind renews nothing early, even if the CA is reached late", async () => {
    const host = await openHost(90 * DAY_MS, 0);
    await host.live(DAY_MS, HOUR_MS);
    expect(host.orders()).toHaveLength(1);
    const { authority } = host.world;
    const { directory } = authority;
    authority.directory = async () =>
      refused(ownProblem("unavailable", "There is no network yet."));
    host.offsetMs = -400 * DAY_MS;
    host.restart();
    await host.live(HOUR_MS, HOUR_MS / 4);
    authority.directory = directory;
    await host.live(DAY_MS, HOUR_MS);
    expect(host.orders()).toHaveLength(1);
    await host.world.close();
  });
});
