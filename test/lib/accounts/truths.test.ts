import { expect, test } from "bun:test";

import { DAY_MS, MINUTE_MS } from "../../../lib/base/clock.ts";
import type { Verdict } from "../../../lib/accounts/limiter.ts";
import { memoryLimiter, type MemoryLimiter } from "../../../lib/accounts/memory-limiter.ts";
import type { Limits } from "../../../lib/model/account.ts";
import type { SavedCounter } from "../../../lib/storage/change.ts";
import { chance, runSeed, torture, type Chance } from "../../helpers/chance.ts";
import { manualClock, type ManualClock } from "../../helpers/clock.ts";
import { HeaderWitness } from "./header-witness.ts";

const STEPS = torture ? 20_000_000 : 1_000_000;

const witness = { counter: "catalogue 1", keyId: "witness" };
const colleague = { counter: "catalogue 1", keyId: "colleague" };
const stranger = { counter: "catalogue 2", keyId: "stranger" };

/** A limiter with occasional orderly restarts, and its store. */
class Service {
  readonly clock: ManualClock;
  limiter: MemoryLimiter;
  readonly #rows = new Map<string, SavedCounter>();

  constructor(startAt: number) {
    this.clock = manualClock(startAt);
    this.limiter = memoryLimiter({ clock: this.clock });
  }

  flush(): void {
    for (const row of this.limiter.drain()) this.#rows.set(row.name, row);
  }

  restart(): void {
    this.flush();
    const live = [...this.#rows.values()].filter(({ endsAt }) => endsAt > this.clock.now());
    this.limiter = memoryLimiter({ clock: this.clock });
    this.limiter.restore(JSON.parse(JSON.stringify(live)) as SavedCounter[]);
  }
}

function anyLimits(random: Chance): Limits {
  return random.pick<() => Limits>([
    () => ({ perMinute: 60, perDay: 1_000 }),
    () => ({ perMinute: 300, perDay: 10_000 }),
    () => ({ perMinute: 1_000, perDay: 100_000 }),
    () => ({ perMinute: 1, perDay: 1 }),
    () => ({ perMinute: 1, perDay: random.between(1, 100) }),
    () => ({ perMinute: random.between(1, 100), perDay: 1 }),
    () => ({ perMinute: random.between(1, 10), perDay: random.between(1, 30) }),
    () => ({ perMinute: random.between(1, 50), perDay: random.between(1, 2_000) }),
    () => ({ perMinute: random.between(1, 1_000_000_000), perDay: random.between(1, 500) }),
  ])();
}

/** Advances the clock: mostly a little, sometimes to the end of a window. */
function letTimePass(random: Chance, clock: ManualClock, reader: HeaderWitness): void {
  const now = clock.now();
  const { told, servedFrom } = reader;
  const around = (at: number): number => Math.max(now, at + random.pick([-1, 0, 0, 1, 999]));
  const window = told?.windows[random.between(0, told.windows.length - 1)];
  clock.set(
    random.pick([
      () => now + random.between(0, 20),
      () => now + random.between(0, 2_000),
      () => now + random.between(0, 20_000),
      () => around(told?.resetsAt ?? now),
      () => around(window?.name === "minute" ? window.resetsAt : now),
      () => Math.max(now, servedFrom ?? now),
      () => (random.true(0.2) ? around(window?.resetsAt ?? now) : now),
      () => (random.true(0.05) ? now + random.between(0, 2 * DAY_MS) : now),
    ])(),
  );
}

/** Simulates a client on a plan. Returns how many requests the minute and the day refused. */
function live(random: Chance, steps: number, reader: HeaderWitness): [number, number] {
  const limits = anyLimits(random);
  const service = new Service(Date.UTC(2026, 10, 20) + random.between(0, DAY_MS));
  const haste = random.next() ** 3;
  const company = random.true(0.2) ? 0.2 : 0;
  const luck = random.true(0.3) ? 0.1 : 0;
  const refusals: [number, number] = [0, 0];
  let last: Verdict | undefined;

  for (let step = 0; step < steps; step++) {
    if (random.true(haste)) letTimePass(random, service.clock, reader);
    const { limiter } = service;
    if (random.true(company)) {
      limiter.spend(colleague, limits);
      reader.seesOthersSpend();
    }
    if (random.true(0.05)) limiter.spend(stranger, { perMinute: 1, perDay: 2 });
    if (random.true(0.1)) {
      reader.reads(limiter.peek(witness, limits), "peek");
    } else {
      last = limiter.spend(witness, limits);
      reader.reads(last, "spend");
      if (last.windows[0].remaining === 0 && !last.allowed) refusals[0]++;
      if (last.windows[1]?.remaining === 0 && !last.allowed) refusals[1]++;
    }
    if (last !== undefined && random.true(luck)) {
      limiter.refund(witness, last);
      last = undefined;
      reader.seesRefund();
    }
    if (random.true(0.01)) service.flush();
    if (random.true(0.005)) limiter.sweep();
    if (random.true(0.003)) service.restart();
  }
  return refusals;
}

test(`no header is wrong in ${STEPS.toLocaleString("en")} steps`, () => {
  const random = chance();
  const tried = { T1: 0, T2: 0, T3: 0, T4: 0 };
  const refused = { minute: 0, day: 0 };
  for (let taken = 0; taken < STEPS;) {
    const steps = Math.min(STEPS - taken, random.between(20, 3_000));
    const reader = new HeaderWitness();
    try {
      const [minute, day] = live(random, steps, reader);
      refused.minute += minute;
      refused.day += day;
    } catch (error) {
      throw new Error(`within ${steps} steps after ${taken}, seed ${runSeed}`, { cause: error });
    }
    for (const truth of ["T1", "T2", "T3", "T4"] as const) tried[truth] += reader.tried[truth];
    taken += steps;
  }
  // Each guarantee was tested, and both windows refused requests.
  for (const count of [...Object.values(tried), ...Object.values(refused)]) {
    expect(count).toBeGreaterThan(STEPS / 200);
  }
}, 600_000);

/** A reference implementation that keeps every allowed request and recounts them all. */
class Logbook {
  readonly #passed: { readonly at: number; refunded: boolean }[] = [];

