import { createInterface } from "node:readline/promises";

import { Failure } from "./exit.ts";
import { codeOf, reasonOf } from "./system-error.ts";

/** Where a command reads and writes. Data goes to `out`, all other words to `err`. */
export interface Terminal {
  /** Resolves when the text was taken; rejects when nobody reads any more (`EPIPE`). */
  readonly out: (text: string) => Promise<void>;
  readonly err: (text: string) => void;
  /** The bytes of stdin. */
  input(): ReadableStream<Uint8Array>;
  /** Asks a person; only where `interactive`. Undefined when the answer was the end of input. */
  ask(question: string): Promise<string | undefined>;
  /** Questions can be asked. */
  readonly interactive: boolean;
  /** A person reads `out`. */
  readonly outIsTerminal: boolean;
  /** A person reads `err`. */
  readonly errIsTerminal: boolean;
  readonly style: Style;
}

/** Emphasis for `err`; plain where nobody sees it or nobody wants it (no-color.org). */
export interface Style {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  yellow(text: string): string;
  green(text: string): string;
}

/** The terminal, files or pipes that the process was started with. */
export function processTerminal(environment: NodeJS.ProcessEnv): Terminal {
  const { stdin, stdout, stderr } = process;
  const errIsTerminal = stderr.isTTY;
  const coloured = errIsTerminal && !environment["NO_COLOR"] && environment["TERM"] !== "dumb";
  // Both streams report a closed pipe by an event too, which would end the process.
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
    input: () => Bun.stdin.stream(),
    ask: async (question) => {
      const lines = createInterface({ input: stdin, output: stderr });
      try {
        return await new Promise<string | undefined>((resolve) => {
          lines.once("close", () => resolve(undefined));
          void lines.question(question).then(resolve);
        });
      } finally {
        lines.close();
      }
    },
    interactive: stdin.isTTY && errIsTerminal,
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
  return { bold: wrap(1), dim: wrap(2), red: wrap(31), yellow: wrap(33), green: wrap(32) };
}
