import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { RedisClientOptions } from "../../adapters/redis/limits.ts";
import { commandPath } from "../../scripts/debian.ts";
import { freePort } from "./free-ports.ts";

/** A Redis server of one test file. */
export interface TestRedis extends AsyncDisposable {
  readonly port: number;
  readonly directory: string;
  readonly url: string;
  /** Runs a command on a connection of its own. */
  readonly run: (command: string, ...args: string[]) => Promise<unknown>;
  /** Sends a signal: `SIGSTOP` freezes the server. */
  readonly signal: (signal: NodeJS.Signals) => void;
  /** Kills it and waits for its end. */
  readonly stop: () => Promise<void>;
  /** Starts it again on the same port, with what it saved. */
  readonly start: () => Promise<void>;
}

export const connect = (options: RedisClientOptions): Bun.RedisClient =>
  new Bun.RedisClient(options.url, options);

/** Starts a server that saves nothing unless it is asked to. `args` are options such as `--requirepass secret`. */
export async function startRedis(args: readonly string[] = []): Promise<TestRedis> {
  const directory = await mkdtemp(join(tmpdir(), "redis-"));
  const port = await freePort();
  const url = `redis://127.0.0.1:${port}`;
  const path = commandPath("redis-server") ?? "redis-server";
  const setpriv = Bun.which("setpriv");
  // It ends with a killed test, where the system supports it.
  const prefix = setpriv === null ? [] : [setpriv, "--pdeathsig", "KILL", "--"];
  let child: Bun.Subprocess | undefined;

  const start = async (): Promise<void> => {
    const options = ["--port", String(port), "--bind", "127.0.0.1", "--dir", directory];
    child = Bun.spawn([...prefix, path, ...options, "--save", "", ...args], {
      stdio: ["ignore", "ignore", "ignore"],
    });
    while (!(await accepts(port))) {
      if (child.exitCode !== null) throw new Error(`redis-server ended with ${child.exitCode}`);
      await Bun.sleep(10);
    }
  };
  const stop = async (): Promise<void> => {
    child?.kill("SIGKILL");
    await child?.exited;
  };

  await start();
  return {
    port,
    directory,
    url,
    run: async (command, ...rest) => {
      const client = new Bun.RedisClient(url, { autoReconnect: false });
      try {
        return await client.send(command, rest);
      } finally {
        client.close();
      }
    },
    signal: (signal) => child?.kill(signal),
    stop,
    start,
    [Symbol.asyncDispose]: async () => {
      await stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function accepts(port: number): Promise<boolean> {
  try {
    const socket = await Bun.connect({ hostname: "127.0.0.1", port, socket: { data: () => {} } });
    socket.end();
    return true;
  } catch {
    return false;
  }
}
