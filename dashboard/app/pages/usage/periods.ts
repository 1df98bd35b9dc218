import {
  startOfPeriod,
  usagePeriodMs,
  type UsagePeriod,
  type UsageRow,
} from "../../../../lib/model/usage.ts";

/** Requests by how they ended; together they are all there were. */
export interface Counts {
  readonly answered: number;
  /** For a reason of the request's own (4xx). */
  readonly refused: number;
  /** For a limit or a ban (429). */
  readonly limited: number;
  /** By our fault (5xx). */
  readonly failed: number;
}

/** From the bottom of a bar up. */
export const endings = ["answered", "refused", "limited", "failed"] as const;

/** What was asked within one minute or day. */
export interface Period extends Counts {
  readonly at: number;
}

/** How many periods are shown: the last hour, or the last thirty days. */
const SHOWN: Readonly<Record<UsagePeriod, number>> = { minute: 60, day: 30 };

/** The periods up to now, oldest first, those in which nothing was asked included. */
export function periodsOf(
  rows: readonly UsageRow[],
  by: UsagePeriod,
  now: number,
): readonly Period[] {
  // Where the service's clock is ahead of ours, its newest row is in the last period.
  const last = rows.reduce((latest, { at }) => Math.max(latest, at), startOfPeriod(by, now));
  const first = last - (SHOWN[by] - 1) * usagePeriodMs[by];
  const counted = Map.groupBy(rows, ({ at }) => at);
  return Array.from({ length: SHOWN[by] }, (_, index) => {
    const at = first + index * usagePeriodMs[by];
    return { at, ...sumOf(counted.get(at) ?? []) };
  });
}

/** All of them together. */
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

/** What each key, or each operation, asked: the one that asked most first. */
export function shares(
  rows: readonly UsageRow[],
  of: "keyId" | "operation",
): readonly (Counts & { readonly name: string })[] {
  return [...Map.groupBy(rows, (row) => row[of])]
    .map(([name, some]) => ({ name, ...sumOf(some) }))
    .toSorted((one, other) => totalOf(other) - totalOf(one) || (one.name < other.name ? -1 : 1));
}
