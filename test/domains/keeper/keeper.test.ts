import { describe, expect, test } from "bun:test";

import { system } from "../../../lib/model/actor.ts";
import { createKeeper } from "../../../domains/keeper/keeper.ts";
import { statusOf } from "../../../domains/model/domain-state.ts";
import type { Pipeline } from "../../../domains/pipeline/pipeline.ts";
import { createRouteTable, type RouteTable } from "../../../domains/serving/routes.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../../../lib/base/clock.ts";
import { silentLog } from "../../../lib/base/log.ts";
import type { Jobs } from "../../../lib/base/rounds.ts";
import { adding, saving, someAccount, someDomain, START } from "../../helpers/domains/rows.ts";
import { type World } from "../../helpers/domains/world.ts";
import { worlds } from "../../helpers/domains/worlds.ts";

const open = worlds();

function keeping(
  world: World,
  pipeline: Pipeline = world.pipeline(),
  concurrency = 16,
): { readonly keeper: Jobs; readonly routes: RouteTable } {
  const { domains, store, clock } = world;
  const routes = createRouteTable({
    store: domains,
    gatekeeper: { slugOf: async () => "site" },
    clock,
  });
  const log = silentLog;
  const time = world.time();
  return {
    routes,
    keeper: createKeeper({ pipeline, domains, store, routes, clock: time, log, concurrency }),
  };
}

/** A pipeline that completes each domain in one step, or behaves as given. */
function scripted(world: World, act: (id: string) => Promise<void>): Pipeline {
  return {
    advance: async (id) => {
      await act(id);
      const domain = await world.domain(id);
      await world.domains.commit(
        [saving(domain, { watch: { ...domain.watch, since: START + DAY_MS } })],
        system,
      );
      return { kind: "idle" };
    },
    mayEnd: () => true,
    driftStandsStill: false,
    verify: async () => undefined,
    rehearse: async () => undefined,
    review: async () => {},
    rewrite: async () => {},
    checkGates: async () => {},
    reportUnservable: async () => {},
  };
}

