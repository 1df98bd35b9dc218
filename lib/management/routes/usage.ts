import { problem, type Problem } from "../../base/problem.ts";
import { done, refused, type Result } from "../../base/result.ts";
import { environments } from "../../model/account.ts";
import {
  startOfPeriod,
  usageKeptMs,
  usagePeriodMs,
  usagePeriods,
  type UsagePeriod,
  type UsageQuery,
} from "../../model/usage.ts";
import { endpoint, type AccountCall } from "../endpoint.ts";
import {
  choiceParameter,
  instantParameter,
  textParameter,
  type QueryOf,
} from "../../http/parameters.ts";
import { present } from "../present.ts";
import { usageRowsShape } from "../schemas/usage.ts";

/** More than that nobody reads at a time. */
const MAX_ROWS = 10_000;

/** How many periods are told when nothing else was asked for: the last hour, or the last thirty days. */
const DEFAULT_PERIODS: Readonly<Record<UsagePeriod, number>> = { minute: 60, day: 30 };

const KEY_ID = /^[0-9A-Za-z]{1,20}$/;

const parameters = {
  by: choiceParameter("Length of the periods.", usagePeriods, "day"),
  from: instantParameter(
    "The first period is the one that this lies in. Default: 60 minutes or 30 days, the current one included.",
  ),
  to: instantParameter(
    "Periods begin before this. Default: now. A range is at most 48 hours or 400 days.",
  ),
  environment: choiceParameter("Only keys of this environment.", environments),
  key: textParameter("Only the key with this id.", {
    maxLength: 20,
    rule: "must be the id of an API key",
    pattern: KEY_ID,
  }),
};

export const usageEndpoints = [
  endpoint({
    operationId: "readUsage",
    method: "GET",
    path: "/accounts/:account/usage",
    tag: "usage",
    access: "account",
    role: "viewer",
    summary: "Read usage",
    description:
      "How much each API key asked of each operation, by minute (kept for 48 hours) or by UTC day (kept for 400 days). " +
      "Periods in which a key asked nothing have no row. Counted within a second or so.",
    query: parameters,
    success: {
      status: 200,
      description: "One row for each period, key and operation, oldest first.",
      schema: usageRowsShape,
      example: [
        {
          keyId: "8fJ2kQ0aZx",
          environment: "production",
          operation: "listPets",
          at: "2026-11-20T00:00:00.000Z",
          requests: 1_204,
          limited: 12,
          refused: 3,
          failed: 0,
        },
      ],
    },
    refusals: ["invalid_parameter", "unknown_parameter"],
    run: async (call, { store }) => {
      const query = usageQuery(call);
      if (!query.ok) return query;
      const rows = await store.usage.read(query.value, MAX_ROWS + 1);
      return rows.length > MAX_ROWS ? refused(tooMany) : done(rows);
    },
  }),
];

const tooMany: Problem = problem(
  "invalid_parameter",
  `There are more than ${MAX_ROWS} rows: ask for a shorter range, for days, or for one key.`,
);

/** The query with its defaults filled in. */
function usageQuery({
  account,
  query: { by = "day", key: keyId, environment, ...range },
  now,
}: AccountCall<unknown, QueryOf<typeof parameters>>): Result<UsageQuery, Problem> {
  const to = range.to ?? now + 1;
  const lastStart = startOfPeriod(by, Math.max(to - 1, 0));
  const from = startOfPeriod(
    by,
    range.from ?? Math.max(lastStart - (DEFAULT_PERIODS[by] - 1) * usagePeriodMs[by], 0),
  );
  if (from >= to) return refused(problem("invalid_parameter", '"from" must lie before "to".'));
  if (lastStart - from > usageKeptMs[by]) {
    const most = by === "minute" ? "48 hours by minute" : "400 days by day";
    return refused(problem("invalid_parameter", `From "from" to "to" can be at most ${most}.`));
  }
  return done({ accountId: account.id, by, from, to, ...present({ environment, keyId }) });
}
