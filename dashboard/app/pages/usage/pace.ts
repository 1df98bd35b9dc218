import { HOUR_MS } from "../../../../lib/base/clock.ts";
import type { WindowState } from "../../../../lib/actions/local-client.ts";
import type { Counts } from "./periods.ts";

/** Where the day's limit is heading. */
export type Pace =
  /** Nothing was asked in the last hour, or the day has not begun. */
  | { readonly kind: "idle" }
  | { readonly kind: "used-up"; readonly resetAt: number }
  | { readonly kind: "reached"; readonly at: number }
  /** The day ends first, with so much of its limit used: from 0 to 1. */
  | { readonly kind: "lasts"; readonly share: number };

/** What of these counts against the limits: what was refused for them, and what we failed at, does not. */
export function spentOf({ answered, refused }: Counts): number {
  return answered + refused;
}

/** Goes on from `now` as in the last hour, in which so many requests counted. */
export function paceOf(
  { limit, remaining, resetAt }: WindowState,
  spentInLastHour: number,
  now: number,
): Pace {
  if (resetAt === null || resetAt <= now) return { kind: "idle" };
  if (remaining <= 0) return { kind: "used-up", resetAt };
  if (spentInLastHour <= 0) return { kind: "idle" };
  const perMs = spentInLastHour / HOUR_MS;
  const at = now + remaining / perMs;
  if (at < resetAt) return { kind: "reached", at };
  const spent = limit - remaining + perMs * (resetAt - now);
  return { kind: "lasts", share: Math.min(1, spent / limit) };
}
