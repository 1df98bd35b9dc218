import { isoTime } from "../lib/base/clock.ts";
import type { Deploy } from "../lib/publishing/index.ts";
import { readableBytes } from "../settings/values.ts";
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
