import { describe, expect, test } from "bun:test";

import { DAY_MS, MINUTE_MS, SECOND_MS } from "../../../lib/base/clock.ts";
import type { Random } from "../../../lib/base/id.ts";
import type { RequestEntry } from "../../../lib/http/request-log.ts";
import type { LoggedRequest } from "../../../lib/requests/model.ts";
import type { RequestBatch } from "../../../lib/requests/request-store.ts";
import { createSampler, sampleRates, type Sampler } from "../../../lib/requests/sampler.ts";
import { chance } from "../../helpers/chance.ts";

const START = Date.parse("2026-11-20T00:00:00Z");

function randomFrom(seed: number): Random {
  const { between } = chance(seed);
  return (into) => into.map(() => between(0, 255));
}

function open(): Sampler {
  return createSampler({ random: randomFrom(7) });
}

function entry(at: number, more: Partial<RequestEntry> = {}): RequestEntry {
  return {
    requestId: `request-${at}`,
    at,
    environment: "production",
    method: "GET",
    operation: "listPets",
    path: "/pets",
    query: "",
    status: 200,
    durationMs: 1,
    cost: 1,
    windows: [],
    ...more,
  };
}

/** Offers `count` requests, one per `everyMs`, and returns how many were described. */
function offer(
  sampler: Sampler,
  {
    account = "acc_one",
    stranger = false,
    status = 200,
    at = START,
    count = 1,
    everyMs = 0,
  }: {
    readonly account?: string;
    readonly stranger?: boolean;
    readonly status?: number;
    readonly at?: number;
    readonly count?: number;
    readonly everyMs?: number;
  },
): number {
  let described = 0;
  for (let index = 0; index < count; index++) {
    const arrived = at + index * everyMs;
    sampler.offer(stranger ? undefined : account, status, arrived, () => {
      described++;
      return entry(arrived, { status, requestId: `request-${index}` });
    });
  }
  return described;
}

const rowsOf = (batches: readonly RequestBatch[]): readonly LoggedRequest[] =>
  batches.flatMap(({ rows }) => rows);
const representedBy = (rows: readonly LoggedRequest[]): number =>
  rows.reduce((sum, { represents }) => sum + represents, 0);
const dayOf = (batches: readonly RequestBatch[]) => batches.flatMap(({ days }) => days);

describe("below its rates", () => {
  test("an account has every request in the log, each standing for itself", () => {
    const sampler = open();
    offer(sampler, { count: 600 });
    const batches = sampler.drain(START + SECOND_MS);
    const rows = rowsOf(batches);
    expect(rows).toHaveLength(600);
    expect(new Set(rows.map(({ represents }) => represents))).toEqual(new Set([1]));
    expect(new Set(rows.map(({ rowId }) => rowId)).size).toBe(600);
    expect(dayOf(batches)).toEqual([
      { accountId: "acc_one", at: START, answered: 600, logged: 600 },
    ]);
    expect(sampler.drain(START + 2 * SECOND_MS)).toEqual([]);
  });

  test("twenty requests a minute are kept for as long as they go on", () => {
    const sampler = open();
    offer(sampler, { count: 600 });
    sampler.drain(START);
    let kept = 0;
    for (let minute = 1; minute <= 60; minute++) {
      const at = START + minute * MINUTE_MS;
      offer(sampler, { at, count: 20 });
      kept += rowsOf(sampler.drain(at + SECOND_MS)).length;
    }
    expect(kept).toBe(1_200);
  });
});

