import { afterAll, beforeAll, expect, test } from "bun:test";

import { chance, runSeed, torture } from "../helpers/chance.ts";
import { startCluster, type Cluster } from "./faults/cluster.ts";
import { commitInDoubt, countsAreSaved, faults, hear, type Fault } from "./faults/faults.ts";
import { dishonest, overspent, startSpender } from "./faults/limits.ts";
import { startWorkload, type Workload } from "./faults/workload.ts";

const LIMIT_MS = torture ? 1_800_000 : 120_000;
const dice = chance();

let cluster: Cluster;
let workload: Workload;
beforeAll(async () => {
  cluster = await startCluster();
  workload = await startWorkload(cluster, dice);
}, LIMIT_MS);
afterAll(() => cluster?.[Symbol.asyncDispose]());

const all = [0, 1, 2];

test("three nodes grant exactly the limit, and say what is true", async () => {
  const one = await startSpender(cluster, "one client", 12);
  for (let turn = 0; turn < 15; turn++) await one.spend(turn % 3);
  expect(dishonest(one)).toEqual([]);
  expect(one.spends.map(({ status, remaining }) => [status, remaining])).toEqual([
    ...Array.from({ length: 12 }, (_, index) => [200, 11 - index]),
    ...Array.from({ length: 3 }, () => [429, 0]),
  ]);

  const many = await startSpender(cluster, "many clients", 20);
  await Promise.all(Array.from({ length: 60 }, (_, turn) => many.spend(turn % 3)));
  const granted = many.spends.filter(({ status }) => status === 200);
  const remaining = granted.map((spend) => spend.remaining).toSorted((a, b) => a - b);
  expect(remaining).toEqual(Array.from({ length: 20 }, (_, index) => index));
  expect(overspent(many)).toEqual([]);
});

/** Seconds to recover from each fault, for people. */
const recoveries: Readonly<Record<string, string>>[] = [];
const seconds = (ms: number): string => (ms / 1_000).toFixed(1);

for (const fault of faults(torture)) {
  test(`${fault.name}: nothing is lost, doubled or overspent`, () => endure(fault), LIMIT_MS);
}

/** Strikes while each node that the fault hits has a commit in doubt, and waits until all nodes serve again. */
async function endure(fault: Fault): Promise<void> {
  const victim = dice.between(0, 2);
  const victims = { "one node": [victim], "all nodes": all, "no node": [] }[fault.hits];
  if (fault.needsRedis) await cluster.countsInRedis();
  const spender = await startSpender(cluster, fault.name, 20);
  for (let turn = 0; turn < 8; turn++) await spender.spend(turn % 3);
  expect(dishonest(spender)).toEqual([]);

  if (fault.hits === "all nodes") await countsAreSaved(cluster);
  await commitInDoubt(cluster, victims);
  const struckAt = performance.now();
  const heal = await fault.strike(cluster, victim);
  const downAt = performance.now();
  const recovery = Promise.all([workload.writtenSince(downAt), spender.decided()]);
  if (fault.hits !== "all nodes") await recovery;
  const healingAt = performance.now();
  const healing = heal();
  const [wroteAt, decidedAt] = await recovery;
  await healing;
  hear(cluster, victims);
  const served = await Promise.all(all.map((node) => workload.writtenSince(healingAt, node)));
  await cluster.ready();
  recoveries.push({
    fault: fault.name,
    "next write": seconds(wroteAt - struckAt),
    "next decision": seconds(decidedAt - struckAt),
    "all nodes write, after the repair began": seconds(Math.max(...served) - healingAt),
  });
  while (!spender.spends.some(({ status }) => status === 429)) await spender.decided();
  await spender.idle();
  expect(overspent(spender)).toEqual([]);
}

test(
  "every acknowledged write is found once on every node, and no other",
  async () => {
    await workload.stop();
    expect(await workload.contradictions()).toEqual([]);
    const { writes, open, looks } = workload.counts();
    expect(Math.min(writes, looks)).toBeGreaterThan(0);
    if (torture) {
      console.log(`seed ${runSeed}: ${writes} writes, ${open} of them given up, ${looks} reads`);
      console.table(recoveries);
    }
  },
  LIMIT_MS,
);
