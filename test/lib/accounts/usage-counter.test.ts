import { expect, test } from "bun:test";
import { MINUTE_MS } from "../../../lib/base/clock.ts";
import { silentLog } from "../../../lib/base/log.ts";
import type { Caller } from "../../../lib/accounts/keyring.ts";
import { createUsageCounter, type UsageCounter } from "../../../lib/accounts/usage-counter.ts";
import { planLimits } from "../../../lib/model/account.ts";
import type { CountedUsage } from "../../../lib/model/usage.ts";

const START = 1_794_960_000_000;

function caller(keyId: string): Caller {
  return {
    key: {
      id: keyId,
      accountId: "acc_one",
      catalogueId: 1,
      environment: "production",
      name: "",
      scopes: [],
      hash: "",
      createdAt: START,
    },
    account: {
      id: "acc_one",
      name: "One",
      plan: "free",
      limits: planLimits.free,
      createdAt: START,
    },
    catalogueId: 1,
    scopes: [],
    actor: { kind: "key", id: keyId },
    spender: { counter: "catalogue 1", keyId },
  };
}

const drained = (usage: UsageCounter, now: number): readonly CountedUsage[] =>
  usage.drain(now).flatMap((change) => (change.kind === "usage.add" ? change.rows : []));

test("counts are drained once", () => {
  const usage = createUsageCounter(silentLog, "production");
  usage.count(caller("a"), "listPets", 200, START);
  usage.count(caller("a"), "listPets", 304, START + 1);
  expect(drained(usage, START + 2)).toMatchObject([{ keyId: "a", requests: 2 }]);
  expect(usage.drain(START + 3)).toEqual([]);
  usage.count(caller("a"), "listPets", 200, START + 4);
  expect(drained(usage, START + 5)).toMatchObject([{ keyId: "a", requests: 1 }]);
});

const outcomes = [
  [204, { limited: 0, refused: 0, failed: 0 }],
  [404, { limited: 0, refused: 1, failed: 0 }],
  [429, { limited: 1, refused: 0, failed: 0 }],
  [503, { limited: 0, refused: 0, failed: 1 }],
] as const;
for (const [status, counts] of outcomes) {
  test(`an answer ${status} is one request with ${JSON.stringify(counts)}`, () => {
    const usage = createUsageCounter(silentLog, "production");
    usage.count(caller("a"), "listPets", status, START);
    expect(drained(usage, START)).toMatchObject([{ requests: 1, ...counts }]);
  });
}

test("drained rows do not change afterwards", () => {
  const usage = createUsageCounter(silentLog, "production");
  usage.count(caller("a"), "listPets", 200, START);
  const rows = drained(usage, START);
  usage.count(caller("a"), "listPets", 200, START);
  expect(rows).toMatchObject([{ requests: 1 }]);
});

test("each minute has its own row", () => {
  const usage = createUsageCounter(silentLog, "production");
  usage.count(caller("a"), "listPets", 200, START + MINUTE_MS - 1);
  usage.count(caller("a"), "listPets", 200, START + MINUTE_MS);
  expect(drained(usage, START + MINUTE_MS).map(({ at }) => at - START)).toEqual([0, MINUTE_MS]);
});

test("undrained rows are bounded, and lost requests are logged", () => {
  const lost: unknown[] = [];
  const usage = createUsageCounter(
    { ...silentLog, warn: (_message, fields) => lost.push(fields) },
    "production",
  );
  for (let key = 0; key < 20_003; key++) usage.count(caller(`key${key}`), "listPets", 200, START);
  usage.count(caller("key7"), "listPets", 200, START);
  const rows = drained(usage, START);
  expect(rows).toHaveLength(20_000);
  expect(rows[7]).toMatchObject({ keyId: "key7", requests: 2 });
  expect(lost).toEqual([{ requests: 3 }]);
  usage.count(caller("key20002"), "listPets", 200, START);
  expect(drained(usage, START)).toMatchObject([{ keyId: "key20002", requests: 1 }]);
});