describe("the keeper", () => {
  test("performs all due tasks, but none before its time", async () => {
    const world = await open();
    const { id } = await world.add(1);
    const { keeper, routes } = keeping(world);
    await keeper.tick();
    world.clock.advance(2 * SECOND_MS);
    await keeper.tick();
    world.clock.advance(2 * SECOND_MS);
    await keeper.tick();
    expect(statusOf(await world.domain(id), world.clock.now())).toBe("live");
    await keeper.tick();
    expect(routes.byHost("pets1.test")).toMatchObject({ kind: "site" });
  });

  test("begins no task after ten seconds of a tick, and a tick does not reject if the store fails", async () => {
    const world = await open();
    for (let count = 1; count <= 5; count++) await world.add(count);
    let worked = 0;
    const act = async (): Promise<void> => {
      worked++;
      world.clock.advance(4 * SECOND_MS);
    };
    const { keeper } = keeping(world, scripted(world, act), 1);
    await keeper.tick();
    expect(worked).toBe(3);
    await keeper.tick();
    expect(worked).toBe(5);
    const due = async (): Promise<never> => {
      throw new Error("gone");
    };
    const failing = {
      ...world,
      domains: { ...world.domains, domains: { ...world.domains.domains, due } },
    };
    await keeping(failing, scripted(world, act)).keeper.tick();
  });

  test("ends waits for the operator after a start with changed CA options, and orders at once", async () => {
    const world = await open();
    const { id } = await world.add(1);
    let repaired = false;
    world.authority.fault = (call) =>
      call === "newOrder" && !repaired
        ? { code: "external_account_required", message: "who are you?", names: [] }
        : undefined;
    await keeping(world).keeper.tick();
    expect((await world.domain(id)).issuance.notBefore).toBe(START + DAY_MS);
    repaired = true;
    world.clock.advance(MINUTE_MS);
    await keeping(world).keeper.tick();
    expect((await world.domain(id)).certificate).toBeUndefined();
    const { keeper } = keeping(world, world.pipeline({ issuerDigest: () => "other" }));
    for (let round = 0; round < 3; round++) {
      await keeper.tick();
      world.clock.advance(2 * SECOND_MS);
    }
    expect(statusOf(await world.domain(id), world.clock.now())).toBe("live");
  });

  test("updates routes while the CA hangs, and stops cleanly", async () => {
    const world = await open();
    const { id } = await world.add(1);
    await keeping(world).keeper.tick();
    world.authority.directory = (until) =>
      new Promise((_resolve, reject) => {
        until.addEventListener("abort", () => reject(until.reason));
      });
    const { domains, store } = world;
    const complaints: string[] = [];
    const refreshed = Promise.withResolvers<void>();
    const keeper = createKeeper({
      pipeline: scripted(world, async () => {}),
      domains,
      store,
      routes: {
        forget() {},
        forgetAll() {},
        refresh: async () => refreshed.resolve(),
        confirm() {},
      },
      clock: world.time(),
      log: { ...silentLog, error: (message) => void complaints.push(message) },
    });
    keeper.start();
    await refreshed.promise;
    await keeper.stop();
    expect([complaints, (await world.domain(id)).id]).toEqual([[], id]);
  });

  test("limits concurrent work", async () => {
    const world = await open();
    for (let number = 1; number <= 30; number++) await world.add(number);
    let now = 0;
    let most = 0;
    const pipeline = scripted(world, async () => {
      most = Math.max(most, ++now);
      await new Promise((resolve) => setImmediate(resolve));
      now--;
    });
    await keeping(world, pipeline, 5).keeper.tick();
    expect(most).toBe(5);
    expect(await world.domains.domains.due(START, 100)).toEqual([]);
  });

  test("gives a free place to the next domain at once", async () => {
    const world = await open();
    for (let number = 1; number <= 9; number++) await world.add(number);
    const turns: string[] = [];
    const done = Promise.withResolvers<void>();
    const pipeline = scripted(world, async (id) => {
      turns.push(id);
      if (turns.length === 9) done.resolve();
    });
    const { keeper } = keeping(world, pipeline, 2);
    keeper.start();
    // Until the clocks are compared, nothing is due. After the first turns there is no further round.
    while (turns.length === 0) {
      world.clock.advance(250);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await done.promise;
    expect(new Set(turns).size).toBe(9);
    await keeper.stop();
  });

  test("pauses a failing domain and continues with the others", async () => {
    const world = await open();
    const { id: broken } = await world.add(1);
    const { id: whole } = await world.add(2);
    const turns: string[] = [];
    const pipeline = scripted(world, async (id) => {
      turns.push(id);
      if (id === broken) throw new Error("no reason");
    });
    const { keeper } = keeping(world, pipeline, 1);
    await keeper.tick();
    await keeper.tick();
    expect(turns).toEqual([broken, whole]);
    world.clock.advance(30 * SECOND_MS);
    await keeper.tick();
    expect(turns).toEqual([broken, whole, broken]);
  });

  test("queries once per round while nothing is due, however many domains exist", async () => {
    const world = await open();
    for (let number = 1; number <= 50; number++) {
      const domain = await world.add(number);
      await world.domains.commit(
        [saving(domain, { watch: { ...domain.watch, since: START + DAY_MS } })],
        system,
      );
    }
    const { domains } = world;
    let reads = 0;
    const pipeline = scripted(world, async () => {});
    const store = {
      ...domains,
      domains: {
        ...domains.domains,
        due: (...args: Parameters<typeof domains.domains.due>) => {
          reads++;
          return domains.domains.due(...args);
        },
        byId: () => {
          throw new Error("not asked for");
        },
      },
    };
    const { routes } = keeping(world, pipeline);
    await routes.refresh();
    const keeper = createKeeper({
      pipeline,
      domains: store,
      store: world.store,
      routes: { forget() {}, forgetAll() {}, refresh: async () => {}, confirm() {} },
      clock: world.time(),
      log: silentLog,
    });
    await keeper.tick();
    // One for the round, one to see that no task is left.
    expect(reads).toBe(2);
  });

  test("looks for due tasks every ten seconds until one is due, then every second, and four times after a change", async () => {
    const world = await open();
    const { id } = await world.add(1);
    const { domains, store, clock } = world;
    const dueIn = async (ms: number) => {
      const since = clock.now() + ms;
      const gates = { ...(await world.domain(id)).gates, seenAt: since };
      await domains.commit([saving(await world.domain(id), { watch: { since }, gates })], system);
    };
    await dueIn(DAY_MS);
    let looked = 0;
    const changed: (string | undefined)[] = [];
    const keeper = createKeeper({
      pipeline: scripted(world, async () => {}),
      domains: {
        ...domains,
        domains: {
          ...domains.domains,
          due: () => {
            looked++;
            return [];
          },
        },
      },
      store,
      routes: { forget() {}, forgetAll() {}, refresh: async () => {}, confirm() {} },
      clock: world.time(),
      log: silentLog,
      onChange: (domainId) => changed.push(domainId),
    });
    const rounds = async (seconds: number): Promise<number> => {
      looked = 0;
      for (let round = 0; round < 4 * seconds; round++) {
        clock.advance(SECOND_MS / 4);
        // A round is done when it waits for the next one.
        while (clock.sleeping === 0) await Bun.sleep(0);
      }
      return looked;
    };
    await keeper.tick();
    keeper.start();
    await rounds(1);
    expect(await rounds(20)).toBe(2);
    expect(changed).toEqual([undefined]);
    await dueIn(60 * SECOND_MS);
    expect(await rounds(5)).toBe(20);
    expect(changed).toEqual([undefined, id]);
    await rounds(10);
    expect(await rounds(40)).toBe(4);
    expect(await rounds(15)).toBeGreaterThanOrEqual(10);
    await keeper.stop();
  });

  test("begins no task while it leaves them to other processes", async () => {
    const world = await open();
    await world.add(1);
    const begun: string[] = [];
    let leaves = true;
    const keeper = createKeeper({
      pipeline: scripted(world, async (id) => void begun.push(id)),
      domains: world.domains,
      store: world.store,
      routes: { forget() {}, forgetAll() {}, refresh: async () => {}, confirm() {} },
      clock: world.time(),
      log: silentLog,
      leaveToOthers: () => leaves,
    });
    await keeper.tick();
    expect(begun).toEqual([]);
    leaves = false;
    world.clock.advance(SECOND_MS);
    await keeper.tick();
    expect(begun.length).toBeGreaterThan(0);
  });

  test("notices when a plan ends and returns", async () => {
    const world = await open();
    const { id, projectId, accountId } = await world.add(1);
    const { keeper } = keeping(world);
    for (let second = 0; second < 10; second++) {
      await keeper.tick();
      world.clock.advance(SECOND_MS);
    }
    const notice = { kind: "account.rename", accountId, name: "Other", at: START } as const;
    await world.store.commit(
      [
        {
          kind: "account.create",
          account: {
            id: accountId,
            name: "Shelter",
            plan: "pro",
            limits: { perMinute: 1, perDay: 1 },
            createdAt: START,
          },
        },
      ],
      system,
    );
    world.gates.set(projectId, { plan: false, deploy: true, project: true });
    await world.store.commit([notice], system);
    await keeper.tick();
    expect((await world.domain(id)).gates.lapsedAt).toBe(world.clock.now());
    world.gates.delete(projectId);
    await world.store.commit([notice], system);
    await keeper.tick();
    expect((await world.domain(id)).gates.lapsedAt).toBeUndefined();
  });

  test("retries a failed plan check and performs the others", async () => {
    const world = await open();
    const { accountId, id: first } = await world.add(1);
    const { id: second } = await world.add(2, { accountId, projectId: "prj_1" });
    const looked: string[] = [];
    let broken = true;
    const pipeline: Pipeline = {
      ...scripted(world, async () => {}),
      checkGates: async (id) => {
        if (broken && id === first) throw new Error("The database is busy");
        looked.push(id);
      },
    };
    const { keeper } = keeping(world, pipeline);
    await keeper.tick();
    await world.store.commit([someAccount(1)], system);
    await world.store.commit(
      [{ kind: "account.rename", accountId, name: "Other", at: START }],
      system,
    );
    await keeper.tick();
    broken = false;
    await keeper.tick();
    expect(looked.toSorted()).toEqual([first, second]);
    await keeper.tick();
    expect(looked).toHaveLength(2);
  });

  test("processes changes while checking the plan of an account with many domains", async () => {
    const world = await open();
    const accountId = "acc_1";
    for (let number = 1; number <= 250; number++) {
      await world.domains.commit(
        [adding(someDomain(number, { accountId }), { maxUnverified: 1_000 })],
        system,
      );
    }
    let looked = 0;
    const pipeline: Pipeline = {
      ...scripted(world, async () => {}),
      checkGates: async () => void looked++,
    };
    const { keeper } = keeping(world, pipeline);
    await keeper.tick();
    await world.store.commit([someAccount(1)], system);
    await world.store.commit(
      [{ kind: "account.rename", accountId, name: "Other", at: START }],
      system,
    );
    await keeper.tick();
    expect(looked).toBe(100);
    await keeper.tick();
    await keeper.tick();
    expect(looked).toBe(250);
  });

  test("purges expired challenges", async () => {
    const world = await open();
    const challenge = {
      name: "pets1.test",
      kind: "http-01",
      token: "token",
      keyAuthorization: "k",
      expiresAt: START + SECOND_MS,
    } as const;
    await world.domains.commit([{ kind: "challenge.open", challenge }], system);
    const { keeper } = keeping(world);
    world.clock.advance(2 * MINUTE_MS);
    await keeper.tick();
    expect(await world.domains.challenges.http01("pets1.test", "token", START)).toBeUndefined();
  });

  test("stops running work and starts nothing afterwards", async () => {
    const world = await open();
    await world.add(1);
    let aborted = false;
    let begun = 0;
    const first = Promise.withResolvers<void>();
    const pipeline: Pipeline = {
      ...scripted(world, async () => {}),
      advance: (_id, signal) => {
        begun++;
        first.resolve();
        return new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => {
            aborted = true;
            reject(signal.reason);
          });
        });
      },
    };
    const { keeper } = keeping(world, pipeline);
    keeper.start();
    await first.promise;
    await keeper.stop();
    expect(aborted).toBe(true);
    await keeper.tick();
    expect(begun).toBe(1);
  });
});
