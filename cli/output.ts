import { sparse, type OnProgress, type Step } from "../backup/progress.ts";
import { readableBytes } from "../lib/base/readable.ts";
import type { Clock } from "../lib/index.ts";
import { Failure } from "../settings/failure.ts";
import { toggle, type Context, type Flag } from "./command.ts";
import type { Terminal } from "./terminal.ts";

/** Width of help and of texts for people, in characters. */
export const WIDTH = 80;

/** Writes one JSON document, for programs. */
export function writeJson(terminal: Terminal, value: unknown): Promise<void> {
  return terminal.out(`${JSON.stringify(value, null, 2)}\n`);
}

/** Writes rows in columns under their headings, for people. */
export function writeTable(
  terminal: Terminal,
  headings: readonly string[],
  rows: readonly (readonly string[])[],
): Promise<void> {
  const all = [headings, ...rows];
  const widths = headings.map((_, column) =>
    Math.max(...all.map((row) => Bun.stringWidth(row[column] ?? ""))),
  );
  const lines = all.map((row) =>
    row
      .map((cell, column) => cell + " ".repeat((widths[column] ?? 0) - Bun.stringWidth(cell)))
      .join("  ")
      .trimEnd(),
  );
  return terminal.out(`${lines.join("\n")}\n`);
}

/** Breaks a text into lines of at most `width` characters; a longer word has its own line. */
export function wrap(text: string, width: number = WIDTH): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/\s+/)) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

/** Wraps a text behind `first`, and indents the other lines as far. */
export function hanging(first: string, text: string): readonly string[] {
  const [line = "", ...rest] = wrap(text, WIDTH - first.length);
  return [first + line, ...rest.map((one) => " ".repeat(first.length) + one)];
}

export const yesFlag: Flag<boolean> = toggle(
  "yes",
  "Do not ask for confirmation. Required without a terminal.",
);

/** Returns if the person at the terminal agrees, or `yes` is set. */
export async function confirm(terminal: Terminal, question: string, yes: boolean): Promise<void> {
  if (yes) return;
  if (!terminal.interactive) throw new Failure("usage", "Not a terminal: pass --yes to confirm.");
  const answer = await terminal.ask(`${question} [y/N] `);
  if (!/^y(es)?$/i.test(answer?.trim() ?? "")) {
    throw new Failure("failed", "Cancelled. Nothing changed.");
  }
}

/** One line on a terminal that is rewritten in place; does nothing without a terminal. */
export interface Progress {
  /** `share` is from 0 to 1; undefined if the total is unknown. */
  show(count: number, share: number | undefined): void;
  /** Shows a text, if there is nothing to count. */
  say(words: string): void;
  /** Removes the line. */
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

const DOING: Readonly<Record<Step, string>> = {
  "copying rows": "Copying",
  "copying files": "Copying",
  "comparing rows": "Comparing",
  "checking rows": "Checking",
  "checking files": "Checking",
  "writing bytes": "Writing",
  "verifying bytes": "Reading back",
  "rehearsing bytes": "Trial restore",
};

/** Shows the progress of a backup, restore, export, import or move. */
export function showProgress({ terminal, clock }: Context): {
  readonly show: OnProgress;
  readonly clear: () => void;
} {
  const progress = createProgress(terminal, clock, "");
  return {
    show: sparse((step, done, total) => {
      const many = done.toLocaleString("en");
      const counted = step.endsWith(" bytes")
        ? readableBytes(done)
        : `${many} ${step.endsWith(" files") ? "site files" : "rows"}`;
      const whole = total === undefined ? "" : ` of ${readableBytes(total)}`;
      progress.say(done === 0 ? DOING[step] : `${DOING[step]} ${counted}${whole}`);
    }),
    clear: progress.clear,
  };
}
