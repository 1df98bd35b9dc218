import { describe, expect, test } from "bun:test";

import { openBunSqlite } from "../../../adapters/sqlite/bun.ts";
import { ownProblem, type AuthorityProblem } from "../../../domains/model/acme-problem.ts";
import { statusOf } from "../../../domains/model/domain-state.ts";
import type { Domain } from "../../../domains/model/domain.ts";
import type { Pipeline } from "../../../domains/pipeline/pipeline.ts";
import { sqlDomainStore } from "../../../domains/storage/sql-domain-store.ts";
import { sqlLeases } from "../../../domains/storage/sql-leases.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../lib/base/clock.ts";
import type { Log, LogFields } from "../../../lib/base/log.ts";
import { silentLog } from "../../../lib/base/log.ts";
import {
  fakeAuthority,
  lostAnswer,
  type FakeAuthority,
} from "../../helpers/domains/fake-authority.ts";
import { raceIssuers } from "../../helpers/domains/issuer-race.ts";
import { START } from "../../helpers/domains/rows.ts";
import { sqliteSql } from "../../../lib/sql/sqlite.ts";
import { chance, runSeed, torture } from "../../helpers/chance.ts";
import { scratch } from "../../helpers/sqlite.ts";
import { drive, openWorld, validationOf, type World } from "../../helpers/domains/world.ts";
import { worlds } from "../../helpers/domains/worlds.ts";

const open = worlds();
const file = scratch();
const FIRST = "https://ca.test/directory";
const SECOND = "https://second.test/directory";

interface Two {
  readonly world: World;
  readonly second: FakeAuthority;
  readonly pipeline: Pipeline;
  readonly log: Log;
  readonly logged: readonly { readonly message: string; readonly fields: LogFields }[];
}

/** Opens a world with a second CA, whose orders are proven by the same service. */
async function openTwo(changes: Parameters<World["pipeline"]>[0] = {}): Promise<Two> {
  const world = await open();
  const second = await fakeAuthority(world.clock, { id: SECOND });
  second.validate = validationOf(second, world.domains, world.clock);
  const logged: { message: string; fields: LogFields }[] = [];
  const log: Log = {
    ...silentLog,
    warn: (message, fields = {}) => logged.push({ message, fields }),
  };
  const pipeline = world.pipeline({ authorities: [world.authority, second], log, ...changes });
  return { world, second, pipeline, log, logged };
}

const newOrders = (authority: FakeAuthority): number =>
  authority.calls.filter((call) => call.startsWith("newOrder")).length;

const down = (authority: FakeAuthority, problem: AuthorityProblem = lostAnswer): void => {
  authority.fault = (call) => (call.startsWith("newOrder") ? problem : undefined);
};

const live = (domain: Domain, { clock }: World): boolean =>
  statusOf(domain, clock.now()) === "live";

