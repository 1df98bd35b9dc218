import type { BackupReport } from "../../backup/job.ts";
import { sparse, type OnProgress, type Step } from "../../backup/progress.ts";
import { exitCodes, Failure, type Exit } from "../../settings/failure.ts";

/** What a backup in another process reports, one JSON document a line. */
export type BackupEvent =
  | {
      readonly kind: "progress";
      readonly step: Step;
      readonly done: number;
      readonly total: number | null;
    }
  | { readonly kind: "done"; readonly report: BackupReport }
  | { readonly kind: "failed"; readonly exit: Exit; readonly message: string };

/** Converts an error to the event that ends a backup. */
export function failedEvent(error: unknown): BackupEvent {
  return error instanceof Failure
    ? { kind: "failed", exit: error.exit, message: error.message }
    : {
        kind: "failed",
        exit: "failed",
        message: error instanceof Error ? error.message : String(error),
      };
}

/** Reads the events of a backup to its report. Rejects with its `Failure`, or with `cutOff` if the events end early. */
export async function followBackup(
  events: ReadableStream<Uint8Array>,
  onProgress: OnProgress,
  cutOff: () => Failure,
): Promise<BackupReport> {
  const decoder = new TextDecoder();
  const reader = events.getReader();
  let rest = "";
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    const lines = (rest + decoder.decode(next.value, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      // Written by `eventLine` of the same version.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      const event = JSON.parse(line) as BackupEvent;
      if (event.kind === "done") return event.report;
      if (event.kind === "failed" && Object.hasOwn(exitCodes, event.exit)) {
        throw new Failure(event.exit, event.message);
      }
      if (event.kind === "progress") onProgress(event.step, event.done, event.total ?? undefined);
    }
  }
  throw cutOff();
}

export function eventLine(event: BackupEvent): string {
  return `${JSON.stringify(event)}\n`;
}

/** Reports progress as events. */
export function progressTo(write: (event: BackupEvent) => void): OnProgress {
  return sparse((step, done, total) =>
    write({ kind: "progress", step, done, total: total ?? null }),
  );
}
