import { describe, expect, test } from "bun:test";

import { statusOf } from "../../../domains/model/domain-state.ts";
import { causeOf } from "../../../domains/model/authority-pause.ts";
import { ownProblem } from "../../../domains/model/acme-problem.ts";
import type { Pipeline } from "../../../domains/pipeline/pipeline.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../lib/base/clock.ts";
import { refused } from "../../../lib/base/result.ts";
import { fakeAuthority } from "../../helpers/domains/fake-authority.ts";
import { START } from "../../helpers/domains/rows.ts";
import { drive, type World } from "../../helpers/domains/world.ts";
import { worlds } from "../../helpers/domains/worlds.ts";

const { signal } = new AbortController();
const open = worlds();
const down = ownProblem("unavailable", "connect ECONNREFUSED 192.0.2.9:443");

/** The instants of requests for new orders. */
function ordersOf({ authority, clock }: World): readonly number[] {
  const at: number[] = [];
  const { newOrder } = authority;
  authority.newOrder = (...input) => {
    at.push(clock.now());
    return newOrder(...input);
  };
  return at;
}

/** The most in one minute. */
function mostInAMinute(at: readonly number[]): number {
  return Math.max(
    0,
    ...at.map((one) => at.filter((other) => other >= one && other < one + MINUTE_MS).length),
  );
}

async function addMany(world: World, count: number): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let number = 1; number <= count; number++) ids.push((await world.add(number)).id);
  return ids;
}

/** Runs the due tasks in several processes in turn. */
async function driveAll(
  world: World,
  pipelines: readonly Pipeline[],
  until: number,
): Promise<void> {
  for (let turn = 0; ; turn++) {
    const due = await world.domains.domains.due(world.clock.now(), pipelines.length);
    const busy = due.map((id, index) =>
      pipelines[(turn + index) % pipelines.length]?.advance(id, signal),
    );
    await Promise.all(busy);
    if (due.length > 0) continue;
    const next = await world.domains.domains.nextDueAt();
    if (next === undefined || next > until) return world.clock.set(until);
    world.clock.set(next);
  }
}

