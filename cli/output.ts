import { sparse, type OnProgress, type Step } from "../backup/progress.ts";
import { readableBytes } from "../lib/base/readable.ts";
import type { Clock } from "../lib/index.ts";
import { Failure } from "../settings/failure.ts";
import { toggle, type Context, type Flag } from "./command.ts";
import { createEstimate, roughly } from "./estimate.ts";
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

/**
 * The progress of a long task: one line on a terminal, rewritten at most ten times a second and cut at its width, with the
 * time left once it can be told. Writes nothing elsewhere: pipes and logs stay clean.
 */
export interface Progress {
  /** Shows a count. `share` is from 0 to 1; undefined if the total is unknown. */
  show(count: number, share: number | undefined): void;
  /** Shows a text instead of a count. A `share` below the last one begins another task. */
  say(words: string, share?: number): void;
  /** Removes the line. */
  clear(): void;
}

const EVERY_MS = 100;
const BAR = 24;

export function createProgress(terminal: Terminal, clock: Clock, unit: string): Progress {
  const { errIsTerminal, err, style } = terminal;
  if (!errIsTerminal) return { show: () => {}, say: () => {}, clear: () => {} };
  const now = (): number => clock.steady?.() ?? clock.now();
  const startedAt = now();
  let task = { estimate: createEstimate(startedAt), share: 0 };
  let drawnAt = -Infinity;
  let shown = false;
  /** The newest line, while it waits for its turn. */
  let waiting: (() => string) | undefined;
  const draw = (line: () => string): void => {
    const waits = waiting !== undefined;
    const restMs = drawnAt + EVERY_MS - now();
    if (restMs > 0 || waits) {
      waiting = line;
      if (!waits) void clock.sleep(restMs).then(drawWaiting);
      return;
    }
    drawnAt = now();
    shown = true;
    err(`\r\u001B[K${line()}`);
  };
  const drawWaiting = (): void => {
    const line = waiting;
    waiting = undefined;
    if (line !== undefined) draw(line);
  };
  const leftAt = (share: number | undefined): number | undefined => {
    if (share === undefined) return undefined;
    if (share < task.share) task = { estimate: createEstimate(now()), share };
    task.share = share;
    return task.estimate.left(now(), share);
  };
  const lineOf = (words: readonly string[], share: number | undefined): string => {
    const left = leftAt(share);
    const texts = [
      ...words,
      ...(left === undefined || left === 0 ? [] : [`${roughly(left)} left`]),
    ];
    const width = (terminal.columns?.() ?? WIDTH) - 1;
    const percent = share === undefined ? "" : `${Math.floor(share * 100)} %  `;
    const text = percent + texts.join(", ");
    if (share === undefined || BAR + 1 + Bun.stringWidth(text) > width) return cutAt(text, width);
    const done = Math.round(share * BAR);
    return `${style.green("█".repeat(done))}${style.dim("░".repeat(BAR - done))} ${text}`;
  };
  return {
    show: (count, share) =>
      draw(() => {
        const rate = Math.round((count * 1_000) / Math.max(1, now() - startedAt));
        const counted = `${count.toLocaleString("en")} ${unit}`;
        return lineOf([counted, `${rate.toLocaleString("en")}/s`], share);
      }),
    say: (words, share) => draw(() => lineOf([words], share)),
    clear: () => {
      waiting = undefined;
      if (shown) err("\r\u001B[K");
      shown = false;
    },
  };
}

function cutAt(text: string, width: number): string {
  if (Bun.stringWidth(text) <= width) return text;
  let cut = "";
  for (const letter of text) {
    if (Bun.stringWidth(cut + letter) >= width) break;
    cut += letter;
  }
  return `${cut}…`;
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
      const inBytes = step.endsWith(" bytes");
      const unit = step.endsWith(" files") ? " site files" : " rows";
      const written = (count: number): string =>
        inBytes ? readableBytes(count) : count.toLocaleString("en");
      const whole = total === undefined ? "" : ` of ${written(total)}`;
      const counted = `${DOING[step]} ${written(done)}${whole}${inBytes ? "" : unit}`;
      const share = total === undefined ? undefined : Math.min(1, done / Math.max(1, total));
      progress.say(done === 0 ? DOING[step] : counted, share);
    }),
    clear: progress.clear,
  };
}
