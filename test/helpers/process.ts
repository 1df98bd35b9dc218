import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const SOURCE = join(import.meta.dir, "../../server.ts");

/** The program's command: the compiled one if the runner provides it, otherwise from source. */
export const command: readonly string[] =
  process.env["TEST_EXECUTABLE"] === undefined
    ? [process.execPath, SOURCE]
    : [join(import.meta.dir, "../..", process.env["TEST_EXECUTABLE"])];

/** Returns the environment of the programs of a data directory: with `onPostgres`, its database. */
export async function environmentOf(dataDir: string): Promise<Readonly<Record<string, string>>> {
  if (process.env["TEST_DATABASE"] !== "postgres") return {};
  const { settingsOf } = await import("./databases.ts");
  return settingsOf(dataDir);
}

/** Ends the servers with a killed test, where the system supports it. */
const dying = Bun.which("setpriv") === null ? [] : ["setpriv", "--pdeathsig", "KILL", "--"];

export interface Start {
  /** Default: a new one, removed with the program. */
  readonly dataDir?: string;
  /** Default: a free loopback port. */
  readonly listen?: string;
  /** Further options of `serve`. */
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** A program to run it with, and its arguments. */
  readonly under?: readonly string[];
  /** Default: the current program. */
  readonly command?: readonly string[];
}

/** A server in a child process. */
export interface Program extends AsyncDisposable {
  /** The origin of Production: `http://127.0.0.1:41234`. */
  readonly origin: string;
  readonly dataDir: string;
  readonly pid: number;
  /** Its output so far, both streams. */
  output(): string;
  /**
   * Sends a signal and resolves with the exit code (128 plus the signal's number if it was killed). Rejects the first time if
   * the program left an error unhandled, and so does its disposal.
   */
  end(signal?: NodeJS.Signals): Promise<number>;
  /** Ends it, and removes its data directory if that was created for it. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** A finished command. */
export interface Finished {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts `petstore serve` on a free port and resolves once it responds. */
export async function startProgram({
  dataDir,
  listen = "127.0.0.1:0",
  args = [],
  env = {},
  under = [],
  command: program = command,
}: Start = {}): Promise<Program> {
  const directory = dataDir ?? (await temporaryDirectory());
  const child = Bun.spawn(
    [...dying, ...under, ...program, "serve", "--listen", listen, "--data-dir", directory, ...args],
    {
      cwd: tmpdir(),
      env: environment({ ...(await environmentOf(directory)), ...env }),
      stdio: ["ignore", "pipe", "pipe"],
    },
  );

  let output = "";
  const listening = Promise.withResolvers<string>();
  const collect = async (stream: ReadableStream<Uint8Array>): Promise<void> => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) {
      output += decoder.decode(chunk, { stream: true });
      // Including the text after the port, because a chunk may end within the port.
      const origin = /listening on (http:\/\/[^\s"]+)["\s]/.exec(output)?.[1];
      if (origin !== undefined) listening.resolve(origin);
    }
  };
  const collected = Promise.all([collect(child.stdout), collect(child.stderr)]);

  let checked = false;
  const end = async (signal: NodeJS.Signals = "SIGTERM"): Promise<number> => {
    child.kill(signal);
    const code = await child.exited;
    await collected;
    if (!checked) {
      checked = true;
      expectHandled(code, output);
    }
    return code;
  };
  const dispose = async (): Promise<void> => {
    try {
      await end("SIGKILL");
    } finally {
      if (dataDir === undefined) await rm(directory, { recursive: true, force: true });
    }
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

/** Runs a command of the program with `input` on stdin, by default nothing. */
export async function runProgram(
  args: readonly string[],
  {
    env = {},
    input = "",
  }: { readonly env?: Readonly<Record<string, string>>; readonly input?: string } = {},
): Promise<Finished> {
  const at = args.indexOf("--data-dir");
  const settings = at === -1 ? {} : await environmentOf(args[at + 1] ?? "");
  const child = Bun.spawn([...command, ...args], {
    cwd: tmpdir(),
    env: environment({ ...settings, ...env }),
    stdio: [new TextEncoder().encode(input), "pipe", "pipe"],
  });
  const [stdout, stderr, exitCode] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  expectHandled(exitCode, stderr);
  return { exitCode, stdout, stderr };
}

/**
 * Ends a host that is not the program, such as an example. Rejects if it left an error unhandled; `errors` is its stderr, whose
 * end is awaited.
 */
export async function endHost(child: Bun.Subprocess, errors: Promise<string>): Promise<void> {
  child.kill();
  expectHandled(await child.exited, await errors, "The host");
}

/** What the program and the runtimes write about errors that nothing handled. */
const UNHANDLED = /nothing handled it|^Bun v\d+\.\d+\.\d+ \(|^Node\.js v\d/m;

/** Throws if an error or a rejection of a program was not handled. */
export function expectHandled(code: number, output: string, name = "petstore"): void {
  if (!UNHANDLED.test(output)) return;
  throw new Error(`${name} ended with ${code} and left an error unhandled:\n${output}`);
}

/** Creates a directory with a short path: a server's socket in it may have 107 bytes. */
export function temporaryDirectory(): Promise<string> {
  return mkdtemp(join(tmpdir(), "pet-"));
}

/** Commands such as `doctor` try the port of `listen`, and another program may have its default. */
export const ANY_PORT: Readonly<Record<string, string>> = { PETSTORE_LISTEN: "127.0.0.1:0" };

function environment(extra: Readonly<Record<string, string>>): Record<string, string> {
  const { PATH = "", HOME = "", TMPDIR = "/tmp" } = process.env;
  return { PATH, HOME, TMPDIR, ...ANY_PORT, ...extra };
}
