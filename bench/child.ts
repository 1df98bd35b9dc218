import { availableParallelism } from "node:os";
import { join } from "node:path";
import { Glob } from "bun";

/** A server in a child process, which ends on disposal. */
export interface Child extends AsyncDisposable {
  /** `http://127.0.0.1:8123`. */
  readonly url: string;
  readonly pid: number;
  /** CPU time of all its threads so far, in microseconds; not that of its own children. */
  readonly cpuMicros: () => Promise<number>;
}

export interface ChildOptions {
  readonly name: string;
  /** Returns the command line for the port to listen on. */
  readonly command: (port: number) => readonly string[];
  /** The file for its output. */
  readonly scratch: string;
  /** A path that gets a response of any status once the server is ready. Default `/`. */
  readonly probe?: string;
  /** True if it serves HTTPS, with any certificate. Default false. */
  readonly secure?: boolean;
  /** Default: a free one. */
  readonly port?: number;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

const SERVER_CORE = 0;
const LOAD_CORE = 1;
const DEADLINE_MS = 60_000;
const STOP_MS = 10_000;

const pins = Bun.which("taskset") !== null && availableParallelism() > 1;

/** Describes how server and load are separated. */
export const placement: string = pins
  ? `server on core ${SERVER_CORE}, load on core ${LOAD_CORE}`
  : "cores shared: taskset or a second core is missing";

/** Pins a command to the core of the servers or of the load. */
export function pinned(side: "server" | "load", command: readonly string[]): string[] {
  const core = String(side === "server" ? SERVER_CORE : LOAD_CORE);
  return pins ? ["taskset", "-c", core, ...command] : [...command];
}

/** Starts a server and waits for a response. */
export async function startServer(options: ChildOptions): Promise<Child> {
  const { name, command, scratch, probe = "/", secure = false, cwd, env } = options;
  const { port = freePort() } = options;
  const url = `${secure ? "https" : "http"}://127.0.0.1:${port}`;
  const log = Bun.file(join(scratch, `${name.replaceAll(/\W+/g, "-")}.log`));
  const child = Bun.spawn(pinned("server", command(port)), {
    stdio: ["ignore", log, log],
    env: { ...process.env, ...env },
    ...(cwd === undefined ? {} : { cwd }),
  });
  const deadline = performance.now() + DEADLINE_MS;
  while (!(await answers(url + probe))) {
    if (child.exitCode === null && performance.now() < deadline) {
      await Bun.sleep(2);
      continue;
    }
    child.kill("SIGKILL");
    throw new Error(`${name} did not start:\n${await log.text()}`);
  }
  return {
    url,
    pid: child.pid,
    cpuMicros: () => cpuMicrosOf(child.pid),
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGTERM");
      const late = setTimeout(() => {
        child.kill("SIGKILL");
      }, STOP_MS);
      await child.exited;
      clearTimeout(late);
    },
  };
}

/** Reads the time that the threads of a process have run (Linux, in nanoseconds in the first column of `schedstat`). */
async function cpuMicrosOf(pid: number): Promise<number> {
  const files = [...new Glob("*/schedstat").scanSync(`/proc/${pid}/task`)];
  const times = await Promise.all(
    files.map(async (file) =>
      Number((await Bun.file(`/proc/${pid}/task/${file}`).text()).split(" ")[0]),
    ),
  );
  return times.reduce((sum, time) => sum + time, 0) / 1_000;
}

/** Runs a command and returns its output. Throws if it fails. */
export async function run(
  command: readonly string[],
  options: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<string> {
  const { cwd, env } = options;
  const child = Bun.spawn([...command], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...env },
    ...(cwd === undefined ? {} : { cwd }),
  });
  const [output, complaint] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  if ((await child.exited) === 0) return output;
  throw new Error(`${command.join(" ")} failed:\n${complaint}${output}`);
}

async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { tls: { rejectUnauthorized: false } });
    await response.arrayBuffer();
    return true;
  } catch {
    // Not listening yet.
    return false;
  }
}

/** Returns a port that is free at the moment. */
export function freePort(): number {
  const listener = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => {} } });
  const { port } = listener;
  listener.stop(true);
  return port;
}
