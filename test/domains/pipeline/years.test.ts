import { describe, expect, test } from "bun:test";

import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../lib/base/clock.ts";
import { ownProblem, type AuthorityProblem } from "../../../domains/model/acme-problem.ts";
import { chance, torture } from "../../helpers/chance.ts";
import { fakeAuthority } from "../../helpers/domains/fake-authority.ts";
import { START } from "../../helpers/domains/rows.ts";
import { drive, type World } from "../../helpers/domains/world.ts";
import { worlds } from "../../helpers/domains/worlds.ts";

const openWith = worlds();
const MOST_TASKS = 1_000_000;

/** A CA of the years 2026 to 2028. */
interface Rules {
  readonly lifetimeMs: number;
  /** How long a proof counts for later orders, and an order lasts. */
  readonly reusedForMs: number;
  readonly orderMs: number;
  /** It announces when certificates are to be replaced. */
  readonly windows: boolean;
}

/** Opens a world with such a CA, which counts the signed requests for each order. */
async function openYear({ lifetimeMs, reusedForMs, orderMs, windows }: Rules): Promise<World> {
  const world = await openWith(undefined, {
    authorityOver: (clock) => fakeAuthority(clock, { lifetimeMs }),
  });
  const { authority, clock } = world;
  const { newOrder, order, authorization, finalize } = authority;
  const provenAt = new Map<string, number>();
  const gone = () => ({
    ok: false as const,
    failure: ownProblem("order_gone", "The order has expired."),
  });
  const isOver = (url: string): boolean => {
    const made = authority.orders[Number(url.split("/").at(-1))];
    return made === undefined || clock.now() - made.at > orderMs;
  };
  authority.newOrder = async (account, wish, signal) => {
    const made = await newOrder(account, wish, signal);
    const kept = authority.orders.at(-1);
    if (!made.ok || kept === undefined) return made;
    const reused = clock.now() - (provenAt.get(kept.name) ?? -Infinity) < reusedForMs;
    if (reused) kept.proof = "valid";
    return reused ? order(account, made.value.url, signal) : made;
  };
  authority.authorization = async (...input) => {
    if (isOver(input[1])) return gone();
    const found = await authorization(...input);
    if (found.ok && found.value.status === "valid") provenAt.set(found.value.name, clock.now());
    return found;
  };
  authority.order = async (...input) => (isOver(input[1]) ? gone() : order(...input));
  authority.finalize = async (...input) => (isOver(input[1].url) ? gone() : finalize(...input));
  if (windows) {
    authority.renewal = () => {
      const at = authority.orders.at(-1)?.at ?? START;
      return { window: { start: at + lifetimeMs * 0.6, end: at + lifetimeMs * 0.65 } };
    };
  }
  return world;
}

/** The most instants within a period. */
function mostWithin(instants: readonly number[], periodMs: number): number {
  return Math.max(
    0,
    ...instants.map((from) => instants.filter((at) => at >= from && at < from + periodMs).length),
  );
}

const REUSE = { reusedForMs: 30 * DAY_MS, orderMs: 7 * DAY_MS };
type Year = readonly [string, Omit<Rules, "windows">, number];
/** Lifetimes that are close to another one. */
const CLOSE: readonly Year[] = [
  ["64 days", { lifetimeMs: 64 * DAY_MS, ...REUSE }, 365],
  ["160 hours", { lifetimeMs: 160 * HOUR_MS, reusedForMs: 7 * HOUR_MS, orderMs: 8 * HOUR_MS }, 365],
];
const YEARS: readonly Year[] = [
  ["90 days", { lifetimeMs: 90 * DAY_MS, ...REUSE }, torture ? 365 : 180],
  ["45 days", { lifetimeMs: 45 * DAY_MS, ...REUSE }, torture ? 365 : 90],
  [
    "45 days, proofs that count for 7 hours and orders that last 8",
    { lifetimeMs: 45 * DAY_MS, reusedForMs: 7 * HOUR_MS, orderMs: 8 * HOUR_MS },
    torture ? 365 : 90,
  ],
  [
    "6 days",
    { lifetimeMs: 6 * DAY_MS, reusedForMs: 7 * HOUR_MS, orderMs: 8 * HOUR_MS },
    torture ? 365 : 30,
  ],
  ...(torture ? CLOSE : []),
];