describe("a CA that does not answer", () => {
  test("gets an order a minute of forty new names, and all of them are live within eleven minutes afterwards", async () => {
    const world = await open();
    const at = ordersOf(world);
    const ids = await addMany(world, 40);
    world.authority.fault = (call) => (call === "newOrder" ? down : undefined);
    await drive(world, world.pipeline(), START + HOUR_MS);
    // Three of them find out.
    expect(mostInAMinute(at)).toBeLessThanOrEqual(4);
    expect(mostInAMinute(at.slice(3))).toBe(1);
    expect(at.length).toBeWithin(50, 64);
    world.authority.fault = () => undefined;
    await drive(world, world.pipeline(), START + HOUR_MS + 11 * MINUTE_MS);
    for (const id of ids) expect(statusOf(await world.domain(id), world.clock.now())).toBe("live");
    expect(await world.domains.pauses.of(world.authority.id)).not.toHaveProperty("failures");
  });

  test("gets an order a minute of three nodes together", async () => {
    const world = await open();
    const at = ordersOf(world);
    await addMany(world, 12);
    world.authority.fault = (call) => (call === "newOrder" ? down : undefined);
    const nodes = [1, 2, 3].map(() => world.pipeline());
    await driveAll(world, nodes, START + 30 * MINUTE_MS);
    // As many as there are nodes may be under way when it is known.
    expect(mostInAMinute(at.slice(5))).toBe(1);
    expect(at.length).toBeWithin(20, 38);
  });

  test.each(["directory", "createAccount"] as const)("is known by its %s, too", async (call) => {
    const world = await open();
    const { authority } = world;
    await addMany(world, 8);
    let asked = 0;
    const { directory, createAccount } = authority;
    let isDown = true;
    if (call === "directory") {
      authority.newOrder = (
        (before) =>
        async (...input) => {
          asked++;
          return isDown ? refused(down) : before(...input);
        }
      )(authority.newOrder);
      authority.directory = async (stop) => (isDown ? refused(down) : directory(stop));
    } else {
      authority.createAccount = async (...input) => {
        asked++;
        return isDown ? refused(down) : createAccount(...input);
      };
    }
    await drive(world, world.pipeline(), START + 20 * MINUTE_MS);
    expect(asked).toBeWithin(15, 25);
    expect(causeOf(await world.domains.pauses.of(authority.id), world.clock.now())).toBe("down");
    isDown = false;
    await drive(world, world.pipeline(), START + 30 * MINUTE_MS);
    const last = await world.domain("dom_000000000008");
    expect(statusOf(last, world.clock.now())).toBe("live");
  });

  test("does not count against a name that probes it", async () => {
    const world = await open(undefined, {
      authorityOver: (clock) => fakeAuthority(clock, { lifetimeMs: 6 * DAY_MS }),
    });
    const [id = ""] = await addMany(world, 1);
    await drive(world, world.pipeline(), START + HOUR_MS);
    const { certificate } = await world.domain(id);
    const at = ordersOf(world);
    world.authority.fault = (call) => (call === "newOrder" ? down : undefined);
    const renewAt = certificate?.renewAt ?? 0;
    await drive(world, world.pipeline(), renewAt + 2 * HOUR_MS);
    expect(at.length).toBeWithin(60, 120);
    const { issuance } = await world.domain(id);
    // The failures before it was known to be down.
    expect(issuance).toMatchObject({ failures: 3, failedAt: [] });
    expect(issuance.tallies).toMatchObject([{ failure: "outage", failures: 3 }]);
    expect(issuance.attempts).toBe(3);
    expect(issuance.failure?.until).toBeGreaterThan(world.clock.now() - 1);
  });

  test("is asked nothing else either: not when certificates are to be replaced", async () => {
    const world = await open();
    const { authority } = world;
    const window = { start: START + 40 * DAY_MS, end: START + 42 * DAY_MS };
    authority.renewal = () => ({ window });
    await addMany(world, 20);
    await drive(world, world.pipeline(), START + HOUR_MS);
    for (const _ of [1, 2, 3]) {
      const message = "no answer";
      const fail = {
        kind: "authority.failed",
        authority: authority.id,
        message,
        at: world.clock.now(),
      } as const;
      await world.domains.commit([fail], { kind: "system" });
    }
    const before = authority.calls.length;
    await drive(world, world.pipeline(), START + DAY_MS);
    expect(authority.calls.length).toBe(before);
  });

  test("that answers with a refusal of a name takes the orders of the others", async () => {
    const world = await open();
    const at = ordersOf(world);
    const ids = await addMany(world, 5);
    const named = (await world.domain(ids[0] ?? "")).name;
    let broken = true;
    world.authority.fault = (call, name) => {
      if (call !== "newOrder") return undefined;
      if (broken) return down;
      return name === named ? { code: "name_refused", message: "no", names: [] } : undefined;
    };
    await drive(world, world.pipeline(), START + 10 * SECOND_MS);
    expect(at.length).toBe(3);
    broken = false;
    await drive(world, world.pipeline(), START + 8 * MINUTE_MS);
    for (const id of ids.slice(1)) {
      expect(statusOf(await world.domain(id), world.clock.now())).toBe("live");
    }
    expect((await world.domain(ids[0] ?? "")).issuance.failure?.code).toBe("ca_rejected_name");
  });
});

test("of several nodes, one probes a CA that is paused", async () => {
  const world = await open();
  const at = ordersOf(world);
  await addMany(world, 6);
  const nodes = [1, 2, 3].map(() => world.pipeline());
  world.authority.fault = (call) =>
    call === "newOrder"
      ? {
          code: "rate_limited",
          message: "slow down",
          names: [],
          retryAt: world.clock.now() + 40 * DAY_MS,
        }
      : undefined;
  await driveAll(world, nodes, START + 3 * DAY_MS);
  // The first, perhaps one more of each node, and one a day.
  expect(at.length).toBeWithin(3, 3 + 3);
});
