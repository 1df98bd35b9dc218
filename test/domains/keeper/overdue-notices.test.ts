import { describe, expect, test } from "bun:test";

import { createKeeper } from "../../../domains/keeper/keeper.ts";
import {
  createOverdueNotices,
  type OverdueNotice,
} from "../../../domains/keeper/overdue-notices.ts";
import { statusOf } from "../../../domains/model/domain-state.ts";
import { createRouteTable } from "../../../domains/serving/routes.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../lib/base/clock.ts";
import { silentLog, type LogFields } from "../../../lib/base/log.ts";
import { manualClock } from "../../helpers/clock.ts";
import { START } from "../../helpers/domains/rows.ts";
import type { World } from "../../helpers/domains/world.ts";
import { worlds } from "../../helpers/domains/worlds.ts";
import { migratedSql } from "../../helpers/migrated.ts";

const open = worlds();

interface Told {
  readonly lines: { readonly message: string; readonly fields: LogFields | undefined }[];
  readonly notices: OverdueNotice[];
}

/** A process that looks after the domains of a world, and what it tells. */
function node(world: World, told: Told, hand?: (notice: OverdueNotice) => void) {
  const { domains, store } = world;
  const clock = world.time();
  const log = {
    ...silentLog,
    warn: (message: string, fields?: LogFields) => told.lines.push({ message, fields }),
  };
  const notices = createOverdueNotices({
    store: domains,
    clock,
    log,
    hand: async (notice) => {
      hand?.(notice);
      told.notices.push(notice);
    },
  });
  const routes = createRouteTable({
    store: domains,
    gatekeeper: { slugOf: async () => "site" },
    clock,
  });
  const pipeline = world.pipeline({ onWarned: (domain) => notices.announced(domain) });
  return createKeeper({ pipeline, domains, store, routes, clock, log: silentLog, notices });
}

const nothing = (): Told => ({ lines: [], notices: [] });

/** Adds live domains, the last one as a host of the service itself, and takes the CA down. */
async function liveWorld(count: number): Promise<World> {
  const world = await open();
  for (let number = 1; number <= count; number++) {
    const own = number === count ? { projectId: `own:pets${number}.test`, accountId: "own" } : {};
    await world.add(number, { accountId: `acc_${1 + (number % 2)}`, ...own });
  }
  const keeper = node(world, nothing());
  for (let round = 0; round < 4; round++) {
    await keeper.tick();
    world.clock.advance(2_000);
  }
  world.authority.fault = () => ({ code: "unavailable", message: "It is down.", names: [] });
  return world;
}

async function runUntil(world: World, until: number, nodes: readonly { tick(): Promise<void> }[]) {
  while (world.clock.now() < until) {
    world.clock.set(Math.min(until, world.clock.now() + 6 * HOUR_MS));
    for (const one of nodes) await one.tick();
    world.clock.advance(MINUTE_MS);
    for (const one of nodes) await one.tick();
  }
}

