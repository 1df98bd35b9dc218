import { MINUTE_MS, SECOND_MS } from "../../base/clock.ts";
import type { DeployState } from "./deploy.ts";

/** How often a deploy that is being made gives a sign of life. */
export const TOUCH_EVERY_MS: number = 15 * SECOND_MS;

/** One that was silent for so long was interrupted. */
export const INTERRUPTED_AFTER_MS: number = MINUTE_MS;

/** Longer than that nobody may take to send one. Well below the age at which blobs that nobody needs are removed. */
export const MAX_MAKING_MS: number = 30 * MINUTE_MS;

/** Being made at the same time, of one project. */
export const MAX_MAKING_OF_PROJECT = 3;

/** Being made at the same time by one process. */
export const MAX_MAKING_OF_PROCESS = 20;

const next: Readonly<Record<DeployState, readonly DeployState[]>> = {
  uploading: ["processing", "failed"],
  processing: ["ready", "failed"],
  ready: ["live"],
  live: ["superseded"],
  superseded: ["live"],
  failed: [],
};

/** Whether a deploy may go from one state to the other. */
export function canBecome(from: DeployState, to: DeployState): boolean {
  return next[from].includes(to);
}

/** All of it is there: it is live, was live, or could be. */
export function isWhole(state: DeployState): boolean {
  return state === "ready" || state === "live" || state === "superseded";
}

/** It is being made. */
export function isMaking(state: DeployState): boolean {
  return state === "uploading" || state === "processing";
}
