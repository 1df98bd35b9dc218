import { readdirSync } from "node:fs";
import { setPriority } from "node:os";

const LOWEST_PRIORITY = 19;

/** Gives a process or thread the lowest priority. A sandbox may forbid it; the work matters more than its priority. */
export function yieldToOthers(id: number): void {
  try {
    setPriority(id, LOWEST_PRIORITY);
  } catch {
    // It competes with requests.
  }
}

/** Gives all threads of this process the lowest priority: a server on this machine serves its requests first. */
export function serveOthersFirst(): void {
  for (const thread of threads()) yieldToOthers(thread);
}

/** The threads of this process; empty except on Linux, where each has a priority of its own. */
function threads(): readonly number[] {
  try {
    return readdirSync("/proc/self/task").map(Number);
  } catch {
    return [];
  }
}
