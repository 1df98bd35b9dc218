import type { WindowView } from "../../limiter.ts";
import { plans } from "../../../model/account.ts";
import { activeUntil } from "../../../model/ban.ts";
import type { Endpoint } from "../../../http/endpoint.ts";

const windowSchema = {
  type: "object",
  required: ["limit", "remaining", "reset"],
  properties: {
    limit: { type: "integer", minimum: 1 },
    remaining: { type: "integer", minimum: 0 },
    reset: {
      type: "integer",
      description: "Unix timestamp, in seconds, at which the whole limit is there again.",
    },
  },
  additionalProperties: false,
};

export const rateLimitEndpoints: readonly Endpoint[] = [
  {
    operationId: "getRateLimit",
    method: "GET",
    path: "/rate-limit",
    summary: "Look at the limits",
    description:
      "Tells what is left of the minute and of the day. Costs nothing, works for a banned key too, and may be called 60 times a minute.",
    free: true,
    stability: "beta",
    parameters: [],
    success: {
      status: 200,
      description: "Both windows as they are now.",
      schema: {
        name: "RateLimit",
        json: {
          type: "object",
          required: ["plan", "minute", "day", "bannedUntil"],
          properties: {
            plan: { type: "string", enum: plans },
            minute: windowSchema,
            day: windowSchema,
            bannedUntil: {
              type: ["integer", "null"],
              description: "Unix timestamp, in seconds, until which the key is banned.",
            },
          },
          additionalProperties: false,
        },
      },
      example: {
        plan: "free",
        minute: { limit: 60, remaining: 59, reset: 1_795_203_180 },
        day: { limit: 1_000, remaining: 999, reset: 1_795_289_520 },
        bannedUntil: null,
      },
      headers: ["ETag"],
    },
    refusals: [],
    handle: ({ caller, now, verdict }) => {
      const until = activeUntil(caller.key.ban, now);
      const windows = Object.fromEntries(verdict.windows.map((view) => [view.name, shown(view)]));
      return {
        ok: true,
        value: {
          status: 200,
          body: JSON.stringify({
            plan: caller.account.plan,
            ...windows,
            bannedUntil: until === undefined ? null : Math.ceil(until / 1_000),
          }),
        },
      };
    },
  },
];

function shown({ limit, remaining, resetsAt }: WindowView): Readonly<Record<string, number>> {
  return { limit, remaining, reset: resetsAt / 1_000 };
}
