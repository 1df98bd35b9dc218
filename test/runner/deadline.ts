import type { Subprocess } from "bun";

/** Time for a terminated process to write its report. */
const GRACE_MS = 15_000;

/** How a process ended. */
export interface Ending {
  readonly exitCode: number;
  /** True if it was terminated: it took too long, or the system ran out of memory. */
  readonly killed: boolean;
}

/** Waits for a process. After `limitMs` it is terminated, and killed if it does not exit. */
export async function endingOf(child: Subprocess, limitMs: number): Promise<Ending> {
  let late = false;
  const telling = setTimeout(() => {
    late = true;
    child.kill("SIGTERM");
  }, limitMs);
  const killing = setTimeout(() => child.kill("SIGKILL"), limitMs + GRACE_MS);
  const exitCode = await child.exited;
  clearTimeout(telling);
  clearTimeout(killing);
  return { exitCode, killed: late || child.signalCode === "SIGKILL" };
}
