import type { UsagePeriod, UsageQuery } from "../model/usage.ts";
import { usageColumns } from "./rows.ts";
import type { SqlValue, Statement } from "../sql/sql.ts";

/** Where the rows of each length of time are. */
export const usageTables: Readonly<Record<UsagePeriod, string>> = {
  minute: "usage_minutes",
  day: "usage_days",
};

/** The rows of a range of time: a range of one index, whether or not a key is named. */
export function usageIn(query: UsageQuery, limit: number): Statement {
  const { accountId, by, from, to, environment, keyId } = query;
  const conditions = ["account_id = ?"];
  const values: SqlValue[] = [accountId];
  const only = (condition: string, value: SqlValue | undefined): void => {
    if (value === undefined) return;
    conditions.push(condition);
    values.push(value);
  };
  only("key_id = ?", keyId);
  only("started_at >= ?", from);
  only("started_at < ?", to);
  only("environment = ?", environment);
  return {
    text: `SELECT ${usageColumns} FROM ${usageTables[by]} WHERE ${conditions.join(" AND ")}
      ORDER BY started_at, key_id, operation LIMIT ?`,
    values: [...values, limit],
  };
}
