import { describe, expect, test } from "bun:test";

import { system } from "../../../lib/model/actor.ts";
import { statusOf } from "../../../domains/model/domain-state.ts";
import { VERIFY_MS } from "../../../domains/pipeline/pipeline.ts";
import type { VerifierReport } from "../../../domains/ports/verifier.ts";
import { HOUR_MS, SECOND_MS } from "../../../lib/base/clock.ts";
import { until } from "../../helpers/dns/until.ts";
import { someAccount, START } from "../../helpers/domains/rows.ts";
import { drive, type World } from "../../helpers/domains/world.ts";
import { worlds } from "../../helpers/domains/worlds.ts";

const signal = new AbortController().signal;
const open = worlds();

const count = (world: World, call: string): number =>
  world.authority.calls.filter((made) => made.startsWith(call)).length;

describe("verify", () => {
  /** A requested check that finds the name leased: first its time limit runs, then the pause until the next attempt. */
  const waits = ({ clock }: World): boolean => clock.sleeping === 2;

  /** A running check of a domain by another process, which finds `outcome` once `held` is resolved. */
  async function checkedBy(outcome: VerifierReport) {
    const world = await open();
    const { id } = await world.add(1);
    const looking = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    const slow = world.pipeline({
      verifier: async () => {
        looking.resolve();
        await held.promise;
        return outcome;
      },
    });
    const background = slow.advance(id, signal);
    await looking.promise;
    return { world, id, held, background };
  }

  test("runs one check for a hundred concurrent requests", async () => {
    const world = await open();
    const { id } = await world.add(1);
    const pipeline = world.pipeline();
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => pipeline.verify(id, system, signal)),
    );
    expect(world.looks).toBe(1);
    expect(answers.every((domain) => domain?.dns.state === "verified")).toBe(true);
  });

  test("is recorded as the caller's, and scheduled work as the service's own", async () => {
    const world = await open();
    for (const id of [1, 2]) await world.store.commit([someAccount(id)], system);
    const [asked, scheduled] = [await world.add(1), await world.add(2)];
    const pipeline = world.pipeline();
    const actor = { kind: "member", id: "mem_one" } as const;
    const before = await world.store.events.last();
    await pipeline.verify(asked.id, actor, signal);
    await pipeline.advance(scheduled.id, signal);
    const events = await world.store.events.after(before, 10);
    expect(events.map((event) => [event.type, event.accountId, event.actor])).toEqual([
      ["domain.verified", asked.accountId, actor],
      ["domain.verified", scheduled.accountId, system],
    ]);
  });

  test("checks a live domain again", async () => {
    const world = await open();
    const { id } = await world.add(1);
    const pipeline = world.pipeline();
    await drive(world, pipeline, START + HOUR_MS);
    const before = world.looks;
    const domain = await pipeline.verify(id, system, signal);
    expect(world.looks).toBe(before + 1);
    expect(domain?.dns.checkedAt).toBe(START + HOUR_MS);
  });

  test("uses no answers from before the request, nor a waiting check those from before it was due", async () => {
    const world = await open();
    const { id } = await world.add(1);
    const dueSince: (number | undefined)[] = [];
    const pipeline = world.pipeline({
      verifier: async (subject) => {
        dueSince.push(subject.dueSince);
        return { state: "blocked", blocking: ["no_record"], leadsHere: false, details: null };
      },
    });
    world.clock.advance(4 * SECOND_MS);
    await pipeline.advance(id, signal);
    expect(dueSince).toEqual([START]);
    world.clock.advance(2 * SECOND_MS);
    await pipeline.verify(id, system, signal);
    expect(dueSince).toEqual([START, START + 6 * SECOND_MS]);
    // An automatic check, two seconds late.
    world.clock.advance(22 * SECOND_MS);
    await pipeline.advance(id, signal);
    expect(dueSince.at(-1)).toBe(START + 26 * SECOND_MS);
  });

  test("returns the known state after ten seconds, however long the check takes", async () => {
    const world = await open();
    const { id } = await world.add(1);
    const pipeline = world.pipeline({ verifier: () => new Promise(() => {}) });
    const answer = pipeline.verify(id, system, signal);
    await until(() => world.clock.sleeping === 1);
    world.clock.advance(VERIFY_MS);
    expect((await answer)?.dns.state).toBe("unchecked");
  });

  test("waits for a check by another process", async () => {
    const { world, id, held, background } = await checkedBy({
      state: "verified",
      blocking: [],
      leadsHere: true,
      details: null,
    });
    const answer = world.pipeline().verify(id, system, signal);
    await until(() => waits(world));
    held.resolve();
    expect((await background).kind).toBe("did");
    world.clock.advance(100);
    expect((await answer)?.dns.state).toBe("verified");
    expect(world.looks).toBe(0);
  });

  test("checks again if the running check started before the request", async () => {
    const { world, id, held, background } = await checkedBy({
      state: "blocked",
      blocking: ["no_record"],
      leadsHere: false,
      details: null,
    });
    world.clock.advance(SECOND_MS);
    const answer = world.pipeline().verify(id, system, signal);
    await until(() => waits(world));
    held.resolve();
    await background;
    world.clock.advance(100);
    expect((await answer)?.dns.state).toBe("verified");
    expect(world.looks).toBe(1);
  });

  test("during any step of an order starts no second one", async () => {
    for (const call of ["newOrder", "order", "authorization", "answer", "finalize"]) {
      const world = await open();
      const { id } = await world.add(1);
      const pipeline = world.pipeline();
      let clicked: Promise<unknown> | undefined;
      world.authority.fault = (what) => {
        if (what === call) clicked ??= world.pipeline().verify(id, system, signal);
        return undefined;
      };
      const { validate } = world.authority;
      world.authority.validate = async (...args) => {
        for (let turn = 0; turn < 5; turn++) await new Promise((done) => setImmediate(done));
        return validate(...args);
      };
      for (let step = 0; step < 40; step++) {
        await pipeline.advance(id, signal);
        await new Promise((done) => setImmediate(done));
        world.clock.advance(200);
      }
      await clicked;
      expect(statusOf(await world.domain(id), world.clock.now())).toBe("live");
      expect([call, count(world, "newOrder")]).toEqual([call, 1]);
    }
  });

  test("of a removed or unknown domain returns nothing", async () => {
    const world = await open();
    const { id } = await world.add(1);
    await world.remove(id);
    const pipeline = world.pipeline();
    expect(await pipeline.verify(id, system, signal)).toBeUndefined();
    expect(await pipeline.verify("dom_unknown", system, signal)).toBeUndefined();
  });
});
