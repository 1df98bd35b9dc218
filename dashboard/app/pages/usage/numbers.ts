import type { WindowState } from "../../../../lib/accounts/limits.ts";
import { HOUR_MS } from "../../../../lib/base/clock.ts";
import {
  startOfPeriod,
  usagePeriodMs,
  type UsagePeriod,
  type UsageRow,
} from "../../../../lib/model/usage.ts";

/** Numbers of requests by outcome. */
export interface Counts {
  readonly answered: number;
  /** Rejected because of the request (4xx). */
  readonly refused: number;
  /** Rejected by a limit or a ban (429). */
  readonly limited: number;
  /** Failed in the service (5xx). */
  readonly failed: number;
}

/** The outcomes in the order of a bar, from the bottom up. */
export const outcomes = ["answered", "refused", "limited", "failed"] as const;

/** The requests of one minute or day. */
export interface Period extends Counts {
  readonly at: number;
}

/** Number of periods shown: the last hour, or the last 30 days. */
const SHOWN: Readonly<Record<UsagePeriod, number>> = { minute: 60, day: 30 };

/** Returns the latest periods, oldest first, including those without requests. */
export function periodsOf(
  rows: readonly UsageRow[],
  by: UsagePeriod,
  now: number,
): readonly Period[] {
  // The service's clock may be ahead of ours: its newest row is always in the last period.
  const last = rows.reduce((latest, { at }) => Math.max(latest, at), startOfPeriod(by, now));
  const first = last - (SHOWN[by] - 1) * usagePeriodMs[by];
  const counted = Map.groupBy(rows, ({ at }) => at);
  return Array.from({ length: SHOWN[by] }, (_, index) => {
    const at = first + index * usagePeriodMs[by];
    return { at, ...sumOf(counted.get(at) ?? []) };
  });
}

export function sumOf(rows: readonly UsageRow[]): Counts {
  const sum = (of: (row: UsageRow) => number): number =>
    rows.reduce((total, row) => total + of(row), 0);
  return {
    answered: sum(
      ({ requests, limited, refused, failed }) => requests - limited - refused - failed,
    ),
    refused: sum(({ refused }) => refused),
    limited: sum(({ limited }) => limited),
    failed: sum(({ failed }) => failed),
  };
}

export function totalOf({ answered, refused, limited, failed }: Counts): number {
  return answered + refused + limited + failed;
}

/** Sums the requests by key or by operation, most requests first. */
export function shares(
  rows: readonly UsageRow[],
  of: "keyId" | "operation",
): readonly (Counts & { readonly name: string })[] {
  return [...Map.groupBy(rows, (row) => row[of])]
    .map(([name, some]) => ({ name, ...sumOf(some) }))
    .toSorted((one, other) => totalOf(other) - totalOf(one) || (one.name < other.name ? -1 : 1));
}

/** A forecast for the day's limit. */
export type Pace =
  /** No requests in the last hour, or the day's window has not begun. */
  | { readonly kind: "idle" }
  | { readonly kind: "used_up"; readonly resetAt: number }
  | { readonly kind: "reached"; readonly at: number }
  /** The window ends before the limit is reached; `share` of it, from 0 to 1, will be used. */
  | { readonly kind: "lasts"; readonly share: number };

/** Requests that count toward the limits: not those rejected by a limit, nor our own failures. */
export function spentOf({ answered, refused }: Counts): number {
  return answered + refused;
}

/** Extrapolates the requests of the last hour from `now`. */
export function paceOf(
  { limit, remaining, resetAt }: WindowState,
  spentInLastHour: number,
  now: number,
): Pace {
  if (resetAt === null || resetAt <= now) return { kind: "idle" };
  if (remaining <= 0) return { kind: "used_up", resetAt };
  if (spentInLastHour <= 0) return { kind: "idle" };
  const perMs = spentInLastHour / HOUR_MS;
  const at = now + remaining / perMs;
  if (at < resetAt) return { kind: "reached", at };
  const spent = limit - remaining + perMs * (resetAt - now);
  return { kind: "lasts", share: Math.min(1, spent / limit) };
}

/** The scale of a chart. */
export interface Scale {
  /** The value at the upper edge. */
  readonly top: number;
  /** Where the limit is drawn, as a share of the height; undefined if it is above the upper edge. */
  readonly limitAt: number | undefined;
}

/** Below this share of the limit, a peak would be invisible on a scale that includes the limit. */
const SMALL = 0.15;
const STEPS = [1, 2, 3, 4, 5, 6, 8, 10] as const;

/** Returns a round scale with room for the highest bar and, if that is near it, for the limit. */
export function scaleFor(peak: number, limit: number): Scale {
  const near = peak >= limit * SMALL;
  const top = roundUp(near ? Math.max(peak, limit * 1.1) : Math.max(peak * 1.1, 4));
  return { top, limitAt: near || limit <= top ? limit / top : undefined };
}

/** Rounds up to an even number whose half is a good label too. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const step = STEPS.find((one) => one * power >= value && (one * power) % 2 === 0) ?? 10;
  return step * power;
}
