import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../lib/base/clock.ts";
import type { Change } from "../../lib/index.ts";

/** A key that was used, and how much of an ordinary day's requests it makes. */
export interface UsedKey {
  readonly id: string;
  readonly environment: "production" | "staging";
  readonly requestsADay: number;
  /** Days ago. */
  readonly from: number;
  /** Days ago. */
  readonly to: number;
}

type UsageRow = Extract<Change, { readonly kind: "usage.add" }>["rows"][number];

/** What visitors of a shelter's site ask for, by its share of all requests. */
const OPERATIONS: readonly (readonly [operation: string, share: number])[] = [
  ["listPets", 0.62],
  ["getPetProfile", 0.26],
  ["listCategories", 0.12],
];

/** Usage is kept by the minute for two days. */
const BY_MINUTE_DAYS = 2;
const SLOT_MS = 10 * MINUTE_MS;
/** The page *Usage* shows the last hour by the minute. */
const BY_SINGLE_MINUTES_MS = 2 * HOUR_MS;

/**
 * Returns the requests of a month: one row a day and operation, for the last two days one every ten minutes, and for the
 * last two hours one a minute.
 */
export function usageOf(
  accountId: string,
  keys: readonly UsedKey[],
  now: number,
): readonly UsageRow[] {
  const today = now - (now % DAY_MS);
  const rows: UsageRow[] = [];
  for (const { id, environment, requestsADay, from, to } of keys) {
    const add = (at: number, total: number): void => {
      for (const [operation, share] of OPERATIONS) {
        const requests = Math.round(total * share);
        if (requests === 0) continue;
        const refused = operation === "getPetProfile" ? Math.floor(requests / 40) : 0;
        const counts = { requests, limited: 0, refused, failed: 0 };
        rows.push({ accountId, keyId: id, environment, operation, at, ...counts });
      }
    };
    for (let day = from; day >= to; day--) {
      const start = today - day * DAY_MS;
      const total = requestsADay * weekly(start) * wobble(day);
      if (day > BY_MINUTE_DAYS) {
        add(start + 12 * HOUR_MS, total);
        continue;
      }
      let slotMs = SLOT_MS;
      for (let at = start; at < Math.min(start + DAY_MS, now - MINUTE_MS); at += slotMs) {
        slotMs = at < now - BY_SINGLE_MINUTES_MS ? SLOT_MS : MINUTE_MS;
        add(at, ((total * slotMs * daily(at)) / DAY_MS) * (slotMs === SLOT_MS ? 1 : flicker(at)));
      }
    }
  }
  return rows;
}

/** More people look for a pet at the weekend. */
function weekly(day: number): number {
  // The first of January 1970 was a Thursday.
  const weekday = Math.floor(day / DAY_MS + 4) % 7;
  return weekday === 0 || weekday === 6 ? 1.6 : 1;
}

/** Nobody looks at night. */
function daily(at: number): number {
  const hour = (at % DAY_MS) / HOUR_MS;
  return Math.max(0, 1.9 * Math.sin(((hour - 5) * Math.PI) / 19));
}

/** Makes minutes differ, the same each time. */
function flicker(at: number): number {
  return ((at / MINUTE_MS) * 7) % 3;
}

/** Makes days differ, the same each time. */
function wobble(day: number): number {
  return 0.8 + (((day * 37) % 11) / 11) * 0.5;
}
