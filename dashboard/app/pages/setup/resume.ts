import type { Shelter } from "./make-shelter.ts";

/** A step that comes after something was made. */
export interface Reached {
  readonly step: "domain" | "end";
  readonly shelter: Shelter;
}

/** Stores the step in this history entry: a reloaded page continues there. */
export function note(reached: Reached): void {
  history.replaceState({ reached }, "", location.pathname);
}

/** What was noted; undefined where nothing was made yet. */
export function noted(): Reached | undefined {
  const state: unknown = history.state;
  if (typeof state !== "object" || state === null || !("reached" in state)) return undefined;
  // Only `note` writes it, and it ends with the tab.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return state.reached as Reached;
}
