import type { Plan } from "../../../../lib/model/account.ts";
import type { UsagePeriod } from "../../../../lib/model/usage.ts";
import { number, percent, time } from "../format.ts";

interface Counts {
  readonly answered: number;
  readonly refused: number;
  readonly limited: number;
  readonly failed: number;
}

/** What the page of usage says. */
export const usage = {
  title: "Usage",
  about:
    "How much your API keys ask, and how much of your plan that is. It keeps itself up to date.",
  used: "Used so far",
  paces: {
    idle: "Nothing was asked in the last hour.",
    usedUp: (resetAt: number) => `The day's limit is used up. It starts anew at ${time(resetAt)}.`,
    reached: (at: number) =>
      `At this pace the day's limit is reached at ${time(at)}: from then on requests are refused.`,
    lasts: (share: number) => `At this pace ${percent(share)} of the day's limit will be used.`,
  },
  byKeyEach: "Every key has these limits for itself.",
  requests: "Requests",
  period: "Period",
  periods: { minute: "Last hour", day: "Last 30 days" },
  key: "API key",
  allKeys: "All keys",
  endings: {
    answered: "Answered",
    refused: "Refused (4xx)",
    limited: "Over the limit (429)",
    failed: "Failed (5xx)",
  },
  chart: { minute: "Requests by minute", day: "Requests by day" },
  now: { minute: "now", day: "today" },
  told: (when: string, { answered, refused, limited, failed }: Counts) =>
    `${when}: ${number(answered)} answered, ${number(refused)} refused, ${number(limited)} over the limit, ${number(failed)} failed`,
  limitLine: (limit: number, by: UsagePeriod) =>
    by === "minute" ? `Limit ${number(limit)} a minute` : `Limit ${number(limit)} a day`,
  limitMeans: {
    minute: "A minute of the limit begins with its first request; a bar is a minute of the clock.",
    day: "A day of the limit begins with its first request and lasts 24 hours; a bar is a day in UTC.",
  },
  limitAbove: (limit: number, by: UsagePeriod) =>
    by === "minute"
      ? `The limit of ${number(limit)} a minute is far above what is shown.`
      : `The limit of ${number(limit)} a day is far above what is shown.`,
  empty: "Nothing was asked yet",
  emptyText: "As soon as a program uses a key, you see it here within a second or two.",
  toKeys: "To the API keys",
  asTable: "The same as a table",
  when: { minute: "Minute", day: "Day (UTC)" },
  total: "All",
  byKey: "By key",
  byOperation: "By operation",
  operation: "Operation",
  unknownOperation: "no known operation",
  goneKey: "a key that is no longer listed",
  plan: (plan: string) => `Your plan: ${plan}`,
  allows: (perMinute: number, perDay: number) =>
    `${number(perMinute)} requests a minute and ${number(perDay)} a day, for all keys of an environment together.`,
  next: {
    free: "Pro allows 300 a minute and 10,000 a day, and custom domains for your sites.",
    pro: "Business allows 1,000 a minute and 100,000 a day.",
    business: "Enterprise allows what you agree upon.",
    enterprise: "Your limits were agreed upon; they can be agreed anew.",
  } satisfies Record<Plan, string>,
  askOperator: "Whoever runs this service changes the plan. It takes effect at once.",
  changePlan: "Change the plan",
  advice:
    "Programs that read the headers X-RateLimit-Remaining and Retry-After never run into a limit unawares.",
};

export type UsageWords = typeof usage;
