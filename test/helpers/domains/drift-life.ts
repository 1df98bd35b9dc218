import { describe, expect, test } from "bun:test";

import { system } from "../../../lib/model/actor.ts";
import type { Domain } from "../../../domains/model/domain.ts";
import { statusOf } from "../../../domains/model/domain-state.ts";
import { driftStage } from "../../../domains/model/drift-facts.ts";
import { MOVED_MS, nextLookAt, RELEASED_MS } from "../../../domains/model/drift.ts";
import type { Pipeline } from "../../../domains/pipeline/pipeline.ts";
import { addingDomain } from "../../../domains/ports/domain-change.ts";
import { newDomain } from "../../../domains/model/apply-outcome.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../lib/base/clock.ts";
import { silentLog, type Log } from "../../../lib/base/log.ts";
import { manualClock, type ManualClock } from "../clock.ts";
import { saving, someAccount, START } from "./rows.ts";
import { drive, type World } from "./world.ts";

/** A world with the stores of two processes. */
export interface Cluster {
  readonly world: World;
  /** What the second process uses. Absent: the same as the first one. */
  readonly second?: Pick<World, "domains" | "leases">;
  close(): Promise<void>;
}

const signal = new AbortController().signal;

/** Runs the life of domains that no longer lead here, with two processes over one database. */
export function describeDrift(
  database: string,
  open: (clock: ManualClock) => Promise<Cluster>,
  /** Whether also the thousands of looks of many names are performed. */
  wholly: boolean,
): void {
  /** A case that takes thousands of looks. */
  const ofMany: (name: string, run: () => Promise<void>) => void = wholly ? test : () => undefined;

  /** Opens a world, and two pipelines that take turns. */
  const nodes = async (logs: readonly [Log, Log] = [silentLog, silentLog]) => {
    const { world, second = world, close } = await open(manualClock(START));
    const processes = [
      world.pipeline({ log: logs[0] }),
      world.pipeline({ log: logs[1], store: second.domains, leases: second.leases }),
    ] as const;
    let turn = 0;
    const both: Pipeline = {
      ...processes[0],
      advance: (...input) => (processes[turn++ % 2] ?? processes[0]).advance(...input),
    };
    return { world, both, processes, [Symbol.asyncDispose]: close };
  };

  const live = async (world: World, both: Pipeline, number: number): Promise<Domain> => {
    const { id } = await world.add(number);
    await drive(world, both, world.clock.now() + MINUTE_MS);
    const domain = await world.domain(id);
    expect(statusOf(domain, world.clock.now())).toBe("live");
    return domain;
  };

  /** The name has drifted for `seenMs`, without the thousands of looks that it takes. */
  const driftedFor = async (world: World, id: string, seenMs: number): Promise<void> => {
    const from = await world.domain(id);
    if (from.drift === undefined) throw new Error("it does not drift");
    const change = saving(from, { drift: { ...from.drift, seenMs } }, { at: world.clock.now() });
    expect((await world.domains.commit([change], system)).ok).toBe(true);
  };

  const eventsOf = async ({ store }: World): Promise<readonly string[]> => {
    const found = await store.events.after(0, 100);
    return found.map(({ type }) => type).filter((type) => type.startsWith("domain."));
  };

  /** Removes the record, and drives until the name drifts. */
  const drifting = async (world: World, both: Pipeline, domain: Domain): Promise<void> => {
    world.dns.delete(domain.name);
    const first = nextLookAt(await world.domain(domain.id)) ?? 0;
    await drive(world, both, first + 2 * HOUR_MS);
    expect(driftStage(await world.domain(domain.id))).toBe("drifting");
  };

  describe(`drift of a domain (${database})`, () => {
    test("leads from live over drifting and moved to released, and back by adding it again", async () => {
      await using cluster = await nodes();
      const { world, both } = cluster;
      await world.store.commit([someAccount(1)], system);
      const domain = await live(world, both, 1);
      const { id, name } = domain;

      await drive(world, both, START + 3 * DAY_MS);
      const seen = await world.domain(id);
      expect(world.clock.now() - (seen.look?.foundAt ?? 0)).toBeLessThanOrEqual(DAY_MS);
      expect([world.glances, world.looks]).toEqual([3, 1]);

      await drifting(world, both, domain);
      const now = () => world.clock.now();
      expect(statusOf(await world.domain(id), now())).toBe("attention");
      expect((await world.domain(id)).dns.codes).toEqual(["no_record"]);

      await driftedFor(world, id, MOVED_MS - 15 * MINUTE_MS);
      await drive(world, both, now() + 10 * MINUTE_MS);
      expect(driftStage(await world.domain(id))).toBe("drifting");
      await drive(world, both, now() + 10 * MINUTE_MS);
      expect(driftStage(await world.domain(id))).toBe("moved");

      const { certificate } = await world.domain(id);
      const kept = await world.domains.certificates.byId(certificate?.id ?? "");
      expect(kept?.domainId).toBe(id);
      await driftedFor(world, id, RELEASED_MS - 5 * MINUTE_MS);
      await drive(world, both, now() + 10 * MINUTE_MS);
      const released = await world.domain(id);
      expect(released.removal).toEqual({ at: now(), reason: "released" });
      expect(await world.domains.domains.holderOf(name)).toBeUndefined();
      expect(await world.domains.certificates.byId(certificate?.id ?? "")).toBeUndefined();
      expect(await world.domains.domains.served(0, 10)).toEqual([]);
      expect((await eventsOf(world)).slice(-3)).toEqual([
        "domain.drifting",
        "domain.moved",
        "domain.released",
      ]);

      await drive(world, both, now() + 29 * DAY_MS);
      world.dns.set(name, domain.targetLabel);
      const { targetLabel, projectId, accountId, unicode, role } = released;
      const facts = { id: "dom_000000000009", name, unicode, projectId, accountId, role };
      const fresh = newDomain(
        { ...facts, targetLabel, ownershipToken: "n".repeat(22), attachedBefore: false },
        now(),
      );
      const named = await world.domains.domains.named(name, 10);
      const limits = { maxOfProject: 10, maxUnverified: 10, maxRemoved: 10 };
      const { change } = addingDomain(fresh, named, limits, now());
      expect((await world.domains.commit([change], system)).ok).toBe(true);
      await drive(world, both, now() + MINUTE_MS);
      const again = await world.domain(id);
      expect(statusOf(again, now())).toBe("live");
      expect(again.certificate?.id).not.toBe(certificate?.id);
    });

    test("ends at the next good look, in every stage, and then orders go on", async () => {
      await using cluster = await nodes();
      const { world, both } = cluster;
      const domain = await live(world, both, 1);
      for (const seenMs of [undefined, MOVED_MS]) {
        await drifting(world, both, domain);
        if (seenMs !== undefined) {
          await driftedFor(world, domain.id, seenMs);
          await drive(world, both, world.clock.now() + 10 * MINUTE_MS);
          expect(driftStage(await world.domain(domain.id))).toBe("moved");
        }
        world.dns.set(domain.name, domain.targetLabel);
        await drive(world, both, world.clock.now() + 10 * MINUTE_MS);
        const back = await world.domain(domain.id);
        expect([statusOf(back, world.clock.now()), back.drift, back.dns.state]).toEqual([
          "live",
          undefined,
          "verified",
        ]);
        const [latest] = await world.domains.timeline.of(domain.id, 1);
        expect(latest?.kind).toBe("returned");
      }
      const orders = world.authority.orders.length;
      await drive(world, both, START + 70 * DAY_MS);
      expect(world.authority.orders.length).toBeGreaterThan(orders);
    });

    ofMany("does not begin while the name servers are silent, for two weeks", async () => {
      await using cluster = await nodes();
      const { world, both } = cluster;
      const domain = await live(world, both, 1);
      world.silent.add(domain.name);
      await drive(world, both, START + 14 * DAY_MS);
      expect(world.glances).toBeGreaterThanOrEqual(13);
      const after = await world.domain(domain.id);
      expect([after.drift, statusOf(after, world.clock.now())]).toEqual([undefined, "live"]);
    });

    test("is seen by one look, however many processes are due to look", async () => {
      await using cluster = await nodes();
      const { world, both, processes } = cluster;
      const { id } = await live(world, both, 1);
      world.clock.set(nextLookAt(await world.domain(id)) ?? 0);
      for (let times = 0; times < 5; times++) {
        await Promise.all(processes.map((one) => one.advance(id, signal, 10)));
      }
      expect(world.glances).toBe(1);
    });

    ofMany(
      "stands still on every node while the cause is here, and each says so once",
      async () => {
        const said: [string[], string[]] = [[], []];
        const logs = said.map((lines): Log => {
          const say = (line: string): void => void lines.push(line.split(":")[0] ?? "");
          return { ...silentLog, info: say, error: say };
        });
        const [first = silentLog, second = silentLog] = logs;
        await using cluster = await nodes([first, second]);
        const { world, both, processes } = cluster;
        const names = Array.from({ length: 12 }, (_, at) => at + 1);
        const all: Domain[] = [];
        for (const number of names) all.push(await live(world, both, number));
        await drive(world, both, START + 2 * DAY_MS);
        // The records of our targets are wrong: no name leads here any more.
        for (const { name } of all) world.dns.delete(name);
        // Four names drift before five are bad, which is the least that says anything.
        await drive(world, both, START + 3.2 * DAY_MS);
        for (const { id } of all) {
          if (driftStage(await world.domain(id)) !== undefined) {
            await driftedFor(world, id, MOVED_MS - MINUTE_MS);
          }
        }
        await drive(world, both, START + 4 * DAY_MS);
        const stages = await Promise.all(
          all.map(async ({ id }) => driftStage(await world.domain(id)) ?? "none"),
        );
        expect(stages).not.toContain("moved");
        expect(stages.filter((stage) => stage === "none").length).toBeGreaterThanOrEqual(8);
        expect(processes.some(({ driftStandsStill }) => driftStandsStill)).toBe(true);
        for (const lines of said) {
          expect(
            lines.filter((line) => line === "drift_standing_still").length,
          ).toBeLessThanOrEqual(1);
        }
        for (const { name, targetLabel } of all) world.dns.set(name, targetLabel);
        await drive(world, both, START + 5.1 * DAY_MS);
        for (const { id } of all) {
          const after = await world.domain(id);
          expect([statusOf(after, world.clock.now()), after.drift]).toEqual(["live", undefined]);
        }
        expect(
          said.flat().filter((line) => line === "drift_standing_still").length,
        ).toBeLessThanOrEqual(4);
        // One that really moves is found as before.
        const [moving] = all;
        if (moving !== undefined) await drifting(world, both, moving);
      },
    );

    for (const days of [40, 400]) {
      test(`is not over sooner on a node whose clock is ${days} days ahead`, async () => {
        await using cluster = await nodes();
        const { world, both } = cluster;
        const domain = await live(world, both, 1);
        await drifting(world, both, domain);
        await driftedFor(world, domain.id, MOVED_MS - 3 * HOUR_MS);
        const ahead = manualClock(world.clock.now() + days * DAY_MS);
        const wrong = world.pipeline({
          clock: { ...world.time(), now: () => ahead.now(), host: ahead },
        });
        for (let times = 0; times < 2; times++) {
          await wrong.advance(domain.id, signal);
          const after = await world.domain(domain.id);
          expect([after.removal, driftStage(after)]).toEqual([undefined, "drifting"]);
        }
      });
    }
  });
}
