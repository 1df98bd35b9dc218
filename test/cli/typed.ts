import { main } from "../../cli/main.ts";
import type { Terminal } from "../../cli/terminal.ts";
import type { Clock } from "../../lib/index.ts";
import type { Office } from "../helpers/management.ts";

/** The result of a command. */
export interface Typed {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs commands in this process against a management API over HTTP on loopback. */
export interface CommandLine extends Disposable {
  readonly type: (...args: readonly string[]) => Promise<Typed>;
  /** Runs a command on a terminal, and answers its questions one after the other; then the input ends. */
  readonly answering: (
    answers: readonly string[],
    ...args: readonly string[]
  ) => Promise<Typed & { readonly asked: readonly string[] }>;
  readonly json: <Document>(...args: readonly string[]) => Promise<Document>;
}

/** Runs commands as an operator. A waiting command advances the clock of the office. */
export async function commandLine(office: Office): Promise<CommandLine> {
  const { token } = await office.issue("operator");
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: (request) => office.management.fetch(request),
  });
  const clock: Clock = {
    now: () => office.clock.now(),
    sleep: async (ms) => {
      office.clock.advance(ms);
    },
  };
  const answering: CommandLine["answering"] = async (answers, ...args) =>
    run(args, { answers: [...answers], interactive: true });
  const type: CommandLine["type"] = async (...args) =>
    run(args, { answers: [], interactive: false });
  const run = async (
    args: readonly string[],
    { answers, interactive }: { readonly answers: string[]; readonly interactive: boolean },
  ) => {
    const asked: string[] = [];
    const written = { out: "", err: "" };
    const plain = (text: string): string => text;
    const terminal: Terminal = {
      out: async (text) => {
        written.out += text;
      },
      err: (text) => {
        written.err += text;
      },
      fault: (text) => {
        written.err += text;
      },
      input: () => new ReadableStream({ start: (controller) => controller.close() }),
      ask: async (question) => {
        asked.push(question);
        return answers.shift();
      },
      interactive,
      outIsTerminal: false,
      errIsTerminal: false,
      style: { dim: plain, red: plain, yellow: plain, green: plain },
    };
    const exitCode = await main([...args, "--server", `http://127.0.0.1:${server.port}`], {
      terminal,
      environment: { PETSTORE_TOKEN: token },
      clock,
      version: "1.2.3",
      program: "petstore",
      programShown: "petstore",
    });
    return { exitCode, stdout: written.out, stderr: written.err, asked };
  };
  return {
    type,
    answering,
    json: async (...args) => {
      const { exitCode, stdout, stderr } = await type(...args, "--json");
      if (exitCode !== 0) throw new Error(`${args.join(" ")} ended with ${exitCode}: ${stderr}`);
      return JSON.parse(stdout);
    },
    [Symbol.dispose]: () => void server.stop(true),
  };
}
