import { readdirSync } from "node:fs";
import { availableParallelism, setPriority } from "node:os";

import { LIBC } from "./libc.ts";

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

/** The policy for threads that run while no other wants the processor (linux/sched.h). */
const SCHED_IDLE = 5;

/**
 * Also lets the threads of this process, and those that they start, run only while no other thread wants the processor. On
 * Linux, a thread of the lowest priority keeps the processor for up to 5 milliseconds after a server is woken. A single
 * processor that a server keeps busy would leave such threads almost nothing: there they only have the lowest priority. Not for
 * a process that holds a lock.
 */
export async function useIdleProcessors(): Promise<void> {
  serveOthersFirst();
  if (process.platform !== "linux" || availableParallelism() === 1) return;
  try {
    const { dlopen, ptr } = await import("bun:ffi");
    const libc = dlopen(LIBC, {
      sched_setscheduler: { args: ["i32", "i32", "ptr"], returns: "i32" },
    });
    const priority = new Int32Array(1);
    for (const thread of threads()) {
      libc.symbols.sched_setscheduler(thread, SCHED_IDLE, ptr(priority));
    }
    libc.close();
  } catch {
    // Another libc, or a system that forbids it: it has the lowest priority.
  }
}

/** The threads of this process; empty except on Linux, where each has a priority of its own. */
function threads(): readonly number[] {
  try {
    return readdirSync("/proc/self/task").map(Number);
  } catch {
    return [];
  }
}
