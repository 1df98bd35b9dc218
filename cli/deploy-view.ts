import { isoTime } from "../lib/base/clock.ts";
import type { Deploy } from "../lib/publishing/index.ts";
import { writeTable } from "./output.ts";
import type { Terminal } from "./terminal.ts";

export async function writeDeploys(terminal: Terminal, deploys: readonly Deploy[]): Promise<void> {
  const rows = deploys.map(
    ({ id, state, pinned, files, bytes, createdAt, author, message, failure }) => [
      id,
      pinned ? `${state}, pinned` : state,
      isoTime(createdAt),
      String(files),
      readableBytes(bytes),
      author,
      failure?.message ?? message ?? "",
    ],
  );
  const headings = ["ID", "STATE", "SENT", "FILES", "SIZE", "BY", "MESSAGE"];
  await writeTable(terminal, headings, rows);
}

/** What a deploy is called where a person is asked about it: `k3…, of 2026-11-20T09:30:00.000Z, "Spring"`. */
export function deployName({ id, createdAt, message }: Deploy): string {
  const said = message === undefined ? "" : `, ${JSON.stringify(message)}`;
  return `${id}, of ${isoTime(createdAt)}${said}`;
}

/** `1 file`, `4,000 files` */
export function readableFiles(count: number): string {
  return `${count.toLocaleString("en")} ${count === 1 ? "file" : "files"}`;
}

const UNITS = ["KB", "MB", "GB"];

/** `312 KB`, `1.4 MB`: three digits at most. */
export function readableBytes(bytes: number): string {
  if (bytes < 1_000) return `${bytes} bytes`;
  let value = bytes;
  let unit = -1;
  // Before it would be rounded to 1,000.
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1_000;
    unit++;
  }
  return `${value.toFixed(value < 9.95 ? 1 : 0)} ${UNITS[unit] ?? ""}`;
}