describe("of a CA that is down", () => {
  test("each stage is told once, for all names together, by one of two nodes", async () => {
    const world = await liveWorld(5);
    const { certificate } = await world.domain("dom_000000000001");
    if (certificate === undefined) throw new Error("It has a certificate.");
    const { renewAt, notAfter } = certificate;
    const told = nothing();
    const nodes = [node(world, told), node(world, told)];
    world.clock.set(renewAt - HOUR_MS);
    await runUntil(world, notAfter + 3 * DAY_MS, nodes);
    const ofOperator = told.notices.filter(({ accountId }) => accountId === undefined);
    // The notice goes out with the first name; its certificate is due hours before the last one's.
    expect(ofOperator.map(({ stage, expired }) => [stage, expired > 0])).toEqual([
      [1, false],
      [2, false],
      [3, false],
      [4, true],
    ]);
    expect(ofOperator.slice(1).map(({ overdue }) => overdue)).toEqual([5, 5, 5]);
    expect(ofOperator[1]?.names).toContain("pets5.test");
    for (const [account, names] of [
      ["acc_1", ["pets2.test", "pets4.test"]],
      ["acc_2", ["pets1.test", "pets3.test"]],
    ] as const) {
      const own = told.notices.filter(({ accountId }) => accountId === account);
      expect(own.map(({ stage }) => stage)).toEqual([1, 2, 3, 4]);
      expect(own[2]?.names.toSorted()).toEqual([...names]);
    }
    expect(told.notices).toHaveLength(12);
    const instant = String.raw`\d{4}-\d\d-\d\dT[\d:.]+Z; petstore doctor says what to do$`;
    const before = new RegExp(`^certificates overdue: [1-5], the first expires on ${instant}`);
    const after = new RegExp(
      `^certificates overdue: 5, [1-5] of them expired, the first expired on ${instant}`,
    );
    expect(told.lines.map(({ message }) => message)).toEqual([
      ...Array.from({ length: 3 }, () => expect.stringMatching(before)),
      expect.stringMatching(after),
    ]);
    // Each name has an event for each stage.
    const events = (await world.store.events.after(0, 10_000)).map(({ type }) => type);
    expect(events.filter((type) => type === "host.expiring")).toHaveLength(3);
    expect(statusOf(await world.domain("dom_000000000001"), world.clock.now())).toBe("attention");
  });

  test("a notice that the host refused is handed over again, and no line is repeated", async () => {
    const world = await liveWorld(2);
    const { certificate } = await world.domain("dom_000000000001");
    const { renewAt = 0, notAfter = 0 } = certificate ?? {};
    const told = nothing();
    let refusals = 2;
    const keeper = node(world, told, () => {
      if (refusals-- > 0) throw new Error("The mails cannot be stored.");
    });
    world.clock.set(renewAt + (notAfter - renewAt) / 4);
    for (let round = 0; round < 4; round++) {
      await keeper.tick();
      world.clock.advance(MINUTE_MS);
    }
    expect(
      told.notices.map(({ accountId = "", stage }) => `${accountId} ${stage}`).toSorted(),
    ).toEqual([" 1", "acc_2 1"]);
    expect(told.lines).toHaveLength(1);
  });

  test("what a killed process did not tell is told after the start, once", async () => {
    const world = await liveWorld(2);
    const { certificate } = await world.domain("dom_000000000001");
    const { renewAt = 0, notAfter = 0 } = certificate ?? {};
    world.clock.set(renewAt + (notAfter - renewAt) / 4);
    const killed = nothing();
    // It announces the stage, and is killed before its next minute.
    await node(world, killed).tick();
    expect(killed.notices).toEqual([]);
    const told = nothing();
    for (let start = 0; start < 3; start++) {
      const keeper = node(world, told);
      for (let round = 0; round < 3; round++) {
        await keeper.tick();
        world.clock.advance(MINUTE_MS);
      }
    }
    expect(told.notices.map(({ stage }) => stage)).toEqual([1, 1]);
    expect(told.lines).toHaveLength(1);
  });

  test("nothing is told of a name whose owner has to act, but to the owner", async () => {
    const world = await open();
    const { id, name } = await world.add(1);
    const live = node(world, nothing());
    for (let round = 0; round < 4; round++) {
      await live.tick();
      world.clock.advance(2_000);
    }
    world.dns.delete(name);
    const { certificate } = await world.domain(id);
    const { renewAt = 0, notAfter = 0 } = certificate ?? {};
    const told = nothing();
    const keeper = node(world, told);
    world.clock.set(renewAt - DAY_MS);
    await runUntil(world, renewAt + (notAfter - renewAt) / 4 + 2 * HOUR_MS, [keeper]);
    expect(told.notices.map(({ accountId }) => accountId)).toEqual(["acc_1"]);
    expect(told.lines).toEqual([]);
  });
});

test("the world starts before its certificates are due", async () => {
  const world = await liveWorld(1);
  expect(statusOf(await world.domain("dom_000000000001"), START + DAY_MS)).toBe("live");
});

test("rows of the version before are counted as soon as a process of this one runs", async () => {
  const clock = manualClock(START);
  const sql = await migratedSql(clock);
  const world = await open(undefined, { clock, sql });
  const ids = [];
  for (const number of [1, 2, 3, 4]) ids.push((await world.add(number)).id);
  const first = node(world, nothing());
  for (let round = 0; round < 4; round++) {
    await first.tick();
    world.clock.advance(2_000);
  }
  const { certificate } = await world.domain(ids[0] ?? "");
  const now = certificate?.notAfter ?? 0;
  expect(await world.domains.domains.overdue(now)).toMatchObject({ overdue: 4 });
  // It never filled the columns, renewed a certificate without them, and removed an overdue name.
  await world.remove(ids[3] ?? "");
  const write = async (text: string) => sql.batch([{ text, values: [] }], () => true);
  await write("UPDATE domains SET overdue_at = NULL, expires_at = NULL");
  await write("UPDATE domains SET overdue_at = 1, expires_at = 1 WHERE seq > 2");
  expect(await world.domains.domains.overdue(now)).toMatchObject({ overdue: 2 });
  await node(world, nothing()).tick();
  expect(await world.domains.domains.overdue(2)).toEqual({ overdue: 0, expired: 0 });
  expect(await world.domains.domains.overdue(now)).toMatchObject({ overdue: 3 });
  const saves = world.saved.length;
  await node(world, nothing()).tick();
  expect(world.saved).toHaveLength(saves);
});
