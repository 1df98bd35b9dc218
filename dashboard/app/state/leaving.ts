/** What watches over unsaved changes. */
export interface Watch {
  /** Resolves with false if the view has unsaved changes and the user wants to keep them. */
  readonly ask: () => Promise<boolean>;
  /** The browser went back or forward. */
  readonly onBack: (event: PopStateEvent) => void;
}

let watch: Watch | undefined;

// Before the router's listener: browsers call the listeners of this event in the order in which they were added.
window.addEventListener("popstate", (event) => watch?.onBack(event));

/**
 * Resolves with false if the view has unsaved changes and the user wants to keep them. To be called before code opens
 * another view; `components/unsaved.ts` watches links and the browser's own ways.
 */
export async function mayLeave(): Promise<boolean> {
  return watch === undefined || watch.ask();
}

/** Sets what watches. It is loaded with the first form, so it cannot be imported here. */
export function watchBy(watching: Watch): void {
  watch = watching;
}
