import { expect, test } from "bun:test";

import { system } from "../../../lib/model/actor.ts";
import { driftStage } from "../../../domains/model/drift-facts.ts";
import { MOVED_MS, RELEASED_MS } from "../../../domains/model/drift.ts";
import { DAY_MS, HOUR_MS } from "../../../lib/base/clock.ts";
import type { LookResult } from "../../../domains/ports/look.ts";
import type { VerifierReport } from "../../../domains/ports/verifier.ts";
import { silentLog } from "../../../lib/base/log.ts";
import { describeDrift } from "../../helpers/domains/drift-life.ts";
import { saving, START } from "../../helpers/domains/rows.ts";
import { drive, openWorld } from "../../helpers/domains/world.ts";

describeDrift(
  "SQLite",
  async (clock) => {
    const world = await openWorld(undefined, { clock });
    return { world, close: () => world.close() };
  },
  true,
);

test("an own host that lost its records is told, and renewed; it neither moves nor is released", async () => {
  const world = await openWorld();
  const lines: string[] = [];
  const log = { ...silentLog, warn: (line: string) => void lines.push(line) };
  let seen: "here" | "away" = "here";
  const pipeline = world.pipeline({ log, look: async () => seen });
  const { id } = await world.add(1, { projectId: "own:pets1.test", accountId: "own" });
  await drive(world, pipeline, START + 3 * DAY_MS);
  const orders = world.authority.orders.length;
  seen = "away";
  await drive(world, pipeline, START + 5 * DAY_MS);
  const from = await world.domain(id);
  if (from.drift === undefined || from.certificate === undefined) throw new Error("no drift");
  expect(lines).toEqual(["a host of this service no longer has the DNS records that it had"]);
  const drift = { ...from.drift, seenMs: 40 * DAY_MS };
  const certificate = { ...from.certificate, renewAt: START + 6 * DAY_MS };
  const change = saving(from, { drift, certificate }, { at: world.clock.now() });
  await world.domains.commit([change], system);
  await drive(world, pipeline, START + 8 * DAY_MS);
  const after = await world.domain(id);
  expect([after.removal, driftStage(after)]).toEqual([undefined, "drifting"]);
  expect(world.authority.orders.length).toBeGreaterThan(orders);
  // The check before an order passes, as the host has an address; so it is told once more afterwards.
  expect(lines).toHaveLength(2);
  seen = "here";
  await drive(world, pipeline, START + 8 * DAY_MS + HOUR_MS);
  expect((await world.domain(id)).drift).toBeUndefined();
  await world.close();
});

test("an own host that was never seen right is not told: the operator may have a DNS of their own", async () => {
  const world = await openWorld();
  const pipeline = world.pipeline({ look: async () => "away" });
  const { id } = await world.add(1, { projectId: "own:pets1.test", accountId: "own" });
  await drive(world, pipeline, START + 10 * DAY_MS);
  expect((await world.domain(id)).drift).toBeUndefined();
  await world.close();
});

test("a name that only partly leads elsewhere drifts, and neither moves nor is released", async () => {
  const world = await openWorld();
  let seen: LookResult = "here";
  const pipeline = world.pipeline({ look: async () => seen });
  const { id, name } = await world.add(1);
  const during = (ms: number): Promise<void> => drive(world, pipeline, world.clock.now() + ms);
  const seenFor = async (seenMs: number): Promise<void> => {
    const from = await world.domain(id);
    if (from.drift === undefined) throw new Error("no drift");
    const change = saving(from, { drift: { ...from.drift, seenMs } }, { at: world.clock.now() });
    await world.domains.commit([change], system);
  };
  await during(2 * DAY_MS);
  seen = "partly";
  world.dns.delete(name);
  await during(2 * DAY_MS);
  expect(driftStage(await world.domain(id))).toBe("drifting");
  await seenFor(MOVED_MS - HOUR_MS);
  await during(6 * HOUR_MS);
  const partly = await world.domain(id);
  expect([driftStage(partly), partly.drift?.seenMs]).toEqual(["drifting", MOVED_MS]);
  seen = "away";
  await during(HOUR_MS);
  expect(driftStage(await world.domain(id))).toBe("moved");
  await seenFor(RELEASED_MS - HOUR_MS);
  seen = "partly";
  await during(6 * HOUR_MS);
  expect((await world.domain(id)).removal).toBeUndefined();
  seen = "away";
  await during(2 * HOUR_MS);
  expect((await world.domain(id)).removal?.reason).toBe("released");
  await world.close();
});

test("a name behind a proxy that leads here does not drift, whatever else blocks it", async () => {
  const world = await openWorld();
  let report: VerifierReport = { state: "verified", blocking: [], leadsHere: true, details: {} };
  const pipeline = world.pipeline({ look: async () => "proxied", verifier: async () => report });
  const { id } = await world.add(1);
  await drive(world, pipeline, START + 2 * DAY_MS);
  report = { ...report, state: "blocked", blocking: ["caa_forbids"] };
  await drive(world, pipeline, START + 6 * DAY_MS);
  const blocked = await world.domain(id);
  expect([blocked.drift, blocked.removal, blocked.dns.state]).toEqual([
    undefined,
    undefined,
    "blocked",
  ]);
  report = { ...report, blocking: ["conflicting_a"], leadsHere: false };
  await drive(world, pipeline, START + 8 * DAY_MS);
  expect(driftStage(await world.domain(id))).toBe("drifting");
  await world.close();
});