describe("while the first CA is down", () => {
  test("the second one gets the order, and the first one the next renewal", async () => {
    const { world, second, pipeline, logged } = await openTwo();
    down(world.authority);
    const { id } = await world.add(1);
    await drive(world, pipeline, START + MINUTE_MS);
    const { certificate } = await world.domain(id);
    expect(certificate?.authority).toBe(SECOND);
    const timeline = await world.domains.timeline.of(id, 50);
    expect(timeline.map(({ message }) => message)).toContain(
      `The certificate is ordered from ${SECOND}, because the last order at ${FIRST} failed: The connection broke.`,
    );
    expect(timeline.map(({ kind }) => kind)).not.toContain("failed");
    expect(logged).toContainEqual({
      message: "orders for certificates go to another CA than the first",
      fields: { ca: SECOND, instead_of: FIRST, reason: "failed", message: "The connection broke." },
    });

    world.authority.fault = () => undefined;
    await drive(world, pipeline, (certificate?.renewAt ?? 0) + HOUR_MS);
    const renewed = await world.domain(id);
    expect(renewed.certificate?.authority).toBe(FIRST);
    expect(renewed.issuance.skipped).toBeUndefined();
    expect(second.issued).toBe(1);
  });

  test("and the second one too, each is asked as often as if it were alone", async () => {
    const { world, second, pipeline } = await openTwo();
    down(world.authority);
    down(second);
    const { id } = await world.add(1);
    await drive(world, pipeline, START + 6 * HOUR_MS);
    const alone = await open();
    down(alone.authority);
    await alone.add(1);
    await drive(alone, alone.pipeline(), START + 6 * HOUR_MS);
    const most = newOrders(alone.authority);
    for (const one of [world.authority, second]) {
      expect(newOrders(one)).toBeGreaterThan(20);
      expect(newOrders(one)).toBeLessThanOrEqual(most + 2);
    }
    second.fault = () => undefined;
    await drive(world, pipeline, START + 6 * HOUR_MS + 2 * HOUR_MS);
    expect((await world.domain(id)).certificate?.authority).toBe(SECOND);
  });

  test("a failure with it does not lengthen the waits of the second one", async () => {
    const { world, second, pipeline } = await openTwo();
    down(world.authority);
    down(second);
    const { id } = await world.add(1);
    await drive(world, pipeline, START + 20 * MINUTE_MS);
    const { tallies = [] } = (await world.domain(id)).issuance;
    expect(new Set(tallies.map(({ authority }) => authority))).toEqual(new Set([FIRST, SECOND]));
    for (const { failures } of tallies) expect(failures).toBeLessThan(7);
  });

  test("a second CA that the operator adds gets the order at the next start", async () => {
    const { world, second } = await openTwo();
    down(world.authority, ownProblem("account_refused", "no"));
    const alone = world.pipeline();
    const { id } = await world.add(1);
    await drive(world, alone, START + HOUR_MS);
    const waiting = await world.domain(id);
    expect(waiting.issuance.notBefore).toBeGreaterThan(START + 12 * HOUR_MS);
    // The operator adds a second CA.
    const both = world.pipeline({ authorities: [world.authority, second] });
    await both.review(waiting);
    await drive(world, both, world.clock.now() + HOUR_MS);
    expect((await world.domain(id)).certificate?.authority).toBe(SECOND);
  });
});

const refusals: readonly [string, AuthorityProblem][] = [
  ["pauses all orders", { ...ownProblem("rate_limited", "too many new orders"), status: 429 }],
  ["refuses the account", ownProblem("account_refused", "not you")],
  ["requires an external account", ownProblem("external_account_required", "who?")],
  ["cannot read the request", ownProblem("bad_request", "malformed")],
];

for (const [what, problem] of refusals) {
  test(`a first CA that ${what} loses the order to the second one at once`, async () => {
    const { world, second, pipeline } = await openTwo();
    down(world.authority, problem);
    const { id } = await world.add(1);
    await drive(world, pipeline, START + MINUTE_MS);
    expect(live(await world.domain(id), world)).toBe(true);
    expect(newOrders(world.authority)).toBe(1);
    expect(second.issued).toBe(1);
  });
}

test("a pause of the first CA sends all names to the second one, with one request to the first", async () => {
  const { world, second, pipeline, logged } = await openTwo();
  const retryAt = START + 6 * HOUR_MS;
  down(world.authority, { ...ownProblem("rate_limited", "slow down"), status: 429, retryAt });
  const ids: string[] = [];
  for (let number = 1; number <= 8; number++) ids.push((await world.add(number)).id);
  await drive(world, pipeline, START + 5 * MINUTE_MS);
  for (const id of ids) expect((await world.domain(id)).certificate?.authority).toBe(SECOND);
  expect(newOrders(world.authority)).toBe(1);
  expect(second.issued).toBe(8);
  const lines = logged.filter(({ message }) => message.startsWith("orders for certificates go"));
  expect(lines.length).toBeLessThanOrEqual(2);
});

