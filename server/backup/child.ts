import type { BackupJob, BackupReport } from "../../backup/job.ts";
import type { OnProgress } from "../../backup/progress.ts";
import type { Clock } from "../../lib/index.ts";
import { Failure } from "../../settings/failure.ts";
import { serveOthersFirst, yieldToOthers } from "../process/priority.ts";
import { thisProgram } from "../process/this-program.ts";
import { runJob } from "./postgres.ts";
import { eventLine, failedEvent, followBackup, progressTo, type BackupEvent } from "./events.ts";

/** First argument of the process that makes a backup for a server. Not a command: it takes its job from stdin. */
export const BACKUP_PROCESS = "--backup-process";

/**
 * Makes a backup in a process of its own, so that reading and sealing do not delay requests. The job has secrets, which
 * arguments and environment would show to other users. Aborting ends the process; a `Failure` as its reason is thrown.
 */
export async function backUpInProcess(
  job: BackupJob,
  signal: AbortSignal,
  onProgress: OnProgress,
): Promise<BackupReport> {
  signal.throwIfAborted();
  const child = Bun.spawn([...thisProgram(), BACKUP_PROCESS], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  // Before it starts threads, which inherit it.
  yieldToOthers(child.pid);
  const end = (): void => child.kill("SIGKILL");
  signal.addEventListener("abort", end);
  try {
    // Stays open: its end tells the process that the server is gone.
    void child.stdin.write(`${JSON.stringify(job)}\n`);
    await child.stdin.flush();
    return await followBackup(child.stdout, onProgress, () => {
      if (signal.reason instanceof Failure) return signal.reason;
      return signal.aborted
        ? new Failure("tryLater", "The server stopped during the backup.")
        : new Failure("failed", "The backup process was killed.");
    });
  } finally {
    signal.removeEventListener("abort", end);
    end();
    await child.exited;
  }
}

/** Runs the job from stdin, and writes its events to stdout. Ends with the process that started it. */
export async function backupProcess(clock: Clock): Promise<void> {
  serveOthersFirst();
  const write = (event: BackupEvent): void => void process.stdout.write(eventLine(event));
  const input = Bun.stdin.stream().getReader();
  const decoder = new TextDecoder();
  let text = "";
  while (!text.includes("\n")) {
    const next = await input.read();
    if (next.done) return;
    text += decoder.decode(next.value, { stream: true });
  }
  void input.read().then(() => process.exit(1));
  try {
    // Written by `backUpInProcess` of the same program.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const job = JSON.parse(text) as BackupJob;
    write({ kind: "done", report: await runJob(job, clock, progressTo(write)) });
  } catch (error) {
    write(failedEvent(error));
  }
}