  ask(
    limits: Limits,
    now: number,
  ): { readonly allowed: boolean; readonly used: readonly number[] } {
    const used = [this.#used(MINUTE_MS, now), this.#used(DAY_MS, now)];
    const allowed = (used[0] ?? 0) < limits.perMinute && (used[1] ?? 0) < limits.perDay;
    if (allowed) this.#passed.push({ at: now, refunded: false });
    return { allowed, used: used.map((count) => (allowed ? count + 1 : count)) };
  }

  refundLast(): void {
    const last = this.#passed.at(-1);
    if (last !== undefined) last.refunded = true;
  }

  #used(lengthMs: number, now: number): number {
    let startAt = -Infinity;
    let used = 0;
    for (const { at, refunded } of this.#passed) {
      if (at >= startAt + lengthMs) {
        startAt = at - (at % 1_000);
        used = 0;
      }
      if (!refunded) used++;
    }
    return now < startAt + lengthMs ? used : 0;
  }
}

test("the limiter agrees with a log of all requests", () => {
  const random = chance();
  for (let life = 0; life < 200; life++) {
    const service = new Service(Date.UTC(2026, 10, 20) + random.between(0, DAY_MS));
    const logbook = new Logbook();
    // The reference ignores plans, so they may change here.
    let limits = { perMinute: random.between(1, 8), perDay: random.between(1, 40) };
    for (let step = 0; step < 200; step++) {
      service.clock.advance(random.pick([0, 0, 1, 500, 10_000, 59_999, 60_000, 3_600_000]));
      const verdict = service.limiter.spend(witness, limits);
      const { allowed, used } = logbook.ask(limits, service.clock.now());
      const left = [limits.perMinute, limits.perDay].map((limit, at) =>
        Math.max(0, limit - (used[at] ?? 0)),
      );
      expect([verdict.allowed, ...verdict.windows.map((window) => window.remaining)]).toEqual([
        allowed,
        ...left,
      ]);
      if (allowed && random.true(0.1)) {
        service.limiter.refund(witness, verdict);
        logbook.refundLast();
      }
      if (random.true(0.02)) service.restart();
      if (random.true(0.02)) {
        limits = { perMinute: random.between(1, 8), perDay: random.between(1, 40) };
      }
    }
  }
});

test("whatever the clock does, no wait is longer than the window that refuses", () => {
  const random = chance();
  for (let life = 0; life < 2_000; life++) {
    const service = new Service(Date.UTC(2026, 10, 20));
    const limits = { perMinute: random.between(1, 4), perDay: random.between(1, 12) };
    for (let step = 0; step < 30; step++) {
      const jump = random.pick([0, 0, 1_000, 61_000, -500, -61_000, -2 * DAY_MS, 2 * DAY_MS]);
      service.clock.advance(jump);
      const verdict = service.limiter.spend(witness, limits);
      for (const { remaining, resetsAt, lengthSeconds } of verdict.windows) {
        const waitMs = resetsAt - verdict.at;
        expect(waitMs).toBeGreaterThan(0);
        expect(waitMs).toBeLessThanOrEqual(lengthSeconds * 1_000);
        expect(remaining).toBeGreaterThanOrEqual(0);
      }
      if (!verdict.allowed) {
        const dayIsSpent = verdict.windows[1]?.remaining === 0;
        service.clock.advance(dayIsSpent ? DAY_MS : MINUTE_MS);
        expect(service.limiter.spend(witness, limits).allowed).toBe(true);
      }
    }
  }
});

test("setting the clock back refunds no quota", () => {
  const random = chance();
  for (let life = 0; life < 500; life++) {
    const service = new Service(Date.UTC(2026, 10, 20));
    const limits = { perMinute: 10, perDay: 10 };
    let passed = 0;
    for (let step = 0; step < 40; step++) {
      service.clock.advance(-random.between(0, 2 * DAY_MS));
      if (random.true(0.1)) service.limiter.sweep();
      if (random.true(0.1)) service.restart();
      if (service.limiter.spend(witness, limits).allowed) passed++;
    }
    expect(passed).toBe(10);
  }
});
