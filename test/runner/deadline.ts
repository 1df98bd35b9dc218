import type { Subprocess } from "bun";

/** For a process that is told to end to write down what it knows. */
const GRACE_MS = 15_000;

/** How a process ended. */
export interface Ending {
  readonly exitCode: number;
  /** It did not end by itself: it took too long, or the system had no memory left for it. */
  readonly killed: boolean;
}

/** Waits for a process; one that is still there after `limitMs` is told to end, and killed if it does not. */
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
