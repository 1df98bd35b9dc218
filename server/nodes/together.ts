import { sharedLimits } from "../../adapters/redis/handed-limits.ts";
import type { PostgresCounters } from "../../adapters/postgres/sql.ts";
import type { RedisCounters } from "../../adapters/redis/limits.ts";
import type { Leases } from "../../domains/index.ts";
import { createRounds, type TakeTurn } from "../../lib/base/rounds.ts";
import { systemClock, type Log } from "../../lib/index.ts";

/** Counts the limits together with the other processes on the database. */
export function countTogether(
  postgres: PostgresCounters,
  redis: RedisCounters | undefined,
  log: Log,
) {
  const limits = sharedLimits({ postgres, redis, log });
  const tending = { what: "tending the limits", run: () => limits.tend() };
  const saving = { what: "saving the limits", run: () => limits.save() };
  const jobs = createRounds({
    clock: systemClock,
    log,
    errands: [tending],
    last: [saving],
  });
  const close = async (): Promise<void> => {
    await jobs.stop();
    limits.close();
  };
  return { limiter: limits.limiter, status: () => limits.status, jobs, close };
}

/** Divides work among nodes: the first that asks gets the lease, and keeps it until the work is due again. */
export function turnsOf(leases: Leases): TakeTurn {
  return async (what, everyMs) =>
    (await leases.acquire(`turn:${what}`, everyMs * TURN_SHARE)) !== undefined;
}

/** Below 1, so that the node which had the last turn is not refused the next one for being punctual. */
const TURN_SHARE = 0.9;
