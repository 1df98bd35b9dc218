import { problem, type Problem } from "../../lib/base/problem.ts";
import { refused, type Result } from "../../lib/base/result.ts";
import type { ManagementCall } from "../../lib/management/endpoint.ts";
import { createStreams } from "../../lib/management/sse.ts";

/**
 * Looks at the DNS that people ask for. Each puts dozens of questions to servers that strangers choose, so one caller
 * has few of them under way at a time, and cannot keep the others from theirs.
 */
export interface Looks {
  /** Does `look` when there is room for one more of the caller's, and is refused otherwise. */
  take<Value>(
    call: Pick<ManagementCall, "principal">,
    look: () => Promise<Result<Value, Problem>>,
  ): Promise<Result<Value, Problem>>;
}

export const MAX_LOOKS_OF_CALLER = 5;
const MAX_LOOKS_OF_ACCOUNT = 10;
const MAX_LOOKS_OF_ALL = 40;

export function createLooks(): Looks {
  const places = createStreams({
    ofCaller: MAX_LOOKS_OF_CALLER,
    ofAccount: MAX_LOOKS_OF_ACCOUNT,
    ofAll: MAX_LOOKS_OF_ALL,
  });
  return {
    take: async ({ principal }, look) => {
      const leave = places.open(principal);
      if (leave === undefined) return refused(tooMany);
      try {
        return await look();
      } finally {
        leave();
      }
    },
  };
}

const tooMany: Problem = problem(
  "unavailable",
  "Too many names are being looked at right now. Try again when the others are done.",
  { retryAfterSeconds: 2 },
);
