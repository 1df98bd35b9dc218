import { shellWord } from "../lib/base/readable.ts";
import type { Style } from "../server/process/log.ts";
import { Failure, codeOf, reasonOf } from "../settings/failure.ts";
import { relative } from "node:path";
import { isatty } from "node:tty";

/** Input and output of a command. Data goes to `out`, messages go to `err`. */
export interface Terminal {
  /** Resolves when the text is written; rejects with `EPIPE` if the reader is closed. */
  readonly out: (text: string) => Promise<void>;
  readonly err: (text: string) => void;
  /** Writes an error to stderr, as `err` does, also with --quiet. */
  readonly fault: (text: string) => void;
  /** The width of the terminal, in characters. Default: 80. */
  readonly columns?: () => number;
  /** The bytes of stdin. */
  input(): ReadableStream<Uint8Array>;
  /** Asks a question; only if `interactive`. Undefined at the end of input. */
  ask(question: string): Promise<string | undefined>;
  /** Whether questions can be asked. */
  readonly interactive: boolean;
  /** Whether `out` is a terminal. */
  readonly outIsTerminal: boolean;
  /** Whether `err` is a terminal. */
  readonly errIsTerminal: boolean;
  readonly style: Style;
}

/** The terminal, files or pipes that the process was started with. */
export function processTerminal(environment: NodeJS.ProcessEnv): Terminal {
  const { stdout, stderr } = process;
  const errIsTerminal = stderr.isTTY;
  const coloured = errIsTerminal && !environment["NO_COLOR"] && environment["TERM"] !== "dumb";
  // Both streams also emit an event for a closed pipe, which would end the process.
  stdout.on("error", () => {});
  stderr.on("error", () => {});
  return {
    out: (text) =>
      new Promise((resolve, reject) => {
        stdout.write(text, (error) => {
          if (error === null || error === undefined) resolve();
          else reject(codeOf(error) === "EPIPE" ? error : cannotWrite(error));
        });
      }),
    err: (text) => {
      stderr.write(text);
    },
    fault: (text) => {
      stderr.write(text);
    },
    // A terminal without a size says 0.
    columns: () => stderr.columns || 80,
    input: () => Bun.stdin.stream(),
    ask: async (question) => {
      const { createInterface } = await import("node:readline/promises");
      const lines = createInterface({ input: process.stdin, output: stderr });
      try {
        return await new Promise<string | undefined>((resolve) => {
          lines.once("close", () => resolve(undefined));
          void lines.question(question).then(resolve);
        });
      } finally {
        lines.close();
      }
    },
    // Without the stream of stdin, which takes milliseconds to make.
    interactive: errIsTerminal && isatty(0),
    outIsTerminal: stdout.isTTY,
    errIsTerminal,
    style: styleOf(coloured),
  };
}

function cannotWrite(cause: Error): Failure {
  return new Failure("failed", `stdout cannot be written: ${reasonOf(cause)}.`, { cause });
}

function styleOf(coloured: boolean): Style {
  const wrap =
    (code: number) =>
    (text: string): string =>
      coloured ? `\u001B[${code}m${text}\u001B[0m` : text;
  return { dim: wrap(2), red: wrap(31), yellow: wrap(33), green: wrap(32) };
}

/** Returns the shorter path, relative or absolute, by which a shell in `from` runs the file `path`; never a bare name, which the shell would look up. */
export function typedPath(path: string, from: string): string {
  const way = relative(from, path);
  const near = way.includes("/") ? way : `./${way}`;
  return shellWord(near.length <= path.length ? near : path);
}
