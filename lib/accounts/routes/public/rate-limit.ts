import { choice, declared, fields, shape, whole, type ValueOf } from "../../../base/shape.ts";
import type { Verdict, WindowView } from "../../limiter.ts";
import { done } from "../../../base/result.ts";
import { encode } from "../../../http/answer.ts";
import { endpoint } from "../../../http/endpoint.ts";
import { anyKey } from "../../../http/public-endpoint.ts";
import { plans } from "../../../model/account.ts";
import { activeUntil } from "../../../model/ban.ts";

const windowShape = fields({
  limit: whole({ minimum: 1 }),
  remaining: whole({ minimum: 0 }),
  reset: whole({
    description: "Unix timestamp, in seconds, at which the limit resets.",
  }),
});

/** The limits of an API key. */
const rateLimitShape = shape("RateLimit", {
  plan: choice(plans),
  minute: windowShape,
  day: windowShape,
  bannedUntil: declared<number | null>({
    type: ["integer", "null"],
    description: "Unix timestamp, in seconds, until which the key is banned.",
  }),
});

export const rateLimitEndpoints = [
  endpoint({
    operationId: "getRateLimit",
    method: "GET",
    path: "/rate-limit",
    summary: "Get the limits",
    description:
      "Returns the remaining requests of the minute and the day. It costs nothing, works for banned keys, and may be called 60 times a minute.",
    access: anyKey,
    stability: "beta",
    success: {
      status: 200,
      description: "Both windows.",
      schema: rateLimitShape,
      example: {
        plan: "free",
        minute: { limit: 60, remaining: 59, reset: 1_795_203_180 },
        day: { limit: 1_000, remaining: 999, reset: 1_795_289_520 },
        bannedUntil: null,
      },
      headers: ["ETag"],
    },
    refusals: [],
    run: ({ caller, now, verdict }) => {
      const until = activeUntil(caller.key?.ban, now);
      const body = encode({
        plan: caller.account.plan,
        minute: shown(verdict, "minute"),
        day: shown(verdict, "day"),
        bannedUntil: until === undefined ? null : Math.ceil(until / 1_000),
      });
      return done({ status: 200, body });
    },
  }),
];

function shown({ windows }: Verdict, name: WindowView["name"]): ValueOf<typeof windowShape> {
  const found = windows.find((window) => window.name === name);
  if (found === undefined) throw new TypeError(`The limiter reports no window "${name}".`);
  const { limit, remaining, resetsAt } = found;
  return { limit, remaining, reset: resetsAt / 1_000 };
}
