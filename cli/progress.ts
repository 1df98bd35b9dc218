import type { Clock } from "../lib/index.ts";
import type { Terminal } from "./terminal.ts";

/** One line on a terminal that is written over and over; nothing elsewhere. */
export interface Progress {
  /** `share` of the whole from 0 to 1, undefined when the whole is not known. */
  show(count: number, share: number | undefined): void;
  /** Says what goes on where there is nothing to count. */
  say(words: string): void;
  /** Takes the line away, so that others can be written. */
  clear(): void;
}

const EVERY_MS = 100;
const BAR = 24;

export function createProgress(
  { errIsTerminal, err, style }: Terminal,
  clock: Clock,
  unit: string,
): Progress {
  if (!errIsTerminal) return { show: () => {}, say: () => {}, clear: () => {} };
  const startedAt = clock.now();
  let shownAt = -Infinity;
  let shown = false;
  const write = (line: string): void => {
    shown = true;
    err(`\r\u001B[K${line}`);
  };
  return {
    show: (count, share) => {
      const now = clock.now();
      if (now - shownAt < EVERY_MS) return;
      shownAt = now;
      const rate = Math.round((count * 1_000) / Math.max(1, now - startedAt));
      const done = Math.round((share ?? 0) * BAR);
      const bar =
        share === undefined
          ? ""
          : `${style.green("█".repeat(done))}${style.dim("░".repeat(BAR - done))} ${Math.floor(share * 100)} %  `;
      write(`${bar}${count.toLocaleString("en")} ${unit}, ${rate.toLocaleString("en")}/s`);
    },
    say: write,
    clear: () => {
      if (shown) err("\r\u001B[K");
      shown = false;
    },
  };
}
