import { mkdtemp, readdir, readFile, readlink, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { freePort } from "../helpers/free-ports.ts";
import { expectHandled } from "../helpers/process.ts";
import type { Host } from "./host.ts";
import { environment } from "./install.ts";

/** A host that listens. */
export interface Running extends AsyncDisposable {
  readonly origin: string;
  readonly port: number;
  /** Resolves when all its processes have ended, with its exit code; 128 plus the signal's number if a signal ended it. */
  ended(): Promise<number>;
  /** What it has printed. */
  output(): string;
  /** Sends a signal to all its processes, as systemd does. */
  signal(name: NodeJS.Signals): Promise<void>;
  /** What it and its children hold. */
  usage(): Promise<Usage>;
}

export interface Usage {
  /** Open files and sockets. */
  readonly handles: number;
  /** Resident memory in bytes. */
  readonly resident: number;
}

/** Starts an installed host on a free port and resolves when it answers. */
export async function startHost(host: Host, folder: string): Promise<Running> {
  const data = await mkdtemp(join(tmpdir(), "petstore-host-"));
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  // A session of its own, so that its children end with it.
  const child = Bun.spawn(["setsid", "sh", "-c", `exec ${host.start}`], {
    cwd: folder,
    env: { ...environment(folder), PORT: String(port), HOST: "127.0.0.1", DATA: data },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const collect = async (stream: ReadableStream<Uint8Array>): Promise<void> => {
    const decoder = new TextDecoder();
    for await (const part of stream) {
      output = (output + decoder.decode(part, { stream: true })).slice(-20_000);
    }
  };
  const collected = Promise.all([collect(child.stdout), collect(child.stderr)]);
  const running: Running = {
    origin,
    port,
    ended: async () => {
      const code = await child.exited;
      while ((await sessionOf(child.pid)).length > 0) await Bun.sleep(20);
      return code;
    },
    output: () => output,
    signal: async (name) => {
      for (const pid of await sessionOf(child.pid)) kill(pid, name);
    },
    usage: () => usageOf(child.pid),
    [Symbol.asyncDispose]: async () => {
      for (const pid of await sessionOf(child.pid)) kill(pid, "SIGKILL");
      await child.exited;
      await collected;
      expectHandled(0, output, host.name);
      await rm(data, { recursive: true, force: true });
    },
  };
  while (!(await answers(origin))) {
    if (child.exitCode === null && child.signalCode === null) {
      await Bun.sleep(20);
      continue;
    }
    await running[Symbol.asyncDispose]();
    throw new Error(`${host.name} ended before it listened:\n${output}`);
  }
  return running;
}

function answers(origin: string): Promise<boolean> {
  return fetch(`${origin}/hello`).then(
    (answer) => answer.arrayBuffer().then(() => true),
    () => false,
  );
}

function kill(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended already.
  }
}

/** Returns the processes of a session. */
async function sessionOf(leader: number): Promise<readonly number[]> {
  const names = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    names.map(async (name) => {
      const stat = await readFile(`/proc/${name}/stat`, "utf8").catch(() => "");
      // The name of the program, which comes before, may contain spaces.
      const [, , , session] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      return Number(session) === leader ? [Number(name)] : [];
    }),
  );
  return found.flat();
}

async function usageOf(leader: number): Promise<Usage> {
  let handles = 0;
  let resident = 0;
  for (const pid of await sessionOf(leader)) {
    for (const fd of await readdir(`/proc/${pid}/fd`).catch(() => [])) {
      const target = await readlink(`/proc/${pid}/fd/${fd}`).catch(() => "");
      if (target !== "") handles++;
    }
    const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
    resident += Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1_024;
  }
  return { handles, resident };
}