describe("in a simulated year no certificate expires, with at most three orders a lifetime and eight requests each,", () => {
  for (const [what, rules, days] of YEARS) {
    for (const windows of [false, true]) {
      test(`${what}${windows ? ", with renewal windows" : ""}`, async () => {
        const world = await openYear({ ...rules, windows });
        const { authority } = world;
        const { id } = await world.add(1);
        const pipeline = world.pipeline();
        await drive(world, pipeline, START + MINUTE_MS);
        const { lifetimeMs } = rules;
        const until = START + days * DAY_MS;
        while (world.clock.now() < until) {
          await drive(world, pipeline, world.clock.now() + lifetimeMs / 40, MOST_TASKS);
          const { certificate } = await world.domain(id);
          expect(certificate?.notAfter).toBeGreaterThan(world.clock.now() + lifetimeMs / 10);
        }
        const orders = authority.orders.map(({ at }) => at);
        expect(mostWithin(orders, Math.max(DAY_MS, lifetimeMs))).toBeLessThanOrEqual(3);
        expect(authority.issued).toBe(orders.length);
        // Without those about renewal windows, which are no part of an order, and need no signature.
        const requests = authority.calls.filter((call) => !call.startsWith("renewalInfo"));
        expect(requests.length).toBeLessThanOrEqual(8 * orders.length);
        expect(orders.length).toBeGreaterThanOrEqual(Math.floor((days * DAY_MS) / lifetimeMs));
      });
    }
  }

  test("45 days and 8-hour orders, with a CA that is down for some hours now and then", async () => {
    const { between, true: drawn } = chance();
    const lifetimeMs = 45 * DAY_MS;
    const rules = { lifetimeMs, reusedForMs: 7 * HOUR_MS, orderMs: 8 * HOUR_MS, windows: true };
    const world = await openYear(rules);
    const { authority } = world;
    const down = ownProblem("unavailable", "down");
    let until = 0;
    let call = "";
    authority.fault = (what) =>
      world.clock.now() < until && (call === "" || call === what) ? down : undefined;
    const ids: string[] = [];
    for (let number = 1; number <= (torture ? 8 : 3); number++)
      ids.push((await world.add(number)).id);
    const pipeline = world.pipeline();
    await drive(world, pipeline, START + HOUR_MS);
    for (let day = 1; day < (torture ? 365 : 90); day++) {
      if (drawn(1 / 4)) {
        call = ["", "newOrder", "finalize", "authorization", "download"][between(0, 4)] ?? "";
        until = world.clock.now() + between(1, 30) * HOUR_MS;
      }
      await drive(world, pipeline, START + day * DAY_MS, MOST_TASKS);
      for (const id of ids) {
        const { certificate } = await world.domain(id);
        expect(certificate?.notAfter).toBeGreaterThan(world.clock.now());
      }
    }
    const issued = new Map<string, number[]>();
    for (const { name, at, certificateUrl } of authority.orders) {
      if (certificateUrl !== undefined) issued.set(name, [...(issued.get(name) ?? []), at]);
    }
    for (const orders of issued.values())
      expect(mostWithin(orders, lifetimeMs)).toBeLessThanOrEqual(3);
  });
});

/** How many names are due at the same time. */
const NAMES = torture ? 1_000 : 12;

describe(`a CA that is down for three days, with ${NAMES} names due,`, () => {
  const refusals: readonly (readonly [string, AuthorityProblem, number])[] = [
    ["refuses connections", ownProblem("unavailable", "connect ECONNREFUSED"), 1],
    [
      "answers 429 with a year to wait",
      { ...ownProblem("rate_limited", "later"), status: 429, retryAt: START + 465 * DAY_MS },
      // A day of a certificate with thirty days left.
      24 * 60,
    ],
  ];
  for (const [what, refusal, minutes] of refusals) {
    test(`${what}: none expires, and it gets an order each ${minutes} minutes at most`, async () => {
      const world = await openYear({ lifetimeMs: 90 * DAY_MS, ...REUSE, windows: false });
      const { authority, clock } = world;
      const ids: string[] = [];
      for (let number = 1; number <= NAMES; number++) ids.push((await world.add(number)).id);
      const pipeline = world.pipeline();
      await drive(world, pipeline, START + HOUR_MS, MOST_TASKS);
      expect(authority.issued).toBe(NAMES);
      const before = await Promise.all(ids.map(async (id) => (await world.domain(id)).certificate));
      // All of them are due, as after a restart.
      const dueAt = Math.max(...before.map((one) => one?.renewAt ?? 0)) + HOUR_MS;
      const asked: number[] = [];
      authority.fault = (call) => {
        if (call !== "newOrder" || clock.now() < dueAt || clock.now() >= dueAt + 3 * DAY_MS) {
          return call === "newOrder" && clock.now() < dueAt ? refusal : undefined;
        }
        asked.push(clock.now());
        return refusal;
      };
      await drive(world, pipeline, dueAt + 3 * DAY_MS, MOST_TASKS);
      expect(mostWithin(asked, minutes * MINUTE_MS)).toBeLessThanOrEqual(1);
      expect(asked.length).toBeGreaterThanOrEqual(2);
      await drive(world, pipeline, dueAt + 5 * DAY_MS, MOST_TASKS);
      for (const [index, id] of ids.entries()) {
        const { certificate, issuance } = await world.domain(id);
        expect(certificate?.id).not.toBe(before[index]?.id ?? "");
        expect(certificate?.activeSince).toBeLessThan(before[index]?.notAfter ?? 0);
        expect(issuance.failures).toBe(0);
      }
    });
  }
});
