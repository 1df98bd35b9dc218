import { describe, expect, test } from "bun:test";

import type { Domain } from "../../../domains/model/domain.ts";
import { statusOf } from "../../../domains/model/domain-state.ts";
import type { Pipeline } from "../../../domains/pipeline/pipeline.ts";
import { HOUR_MS, MINUTE_MS } from "../../../lib/base/clock.ts";
import { torture } from "../../helpers/chance.ts";
import { Crash, dyingAt } from "../../helpers/domains/dying.ts";
import { START } from "../../helpers/domains/rows.ts";
import { drive, type World } from "../../helpers/domains/world.ts";
import { worlds } from "../../helpers/domains/worlds.ts";

const open = worlds();

/** Whether the process has died. */
async function dies(world: World, pipeline: Pipeline, until: number): Promise<boolean> {
  try {
    await drive(world, pipeline, until);
    return false;
  } catch (error) {
    if (error instanceof Crash) return true;
    throw error;
  }
}

async function worldWith(domain: (world: World) => Promise<Domain>): Promise<[World, Domain]> {
  const world = await open();
  return [world, await domain(world)];
}

async function expectLive(world: World, id: string): Promise<void> {
  const domain = await world.domain(id);
  expect(statusOf(domain, world.clock.now())).toBe("live");
  expect(await world.domains.certificates.byId(domain.certificate?.id ?? "")).toBeDefined();
  expect(await world.domains.orders.of(domain.name)).toBeUndefined();
  const kinds = (await world.domains.timeline.of(id, 50)).map(({ kind }) => kind).toReversed();
  expect(kinds).toEqual(["added", "verified", "issuing", "issued", "live"]);
}

/** The number of stored orders or resulting certificates; at most one. */
async function ordersKnown(world: World, id: string): Promise<number> {
  const domain = await world.domain(id);
  if (domain.certificate !== undefined) return 1;
  const open = await world.domains.orders.of(domain.name);
  return open === undefined || open.state.step === "keyed" ? 0 : 1;
}

/** Restarts after each of `deaths`; in the end the domain is live with one certificate. */
async function diesOf(
  deaths: readonly { readonly commits: number; readonly when: "after" | "before" }[],
): Promise<{ readonly deaths: number; readonly lost: number }> {
  const [world, { id }] = await worldWith((one) => one.add(1));
  let died = 0;
  let lost = 0;
  for (const { commits, when } of deaths) {
    const until = world.clock.now() + 5 * MINUTE_MS;
    if (!(await dies(world, dyingAt(world, commits, when), until))) break;
    died++;
    lost = world.authority.orders.length - (await ordersKnown(world, id));
    world.clock.set(until);
  }
  await drive(world, world.pipeline(), START + HOUR_MS);
  await expectLive(world, id);
  expect(world.authority.orders).toHaveLength(1 + lost);
  expect(world.authority.issued).toBe(1);
  return { deaths: died, lost };
}

const WAYS_TO_DIE_TWICE = [
  ["after", "after"],
  ["after", "before"],
  ["before", "after"],
  ["before", "before"],
] as const;
/** Without TEST_TORTURE, each pair of commits is tried in two of the four ways. */
const STRIDE = torture ? 1 : 2;

describe("a process that crashes", () => {
  for (const [when, most] of [
    ["after", 1],
    ["before", 2],
  ] as const) {
    test(`${when} any of its commits is replaced: one certificate, at most ${most} order(s)`, async () => {
      for (let commits = 1; ; commits++) {
        const [world, { id }] = await worldWith((one) => one.add(1));
        const died = await dies(world, dyingAt(world, commits, when), START + 5 * MINUTE_MS);
        if (!died) {
          expect(commits).toBeGreaterThan(10);
          return;
        }
        world.clock.set(START + 10 * MINUTE_MS);
        await drive(world, world.pipeline(), START + HOUR_MS);
        await expectLive(world, id);
        expect(world.authority.orders.length).toBeLessThanOrEqual(most);
        expect(world.authority.issued).toBe(1);
      }
    });
  }

  test("before it could store the CA's response creates one extra order, at that step only", async () => {
    const more: number[] = [];
    for (let commits = 1; ; commits++) {
      const [world] = await worldWith((one) => one.add(1));
      const died = await dies(world, dyingAt(world, commits, "before"), START + 5 * MINUTE_MS);
      if (!died) break;
      world.clock.set(START + 10 * MINUTE_MS);
      await drive(world, world.pipeline(), START + HOUR_MS);
      if (world.authority.orders.length > 1) more.push(commits);
    }
    expect(more).toHaveLength(1);
  });

  for (const [index, [first, second]] of WAYS_TO_DIE_TWICE.entries()) {
    test(`${first} any commit, and again ${second} any later one, creates only the extra orders that were not stored`, async () => {
      let pairs = 0;
      let mostLost = 0;
      for (let commits = 1, died = 2; died > 0; commits++) {
        for (let later = 1 + ((commits + index) % STRIDE); ; later += STRIDE) {
          const deaths = [{ commits, when: first } as const, { commits: later, when: second }];
          const lives = await diesOf(deaths);
          mostLost = Math.max(mostLost, lives.lost);
          died = lives.deaths;
          if (died < 2) break;
          pairs++;
        }
      }
      expect(pairs).toBeGreaterThan(50 / STRIDE);
      expect(mostLost).toBe([first, second].filter((when) => when === "before").length);
    });
  }

  test("repeatedly completes if each run stores one step", async () => {
    const [world, { id }] = await worldWith((one) => one.add(1));
    for (let life = 0; life < 30; life++) {
      await dies(world, dyingAt(world, 1, "after"), world.clock.now() + MINUTE_MS);
      world.clock.advance(2 * MINUTE_MS);
    }
    await drive(world, world.pipeline(), world.clock.now() + HOUR_MS);
    await expectLive(world, id);
    expect(world.authority.orders).toHaveLength(1);
  });
});

describe("a lost response of the CA", () => {
  for (const call of ["newOrder", "order", "authorization", "answer", "finalize", "download"]) {
    test(`to ${call} costs at most one extra order`, async () => {
      const [world, { id }] = await worldWith((one) => one.add(1));
      let lost = false;
      world.authority.processing = true;
      world.authority.fault = (what) => {
        if (what !== call || lost) return undefined;
        lost = true;
        return "lost";
      };
      await drive(world, world.pipeline(), START + HOUR_MS);
      expect(lost).toBe(true);
      const domain = await world.domain(id);
      expect(statusOf(domain, world.clock.now())).toBe("live");
      expect(world.authority.orders.length).toBe(call === "newOrder" ? 2 : 1);
    });
  }
});