const owners: readonly [string, AuthorityProblem][] = [
  ["a failed validation", ownProblem("wrong_answer", "another server answered")],
  ["an unreachable address", ownProblem("connection", "refused")],
  ["a name without an address", ownProblem("dns", "no A record")],
  ["CAA records", ownProblem("caa", "forbidden")],
  ["a pause of the name after failures", ownProblem("paused", "unpause it")],
];

for (const [what, problem] of owners) {
  test(`${what} never brings the order to the second CA`, async () => {
    const { world, second, pipeline } = await openTwo();
    world.authority.validate = async () => problem;
    down(world.authority);
    world.authority.fault = (call) =>
      call === "newOrder" && problem.code === "paused" ? problem : undefined;
    await world.add(1);
    await drive(world, pipeline, START + DAY_MS);
    expect(newOrders(world.authority)).toBeGreaterThan(0);
    expect(newOrders(second)).toBe(0);
  });
}

test("a name whose CAA records permit the second CA alone never reaches the first", async () => {
  const { world, second, pipeline } = await openTwo({
    verifier: async () => ({
      ...{ state: "verified", blocking: [], leadsHere: true, details: null },
      forbidden: [FIRST],
    }),
  });
  const { id } = await world.add(1);
  await drive(world, pipeline, START + MINUTE_MS);
  const first = await world.domain(id);
  expect(first.certificate?.authority).toBe(SECOND);
  // Even when the only permitted one is down.
  down(second);
  await drive(world, pipeline, (first.certificate?.renewAt ?? 0) + DAY_MS);
  expect(newOrders(second)).toBeGreaterThan(2);
  expect(newOrders(world.authority)).toBe(0);
});

test("an open order stays with its CA while the first one becomes available", async () => {
  const { world, second, pipeline } = await openTwo();
  down(world.authority);
  second.processing = true;
  const { id } = await world.add(1);
  for (let task = 0; task < 20 && second.orders.length === 0; task++) {
    await pipeline.advance(id, new AbortController().signal);
  }
  expect(second.orders).toHaveLength(1);
  world.authority.fault = () => undefined;
  await drive(world, world.pipeline({ authorities: [world.authority, second] }), START + HOUR_MS);
  expect((await world.domain(id)).certificate?.authority).toBe(SECOND);
  expect(world.authority.issued).toBe(0);
});

describe("the profile of the options", () => {
  test("is part of every order", async () => {
    const { world } = await openTwo();
    const profiled = { ...world.authority, profile: "shortlived" };
    await world.add(1);
    await drive(world, world.pipeline({ authorities: [profiled] }), START + MINUTE_MS);
    expect(world.authority.calls).toContain("newOrder(shortlived) pets1.test");
  });

  test("is left out once the CA refuses it, and the order succeeds without", async () => {
    const { world, second, log, logged } = await openTwo();
    const profiled = { ...world.authority, profile: "gone" };
    world.authority.fault = (call) =>
      call === "newOrder(gone)" ? ownProblem("profile_refused", "unrecognized profile") : undefined;
    const { id } = await world.add(1);
    const pipeline = world.pipeline({ authorities: [profiled, second], log });
    await drive(world, pipeline, START + MINUTE_MS);
    expect((await world.domain(id)).certificate?.authority).toBe(FIRST);
    expect(newOrders(world.authority)).toBe(2);
    expect(newOrders(second)).toBe(0);
    expect(logged.map(({ fields }) => fields["profile"])).toContain("gone");
  });
});

