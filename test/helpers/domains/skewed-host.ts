import { expect } from "bun:test";

import { system } from "../../../lib/model/actor.ts";
import { createKeeper } from "../../../domains/keeper/keeper.ts";
import type { ReplacementReason } from "../../../domains/model/domain.ts";
import { applyOutcome } from "../../../domains/model/apply-outcome.ts";
import { done } from "../../../lib/base/result.ts";
import { DAY_MS } from "../../../lib/base/clock.ts";
import { silentLog } from "../../../lib/base/log.ts";
import { manualClock, type ManualClock } from "../clock.ts";
import { fakeAuthority, type FakeAuthority } from "./fake-authority.ts";
import { saving, START } from "./rows.ts";
import { openWorld, type World } from "./world.ts";

/** A host whose clock may be wrong, and a CA that dates certificates correctly, but may send a wrong `Date`. */
export interface SkewedHost {
  readonly world: World;
  /** The correct time. */
  readonly real: ManualClock;
  /** How far the host's clock is ahead. */
  offsetMs: number;
  /** How far the CA's `Date` is ahead; undefined: it sends none that can be read. */
  dateMs: number | undefined;
  /** Times of orders at the CA. */
  readonly orders: () => readonly number[];
  /** Runs for a period in steps of `stepMs`. Fails when a certificate expires. */
  live(forMs: number, stepMs: number): Promise<void>;
  /** Requests a replacement of the certificate. */
  replace(reason: ReplacementReason): Promise<void>;
  /** Restarts the process with the same database. */
  restart(): void;
}

/** Opens a host with one domain. */
export async function openHost(
  lifetimeMs: number,
  offsetMs: number,
  {
    windows = false,
    ...date
  }: {
    readonly dateMs?: number | undefined;
    /** Whether the CA sends renewal windows, from three to four fifths of the lifetime. */
    readonly windows?: boolean;
  } = {},
): Promise<SkewedHost> {
  const real = manualClock(START);
  const clock: ManualClock = { ...real, now: () => real.now() + host.offsetMs };
  const authorityOver = async (): Promise<FakeAuthority> => {
    const authority = await fakeAuthority(real, { lifetimeMs });
    const { directory } = authority;
    authority.directory = async (signal) => {
      const found = await directory(signal);
      if (!found.ok) return found;
      const { aheadMs: _known, ...rest } = found.value;
      const { dateMs: wrongMs } = host;
      if (wrongMs === undefined) return done(rest);
      return done({ ...rest, aheadMs: real.now() + wrongMs - clock.now() });
    };
    const issuedAt = (): number => authority.orders.at(-1)?.at ?? START;
    if (windows) {
      authority.renewal = () => ({
        window: {
          start: issuedAt() + lifetimeMs * (3 / 5),
          end: issuedAt() + lifetimeMs * (4 / 5),
        },
      });
    }
    return authority;
  };
  const host: SkewedHost = {
    offsetMs,
    dateMs: "dateMs" in date ? date.dateMs : 0,
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
  const world = await openWorld(undefined, { clock, authorityOver });
  Object.defineProperty(host, "world", { value: world });
  const ends: number[] = [];
  const start = () => {
    const { domains, store } = world;
    const time = world.time();
    // The running process responds to challenges.
    world.authority.validate = async (name, kind) => {
      const token = `${kind}-${world.authority.orders.length - 1}`;
      const open = await domains.challenges.http01(name, token, Math.min(time.now(), clock.now()));
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

/** Returns the most orders within a day. */
export function mostInADay(orders: readonly number[]): number {
  const counts = orders.map((at) => orders.filter((one) => one >= at && one < at + DAY_MS).length);
  return Math.max(0, ...counts);
}
