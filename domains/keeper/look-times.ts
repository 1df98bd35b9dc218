import { SECOND_MS } from "../../lib/base/clock.ts";

/** How often due tasks are looked up, unless a domain changed a moment ago: then in every round. */
const LOOK_EVERY_MS: number = SECOND_MS;
/** How often they are looked up before the next one is due. */
const LOOK_IDLE_MS: number = 10 * SECOND_MS;
const ACTIVE_MS: number = 10 * SECOND_MS;

/** What the time of the next look at the due tasks depends on. The first two instants are by the host's clock. */
export interface LookTimes {
  readonly lookedAt: number;
  /** The last time at which a domain was changed by any process. */
  readonly changedAt: number;
  /** When the next task is due, by the CA's clock, if no domain changes; undefined: not known. */
  readonly nextDueAt: number | undefined;
}

/** The times of a keeper that has not looked yet. */
export const NEVER_LOOKED: LookTimes = {
  lookedAt: -Infinity,
  changedAt: -Infinity,
  nextDueAt: undefined,
};

/** Whether a domain was changed a moment ago, so that tasks may become due in any round. */
export function changedLately({ changedAt }: LookTimes, hostNow: number): boolean {
  return Math.abs(hostNow - changedAt) < ACTIVE_MS;
}

/** Returns whether the due tasks are to be looked up in this round. If a clock was set back by more than the wait, they are. */
export function isLookDue(
  times: LookTimes,
  {
    hostNow,
    now,
    working,
  }: { readonly hostNow: number; readonly now: number; readonly working: boolean },
): boolean {
  if (working || changedLately(times, hostNow)) return true;
  const everyMs = now >= (times.nextDueAt ?? -Infinity) ? LOOK_EVERY_MS : LOOK_IDLE_MS;
  return Math.abs(hostNow - times.lookedAt) >= everyMs;
}
