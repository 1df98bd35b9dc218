import { rm } from "node:fs/promises";

import type { PetstoreOperations } from "../../domains/operations.ts";
import { managementClient, type ManagementClient } from "../../lib/management/client.ts";
import { api, type Api } from "./api.ts";
import {
  runProgram,
  startProgram,
  temporaryDirectory,
  type Finished,
  type Program,
} from "./process.ts";
import { linkOf, startTcpProxy, type Link, type TcpProxy } from "./tcp-proxy.ts";

const KEY = Buffer.alloc(32, 7).toString("base64");

/** A process of the program, on a PostgreSQL database that it shares with others. */
export interface TestNode extends AsyncDisposable {
  readonly program: Program;
  /** Between the process and the database, all its servers. */
  readonly database: Link;
  /** Between the process and Redis, if it has one. */
  readonly redis: Link;
  /** Calls the public API with an API key. */
  readonly as: (key: string) => Api;
  /** Calls the management API with an operator's token. */
  readonly manage: ManagementClient<PetstoreOperations>;
  /** Runs a command on its data directory. */
  readonly run: (...args: readonly string[]) => Promise<Finished>;
}

/** Programs that share a database. */
export interface TestNodes extends AsyncDisposable {
  readonly nodes: readonly TestNode[];
  /** Starts another one. */
  readonly add: (options: NodeOptions) => Promise<TestNode>;
}

export interface NodeOptions {
  readonly name: string;
  readonly args?: readonly string[];
  /** The address to listen on. Default: a free port. */
  readonly listen?: string;
  /** `redis://127.0.0.1:…` */
  readonly redisUrl?: string;
  /** Default: a new one, removed with the node. */
  readonly dataDir?: string;
  /** Default: the current program. */
  readonly command?: readonly string[];
}

/**
 * Starts programs at the same time that share the database at `url`, which may name several servers. Each has its own data
 * directory and connections.
 */
export async function startNodes(url: string, names: readonly NodeOptions[]): Promise<TestNodes> {
  const started: AsyncDisposable[] = [];
  const token = Promise.withResolvers<string>();

  const add = async (options: NodeOptions): Promise<TestNode> => {
    const { name, args = [], listen, redisUrl, dataDir, command } = options;
    const directory = dataDir ?? (await temporaryDirectory());
    const database = await behindProxies(url);
    const redis = await behindProxies(redisUrl ?? "");
    const env = {
      PETSTORE_DATABASE_URL: database.url,
      PETSTORE_ENCRYPTION_KEY: KEY,
      PETSTORE_NODE_NAME: name,
      ...(redisUrl === undefined ? {} : { PETSTORE_REDIS_URL: redis.url }),
    };
    const given = {
      ...(listen === undefined ? {} : { listen }),
      ...(command === undefined ? {} : { command }),
    };
    const program = await startProgram({ dataDir: directory, args, env, ...given });
    const node: TestNode = {
      program,
      database: linkOf(database.proxies),
      redis: linkOf(redis.proxies),
      run: (...rest) => runProgram([...rest, "--data-dir", directory], { env }),
      as: (key) => api({ base: program.origin, key }),
      manage: managementClient<PetstoreOperations>({
        base: `${program.origin}/manage/v1`,
        send: async (request) => {
          request.headers.set("authorization", `Bearer ${await token.promise}`);
          return fetch(request);
        },
      }),
      [Symbol.asyncDispose]: async () => {
        await program[Symbol.asyncDispose]();
        for (const proxy of [...database.proxies, ...redis.proxies]) {
          await proxy[Symbol.asyncDispose]();
        }
        if (dataDir === undefined) await rm(directory, { recursive: true, force: true });
      },
    };
    started.push(node);
    return node;
  };

  const dispose = async (): Promise<void> => {
    await Promise.all(started.map((node) => node[Symbol.asyncDispose]()));
  };
  try {
    const nodes = await Promise.all(names.map(add));
    const made = await nodes[0]?.run("tokens", "create", "--name", "test", "--json");
    if (made?.exitCode !== 0) throw new Error(made?.stderr);
    token.resolve((JSON.parse(made.stdout) as { token: string }).token);
    return { nodes, add, [Symbol.asyncDispose]: dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

/** Returns the address with a proxy before each of its servers on this machine. */
async function behindProxies(
  url: string,
): Promise<{ readonly url: string; readonly proxies: readonly TcpProxy[] }> {
  const proxies: TcpProxy[] = [];
  let changed = url;
  for (const [, port] of url.matchAll(/127\.0\.0\.1:(\d+)/g)) {
    const proxy = await startTcpProxy(Number(port));
    proxies.push(proxy);
    changed = changed.replace(`:${port}`, `:${proxy.port}`);
  }
  return { url: changed, proxies };
}

/** Calls `look` until it returns true. Returns how long that took, in milliseconds; throws after `patienceMs`. */
export async function timeUntil(
  look: () => Promise<boolean> | boolean,
  patienceMs: number = 10_000,
): Promise<number> {
  const startedAt = performance.now();
  for (;;) {
    if (await look()) return performance.now() - startedAt;
    const waitedMs = performance.now() - startedAt;
    if (waitedMs > patienceMs) throw new Error("it did not happen in time");
    // Looking takes processor time from what it waits for.
    await Bun.sleep(Math.min(100, 5 + waitedMs / 20));
  }
}
