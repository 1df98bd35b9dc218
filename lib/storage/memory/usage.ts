import { done, type Result } from "../../base/result.ts";
import {
  startOfPeriod,
  usagePeriods,
  type CountedUsage,
  type UsageQuery,
  type UsageRow,
} from "../../model/usage.ts";
import type { Change, Outcome, Refusal } from "../change.ts";
import type { World } from "./world.ts";

export function addUsage(
  world: World,
  { rows }: Extract<Change, { kind: "usage.add" }>,
): Result<Outcome, Refusal> {
  for (const row of rows) {
    if (!world.accounts.has(row.accountId)) continue;
    for (const by of usagePeriods) {
      const at = startOfPeriod(by, row.at);
      const { accountId, keyId, operation } = row;
      const name = JSON.stringify([accountId, at, keyId, operation]);
      const before = world.usage[by].get(name);
      world.put(world.usage[by], name, before === undefined ? { ...row, at } : sum(before, row));
    }
  }
  return done(undefined);
}

function sum(before: CountedUsage, more: UsageRow): CountedUsage {
  return {
    ...before,
    requests: before.requests + more.requests,
    limited: before.limited + more.limited,
    refused: before.refused + more.refused,
    failed: before.failed + more.failed,
  };
}

export function readUsage(world: World, query: UsageQuery, limit: number): readonly UsageRow[] {
  const { accountId, by, from, to, environment, keyId } = query;
  return [...world.usage[by].values()]
    .filter(
      (row) =>
        row.accountId === accountId &&
        row.at >= from &&
        row.at < to &&
        (environment ?? row.environment) === row.environment &&
        (keyId ?? row.keyId) === row.keyId,
    )
    .toSorted((a, b) => a.at - b.at || order(a.keyId, b.keyId) || order(a.operation, b.operation))
    .slice(0, limit)
    .map(({ accountId: _accountId, ...row }) => row);
}

function order(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
