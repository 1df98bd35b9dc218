/** The steps of backups, restores, exports, imports and moves. The second word is what a step counts. */
export type Step =
  | "copying rows"
  | "copying files"
  | "comparing rows"
  | "checking rows"
  | "checking files"
  | "writing bytes"
  | "verifying bytes"
  | "rehearsing bytes";

/** Receives how far a step is. Files are those of sites. `total` is absent while it is unknown. */
export type OnProgress = (step: Step, done: number, total?: number) => void;

const EVERY_MS = 100;

/** Limits how often progress is reported; a change of the step always is. */
export function sparse(report: OnProgress): OnProgress {
  let last: { step: Step; at: number } | undefined;
  return (step, done, total) => {
    const at = performance.now();
    if (last?.step === step && at - last.at < EVERY_MS) return;
    last = { step, at };
    report(step, done, total);
  };
}