describe("an order that the CA has discarded", () => {
  const ORDER_MS = 30 * MINUTE_MS;

  test("is not answered, and another one is started", async () => {
    const { world, pipeline } = await openTwo();
    const { authority } = world;
    authority.orderMs = ORDER_MS;
    const { id } = await world.add(1);
    // The process ends after the order was created, and starts again after its end.
    for (let task = 0; task < 10 && authority.orders.length === 0; task++) {
      await pipeline.advance(id, new AbortController().signal);
    }
    expect(authority.orders).toHaveLength(1);
    world.clock.advance(ORDER_MS + 1);
    authority.fault = (call) => {
      if (call === "answer" && authority.orders.length === 1) throw new Error("answered too late");
      return undefined;
    };
    await drive(world, world.pipeline(), world.clock.now() + HOUR_MS);
    expect(live(await world.domain(id), world)).toBe(true);
    expect(authority.orders).toHaveLength(2);
    expect(authority.calls.filter((call) => call.startsWith("answer"))).toHaveLength(1);
  });

  test("by a date that our clock cannot be compared with is answered", async () => {
    const { world } = await openTwo();
    const { authority } = world;
    authority.orderMs = -DAY_MS;
    const { id } = await world.add(1);
    await drive(world, world.pipeline(), START + HOUR_MS);
    expect(live(await world.domain(id), world)).toBe(true);
    expect(authority.orders).toHaveLength(1);
  });
});

/** Lifetimes of public CAs' profiles, in hours. */
for (const [lifetime, hours, days] of [
  ["45 days", 45 * 24, torture ? 365 : 120],
  ["160 hours", 160, torture ? 365 : 45],
] as const) {
  test(`${days} days of certificates of ${lifetime} with a first CA that is often down: none expires`, async () => {
    const random = chance();
    const world = await openWorld(undefined, {
      authorityOver: (clock) => fakeAuthority(clock, { lifetimeMs: hours * HOUR_MS }),
    });
    const { authority: first, clock } = world;
    const second = await fakeAuthority(clock, { id: SECOND, lifetimeMs: hours * HOUR_MS });
    second.validate = validationOf(second, world.domains, clock);
    // As Let's Encrypt from 2028 on.
    for (const one of [first, second]) {
      one.orderMs = 8 * HOUR_MS;
      one.reuseMs = 7 * HOUR_MS;
    }
    // Three days of outage start with every fourth week, and the second one fails at random.
    const isDown = (): boolean => (clock.now() - START) % (28 * DAY_MS) < 3 * DAY_MS;
    first.fault = (call) => (isDown() && call !== "renewalInfo" ? lostAnswer : undefined);
    second.fault = () => (random.true(0.1) ? lostAnswer : undefined);
    const pipeline = world.pipeline({ authorities: [first, second] });
    const ids = torture
      ? [(await world.add(1)).id, (await world.add(2)).id]
      : [(await world.add(1)).id];
    const served = new Set<string>();
    for (let day = 1; day <= days; day++) {
      await drive(world, pipeline, START + day * DAY_MS);
      for (const id of ids) {
        const { certificate } = await world.domain(id);
        expect(certificate?.notAfter ?? 0).toBeGreaterThan(clock.now());
        served.add(certificate?.authority ?? "");
      }
    }
    expect([...served].toSorted()).toEqual([FIRST, SECOND].toSorted());
    expect([first.late, second.late]).toEqual([0, 0]);
    // A renewal each half or two thirds of the lifetime, and no more orders than that.
    const renewals = Math.ceil((days * 24) / (hours * (hours < 240 ? 0.46 : 0.62)));
    expect(first.issued + second.issued).toBeLessThanOrEqual(ids.length * (renewals + 1));
    await world.close();
  }, 600_000);
}

const ROUNDS = torture ? 500 : 6;

test(`two nodes that prefer different CAs order a name once, ${ROUNDS} times (seed ${runSeed})`, async () => {
  const path = file();
  const world = await openWorld(path);
  const { clock } = world;
  // The other node shares only the file, the clock and the CAs.
  const sql = sqliteSql({
    database: openBunSqlite(path),
    defer: (callback) => setImmediate(callback),
    clock,
  });
  try {
    const domains = await sqlDomainStore({ sql, clock });
    await raceIssuers(world, { domains, leases: sqlLeases({ sql, clock }) }, ROUNDS);
  } finally {
    await sql.close();
    await world.close();
  }
}, 600_000);
