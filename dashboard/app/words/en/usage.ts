import type { Plan } from "../../../../lib/model/account.ts";
import type { UsagePeriod } from "../../../../lib/model/usage.ts";
import { dateTime, number, percent } from "../format.ts";

interface Counts {
  readonly answered: number;
  readonly refused: number;
  readonly limited: number;
  readonly failed: number;
}

/** The words of the usage page. */
export const usage = {
  title: "Usage",
  about: "API requests by key, and the limits of your plan. Updates automatically.",
  used: "Current usage",
  paces: {
    idle: "No requests in the last hour.",
    usedUp: (resetAt: number) => `The daily limit is used up. It resets on ${dateTime(resetAt)}.`,
    reached: (at: number) =>
      `At this rate you will reach the daily limit on ${dateTime(at)}. Further requests will be rejected.`,
    lasts: (share: number) => `At this rate you will use ${percent(share)} of the daily limit.`,
  },
  byKeyEach: "The limits apply to each key separately.",
  requests: "Requests",
  toRequests: "Show requests",
  period: "Period",
  periods: { minute: "Last hour", day: "Last 30 days" },
  key: "API key",
  allKeys: "All keys",
  outcomes: {
    answered: "Successful",
    refused: "Rejected (4xx)",
    limited: "Rate-limited (429)",
    failed: "Failed (5xx)",
  },
  chart: { minute: "Requests by minute", day: "Requests by day" },
  now: { minute: "now", day: "today" },
  summary: (when: string, { answered, refused, limited, failed }: Counts) =>
    `${when}: ${number(answered)} successful, ${number(refused)} rejected, ${number(limited)} rate-limited, ${number(failed)} failed`,
  limitLine: (limit: number, by: UsagePeriod) =>
    by === "minute" ? `Limit ${number(limit)} per minute` : `Limit ${number(limit)} per day`,
  limitMeans: {
    minute: "Each bar is one clock minute. The limit counts 60 seconds from the first request.",
    day: "Each bar is one day in UTC. The limit counts 24 hours from the first request.",
  },
  limitAbove: (limit: number, by: UsagePeriod) =>
    by === "minute"
      ? `The limit, ${number(limit)} per minute, is above the top of this chart.`
      : `The limit, ${number(limit)} per day, is above the top of this chart.`,
  empty: "No requests yet",
  emptyText: "Requests appear here within a second or two.",
  toKeys: "Show API keys",
  asTable: "Show as table",
  when: { minute: "Minute", day: "Day (UTC)" },
  total: "Total",
  byKey: "By key",
  byOperation: "By operation",
  operation: "Operation",
  unknownOperation: "Unknown operation",
  deletedKey: "Deleted key",
  users: "Users of your application",
  plan: (plan: string) => `Your plan: ${plan}`,
  allows: (perMinute: number, perDay: number) =>
    `${number(perMinute)} requests per minute and ${number(perDay)} per day, shared by all keys in an environment.`,
  next: {
    free: "Pro allows 300 requests per minute, 10,000 per day, and custom domains.",
    pro: "Business allows 1,000 requests per minute and 100,000 per day.",
    business: "Enterprise limits are negotiable.",
    enterprise: "Your limits are negotiated.",
  } satisfies Record<Plan, string>,
  askOperator: "To change the plan, ask the operator of this service. It takes effect immediately.",
  changePlan: "Change plan",
  advice:
    "Programs avoid rate limits by reading the X-RateLimit-Remaining and Retry-After headers.",
};

export type UsageWords = typeof usage;
