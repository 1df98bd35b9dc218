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
import { endpoint } from "../../http/endpoint.ts";
import { type AccountCall, inAccount } from "../../management/endpoint.ts";
import {
  choiceParameter,
  instantParameter,
  textParameter,
  type QueryOf,
  withFallback,
} from "../../http/parameters.ts";
import { withoutUndefined } from "../../base/without-undefined.ts";
import { inEnvironment } from "../../management/in-catalogue.ts";
import {
  choice,
  count,
  describedAs,
  fields,
  instant,
  list,
  listOf,
  orNull,
  shape,
  text,
  whole,
} from "../../base/shape.ts";

const usageRowsShape = listOf(
  "UsageRows",
  shape("UsageRow", {
    keyId: text(
      "ID of the API key. Users of a program that embeds the service appear as `users`, in Staging as `testUsers`.",
    ),
    environment: choice(environments),
    operation: text("An operation of the public API, such as `listPets`."),
    at: instant("Start of the minute or UTC day."),
    requests: count("All requests, whatever their outcome."),
    limited: count("Of these, refused for a limit or a ban (429)."),
    refused: count("Of these, refused for another reason (4xx)."),
    failed: count("Of these, failed because of the service (5xx)."),
  }),
);

const window = shape("LimitWindow", {
  name: choice(["minute", "day"]),
  limit: count(),
  remaining: count(),
  resetAt: orNull(
    instant("When the window ends and the whole limit is available again; null: it has not begun."),
  ),
});

const ban = shape("KeyBan", {
  bannedAt: instant("When it began."),
  until: instant("The key works again from then on."),
  level: whole({
    minimum: 1,
    maximum: 5,
    description:
      "A higher level means a longer ban. It falls by one for each full day without a ban.",
  }),
});

const key = shape(
  "KeyLimits",
  {
    id: text("ID of the API key."),
    used: fields(
      { minute: count(), day: count() },
      {},
      {
        description:
          "Counted requests in the current minute and in the current UTC day; up to about a second late.",
      },
    ),
    ban: describedAs(orNull(ban), "The current ban; null: the key is not banned."),
  },
  {
    windows: list(window, {
      description: "The key's own windows, when limits are counted by key.",
    }),
  },
);

const limitsShape = shape("Limits", {
  countBy: choice(
    ["catalogue", "key"],
    "Whether all keys share the limits, or each key has its own.",
  ),
  windows: list(window, { description: "Shared by all keys." }),
  keys: list(key, { description: "Active and banned keys." }),
});

/** Most rows of one answer. */
const MAX_ROWS = 10_000;

/** Default number of periods: the last hour, or the last thirty days. */
const DEFAULT_PERIODS: Readonly<Record<UsagePeriod, number>> = { minute: 60, day: 30 };

const KEY_ID = /^[0-9A-Za-z]{1,20}$/;

const parameters = {
  by: withFallback(choiceParameter("Length of the periods.", usagePeriods), "day"),
  from: instantParameter(
    "Start of the range, rounded down to a period. Default: the last 60 minutes or 30 days, including the current one.",
  ),
  to: instantParameter(
    "End of the range, exclusive. Default: now. A range covers at most 48 hours or 400 days.",
  ),
  environment: choiceParameter("Only keys of this environment.", environments),
  key: textParameter("Only the key with this ID.", {
    maxLength: 20,
    rule: "must be the ID of an API key",
    pattern: KEY_ID,
  }),
};

export const usageEndpoints = [
  endpoint({
    operationId: "readUsage",
    method: "GET",
    path: "/accounts/:account/usage",
    tag: "usage",
    access: inAccount("viewer"),
    summary: "Get the usage of API keys",
    description:
      "Requests of each API key to each operation, by minute (kept for 48 hours) or by UTC day (kept for 400 days). " +
      "Periods without requests have no row. Rows are up to about a second late.",
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
  endpoint({
    operationId: "getLimits",
    method: "GET",
    path: "/accounts/:account/:environment/limits",
    tag: "usage",
    access: inAccount("viewer"),
    summary: "Get the limits of API keys",
    description:
      "The remaining requests in the minute and the day, the requests of each active key, and the bans. Spends nothing.",
    success: {
      status: 200,
      description: "The current limits.",
      schema: limitsShape,
      example: {
        countBy: "catalogue",
        windows: [
          { name: "minute", limit: 60, remaining: 18, resetAt: "2026-11-20T09:30:41.000Z" },
          { name: "day", limit: 1_000, remaining: 204, resetAt: "2026-11-21T06:12:03.000Z" },
        ],
        keys: [
          {
            id: "8fJ2kQ0aZx",
            used: { minute: 42, day: 796 },
            ban: {
              bannedAt: "2026-11-20T09:30:00.000Z",
              until: "2026-11-20T09:31:00.000Z",
              level: 1,
            },
          },
        ],
      },
    },
    refusals: ["not_found"],
    run: (call, { client }) => inEnvironment(call, (where) => client.limits.read(where)),
  }),
];

const tooMany: Problem = problem(
  "invalid_parameter",
  `The answer has more than ${MAX_ROWS} rows. Request a shorter range, days, or one key.`,
);

/** Fills in the range of a query. */
function usageQuery({
  account,
  query: { by, key: keyId, environment, ...range },
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
  return done({ accountId: account.id, by, from, to, ...withoutUndefined({ environment, keyId }) });
}
