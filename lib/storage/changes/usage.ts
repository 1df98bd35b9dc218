import { startOfPeriod, usagePeriods } from "../../model/usage.ts";
import type { Change } from "../change.ts";
import { usageTables } from "../usage.ts";
import { nothing } from "../../sql/script.ts";
import type { Outcomes, StoreScript } from "./store-script.ts";

// Through the accounts, so that nothing is added to one that is gone.
const ADD = usagePeriods.map((by) => {
  const table = usageTables[by];
  const text = `INSERT INTO ${table}
    (account_id, started_at, key_id, operation, environment, requests, limited, refused, failed)
    SELECT id, ?, ?, ?, ?, ?, ?, ?, ? FROM accounts WHERE id = ?
    ON CONFLICT (account_id, started_at, key_id, operation) DO UPDATE SET
      requests = ${table}.requests + excluded.requests,
      limited = ${table}.limited + excluded.limited,
      refused = ${table}.refused + excluded.refused,
      failed = ${table}.failed + excluded.failed`;
  return { by, text };
});

export function addUsage(
  script: StoreScript,
  { rows }: Extract<Change, { kind: "usage.add" }>,
): Outcomes {
  for (const { accountId, keyId, operation, environment, at, ...counts } of rows) {
    const { requests, limited, refused, failed } = counts;
    for (const { by, text } of ADD) {
      const startedAt = startOfPeriod(by, at);
      script.add(text, [
        startedAt,
        keyId,
        operation,
        environment,
        requests,
        limited,
        refused,
        failed,
        accountId,
      ]);
    }
  }
  return nothing;
}
