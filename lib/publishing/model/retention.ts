import type { Deploy } from "./deploy.ts";
import { isMaking } from "./deploy-state.ts";

/** So many finished deploys of a project are kept, failed ones included. */
export const KEPT_DEPLOYS = 20;

/** Pinned ones are kept besides; of a project at most so many. */
export const MAX_PINNED = 20;

/** Which of a project's deploys, newest first, go: what is live, pinned or still being made stays however old it is. */
export function surplusDeploys(deploys: readonly Deploy[]): readonly Deploy[] {
  return deploys
    .filter(({ state }) => !isMaking(state))
    .slice(KEPT_DEPLOYS)
    .filter(({ state, pinned }) => state !== "live" && !pinned);
}