describe("above its rates", () => {
  test("the kept requests stand for all of them, and few are described", () => {
    const sampler = open();
    const described = offer(sampler, { count: 100_000 });
    const batches = sampler.drain(START + SECOND_MS);
    const rows = rowsOf(batches);
    expect(rows).toHaveLength(600);
    expect(representedBy(rows)).toBe(100_000);
    // Algorithm R replaces k (ln n − ln k) times on average: 3,070.
    expect(described).toBeLessThan(600 + 2 * 3_070);
    expect(dayOf(batches)).toMatchObject([{ answered: 100_000, logged: 600 }]);
  });

  test("every request has the same chance", () => {
    const tenths = Array.from({ length: 10 }, () => 0);
    for (let round = 0; round < 20; round++) {
      const sampler = createSampler({ random: randomFrom(round + 1) });
      offer(sampler, { count: 10_000 });
      for (const { requestId } of rowsOf(sampler.drain(START))) {
        const tenth = Math.floor(Number(requestId.slice("request-".length)) / 1_000);
        tenths[tenth] = (tenths[tenth] ?? 0) + 1;
      }
    }
    // 1,200 in each are expected, with a standard deviation of about 33.
    for (const kept of tenths) expect(Math.abs(kept - 1_200)).toBeLessThan(6 * 33);
  });

  test("counts stay exact while an account floods for minutes, with a bounded number of rows", () => {
    const sampler = open();
    const rows: LoggedRequest[] = [];
    for (let second = 0; second < 600; second++) {
      const at = START + second * SECOND_MS;
      offer(sampler, { at, count: 500 });
      rows.push(...rowsOf(sampler.drain(at)));
    }
    rows.push(...rowsOf(sampler.drain(START + 600 * SECOND_MS, true)));
    expect(representedBy(rows)).toBe(300_000);
    const { burst, perMinute } = sampleRates.served;
    expect(rows.length).toBeLessThanOrEqual(burst + perMinute * 10 + 1);
  });

  test("refusals, refused limits and failures are not crowded out, and have bounds of their own", () => {
    const sampler = open();
    offer(sampler, { count: 50_000 });
    offer(sampler, { status: 404, count: 3 });
    offer(sampler, { status: 500, count: 2 });
    offer(sampler, { status: 429, count: 5_000 });
    const kept = (status: number, rows: readonly LoggedRequest[]) =>
      rows.filter((row) => row.status === status);
    const rows = rowsOf(sampler.drain(START));
    expect(kept(404, rows)).toHaveLength(3);
    expect(kept(500, rows)).toHaveLength(2);
    expect(kept(429, rows)).toHaveLength(300);
    expect(representedBy(kept(429, rows))).toBe(5_000);
  });

  test("at most 52,000 rows of an account are kept a day, whatever it does", () => {
    const most = Object.values(sampleRates).reduce(
      (sum, { burst, perMinute }) => sum + burst + (perMinute * DAY_MS) / MINUTE_MS,
      0,
    );
    expect(most).toBeLessThanOrEqual(52_000);
  });
});

test("one account's flood takes nothing from another", () => {
  const sampler = open();
  offer(sampler, { count: 100_000 });
  offer(sampler, { account: "acc_two", count: 5 });
  offer(sampler, { stranger: true, status: 401, count: 5 });
  sampler.drain(START);
  const rows = rowsOf(sampler.drain(START + SECOND_MS));
  expect(rows.filter(({ accountId }) => accountId === "acc_two")).toHaveLength(5);
  const strangers = rows.filter(({ accountId }) => accountId === undefined);
  expect(strangers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401]);
});

test("rows are stored in parts, whose first one has the counts", () => {
  const sampler = open();
  offer(sampler, { count: 450 });
  const parts = sampler.drain(START);
  expect(parts.map(({ rows, days }) => [rows.length, days.length])).toEqual([
    [200, 1],
    [200, 0],
    [50, 0],
  ]);
});

test("while nothing can be stored, memory is bounded and everything is still counted", () => {
  const sampler = open();
  let described = 0;
  for (let account = 0; account < 12_000; account++) {
    sampler.offer(`acc_${account}`, 200, START, () => {
      described++;
      return entry(START);
    });
  }
  expect(described).toBe(5_000);
  expect(sampler.lost()).toBe(2_000);
  expect(sampler.lost()).toBe(0);
  const days = dayOf(sampler.drain(START, true));
  expect(days).toHaveLength(10_000);
  expect(days.reduce((sum, { answered }) => sum + answered, 0)).toBe(10_000);
  expect(days.reduce((sum, { logged }) => sum + logged, 0)).toBe(5_000);
});

test("a clock that is set back or far ahead stops nothing", () => {
  const sampler = open();
  offer(sampler, { count: 700 });
  sampler.drain(START);
  offer(sampler, { at: START - DAY_MS, count: 10 });
  expect(representedBy(rowsOf(sampler.drain(START - DAY_MS, true)))).toBe(10);
  offer(sampler, { at: START + DAY_MS, count: 10 });
  expect(rowsOf(sampler.drain(START + DAY_MS))).toHaveLength(10);
});
