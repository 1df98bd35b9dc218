import { problem, type Problem } from "../../lib/base/problem.ts";
import { refused, type Result } from "../../lib/base/result.ts";
import type { ManagementCall } from "../../lib/management/endpoint.ts";
import type { ManagementServices } from "../../lib/management/management.ts";
import { createPlaces, type Places } from "../../lib/management/places.ts";

/**
 * Limits simultaneous DNS checks. Each sends dozens of queries to servers that others choose, so a caller can run few
 * at a time and cannot block other callers.
 */
export interface CheckLimit {
  /** Runs `check` unless too many are running. */
  take<Value>(
    call: Pick<ManagementCall, "principal">,
    services: Pick<ManagementServices, "places">,
    check: () => Promise<Result<Value, Problem>>,
  ): Promise<Result<Value, Problem>>;
}

export const MAX_CHECKS_OF_CALLER = 5;
const MAX_CHECKS_OF_ACCOUNT = 10;
const MAX_CHECKS_OF_PROCESS = 40;

export function createCheckLimit(): CheckLimit {
  let places: Places | undefined;
  return {
    take: async ({ principal }, { places: shared }, check) => {
      places ??= createPlaces({
        kind: "check",
        ofCaller: MAX_CHECKS_OF_CALLER,
        ofAccount: MAX_CHECKS_OF_ACCOUNT,
        ofProcess: MAX_CHECKS_OF_PROCESS,
        shared,
      });
      const leave = await places.take(principal);
      if (leave === undefined) return refused(tooMany);
      try {
        return await check();
      } finally {
        leave();
      }
    },
  };
}

const tooMany: Problem = problem(
  "unavailable",
  "Too many names are being checked. Try again when those checks are done.",
  { retryAfterSeconds: 2 },
);
