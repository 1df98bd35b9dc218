import type { Log } from "../../lib/base/log.ts";
import { driftStandsStill } from "../model/drift.ts";
import type { DomainStore } from "../ports/domain-store.ts";

/** Whether drift stands still for all names, because the cause of the bad looks must be here. */
export interface DriftBreaker {
  /** The state as of the last bad look. */
  readonly isOpen: boolean;
  /** Counts the looks of all processes. Logs when the answer changes. */
  examine(now: number): Promise<boolean>;
}

export function createDriftBreaker(store: Pick<DomainStore, "domains">, log: Log): DriftBreaker {
  let isOpen = false;
  return {
    get isOpen() {
      return isOpen;
    },
    examine: async (now) => {
      const counts = await store.domains.lookCounts(now);
      const before = isOpen;
      isOpen = driftStandsStill(counts);
      if (isOpen && !before) {
        log.error(
          "drift_standing_still: too many live domains seem to point elsewhere",
          undefined,
          {
            ...counts,
            fix: "check the resolvers, the network, and the records of the CNAME target: petstore doctor",
          },
        );
      } else if (before && !isOpen) {
        log.info("drift_standing_still: live domains are found as usual again", { ...counts });
      }
      return isOpen;
    },
  };
}
