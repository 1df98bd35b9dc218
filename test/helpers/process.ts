import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const SOURCE = join(import.meta.dir, "../../server.ts");

/** How to start the program: the compiled one when the runner names it, else from source. */
export const command: readonly string[] =
  process.env["TEST_EXECUTABLE"] === undefined
    ? [process.execPath, SOURCE]
    : [join(import.meta.dir, "../..", process.env["TEST_EXECUTABLE"])];

/** A test that is killed takes its servers along, where the system can do that. */
const dying = Bun.which("setpriv") === null ? [] : ["setpriv", "--pdeathsig", "KILL", "--"];

export interface Start {
  /** Default: a new one, which goes with the program. */
  readonly dataDir?: string;
  /** Default: a free port of the loopback. */
  readonly listen?: string;
  /** Further options of `serve`. */
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** A program that runs it, with its arguments. */
  readonly under?: readonly string[];
}

/** A server in a process of its own. */
export interface Program extends AsyncDisposable {
  /** Where Production answers, as `http://127.0.0.1:41234`. */
  readonly origin: string;
  readonly dataDir: string;
  readonly pid: number;
  /** All that it wrote so far, both streams. */
  output(): string;
  /** Sends a signal; resolves with the exit code once it is gone (128 + the signal's number if it died of it). */
  end(signal?: NodeJS.Signals): Promise<number>;
  /** Ends it, and removes the data directory if it was made for it. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** A command of the program that came to its end. */
export interface Finished {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts `petstore serve` on a free port and resolves when it answers there. */
export async function startProgram({
  dataDir,
  listen = "127.0.0.1:0",
  args = [],
  env = {},
  under = [],
}: Start = {}): Promise<Program> {
  const directory = dataDir ?? (await temporaryDirectory());
  const child = Bun.spawn(
    [...dying, ...under, ...command, "serve", "--listen", listen, "--data-dir", directory, ...args],
    { cwd: tmpdir(), env: environment(env), stdio: ["ignore", "pipe", "pipe"] },
  );

  let output = "";
  const listening = Promise.withResolvers<string>();
  const collect = async (stream: ReadableStream<Uint8Array>): Promise<void> => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) {
      output += decoder.decode(chunk, { stream: true });
      // With what follows the port: a chunk may end in the middle of it.
      const origin = /listening on (http:\/\/[^\s"]+)["\s]/.exec(output)?.[1];
      if (origin !== undefined) listening.resolve(origin);
    }
  };
  const collected = Promise.all([collect(child.stdout), collect(child.stderr)]);

  const end = async (signal: NodeJS.Signals = "SIGTERM"): Promise<number> => {
    child.kill(signal);
    const code = await child.exited;
    await collected;
    return code;
  };
  const dispose = async (): Promise<void> => {
    await end("SIGKILL");
    if (dataDir === undefined) await rm(directory, { recursive: true, force: true });
  };
  const ended = child.exited.then(async (code): Promise<never> => {
    await collected;
    throw new Error(`petstore ended with ${code} before it listened:\n${output}`);
  });
  const origin = await Promise.race([listening.promise, ended]).catch(async (error: unknown) => {
    await dispose();
    throw error;
  });
  return {
    origin,
    dataDir: directory,
    pid: child.pid,
    output: () => output,
    end,
    [Symbol.asyncDispose]: dispose,
  };
}

/** Runs a command of the program to its end, with nothing or `input` on its stdin. */
export async function runProgram(
  args: readonly string[],
  {
    env = {},
    input = "",
  }: { readonly env?: Readonly<Record<string, string>>; readonly input?: string } = {},
): Promise<Finished> {
  const child = Bun.spawn([...command, ...args], {
    cwd: tmpdir(),
    env: environment(env),
    stdio: [new TextEncoder().encode(input), "pipe", "pipe"],
  });
  const [stdout, stderr, exitCode] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { exitCode, stdout, stderr };
}

/** Returns a short path: a server's socket in it may have 107 bytes. */
export function temporaryDirectory(): Promise<string> {
  return mkdtemp(join(tmpdir(), "pet-"));
}

function environment(extra: Readonly<Record<string, string>>): Record<string, string> {
  const { PATH = "", HOME = "", TMPDIR = "/tmp" } = process.env;
  return { PATH, HOME, TMPDIR, ...extra };
}
