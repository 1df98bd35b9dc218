import type { Problem } from "../../../lib/base/problem.ts";
import type { Result } from "../../../lib/base/result.ts";
import { must } from "../../../settings/failure.ts";
import { freePorts } from "../../helpers/free-ports.ts";
import { startNodes, timeUntil, type TestNode, type TestNodes } from "../../helpers/nodes.ts";
import { startPostgres, synchronousStandby, type TestPostgres } from "../../helpers/postgres.ts";
import { temporaryDirectory } from "../../helpers/process.ts";
import { startRedis, type TestRedis } from "../../helpers/redis.ts";
import { UNLIMITED } from "../../helpers/unlimited.ts";

/** Far more than anything takes, because slowness is not a failure. */
export const PATIENCE_MS = 240_000;

/** How long a client waits for a reply during a fault. Later replies are not seen, as if the connection had broken. */
export const CLIENT_WAITS_MS = 4_000;

/** Three programs over a primary, its synchronous standby and a Redis server, with a proxy before each server. */
export interface Cluster extends AsyncDisposable {
  /** By position; a restarted node keeps its own. */
  readonly nodes: readonly TestNode[];
  /** The addresses of the nodes, which survive restarts. */
  readonly origins: readonly string[];
  readonly redis: TestRedis;
  readonly database: TestPostgres;
  /** Starts a killed node again with its data directory. */
  readonly restart: (index: number) => Promise<void>;
  /** Promotes the standby of the primary, which is dead, and starts a new standby in its place. */
  readonly failOver: () => Promise<void>;
  /** Resolves once all nodes are ready. */
  readonly ready: () => Promise<void>;
  /** Resolves once Redis counts. */
  readonly countsInRedis: () => Promise<void>;
  /** Creates an account and its key. */
  readonly account: (
    name: string,
    limits?: { readonly perMinute: number; readonly perDay: number },
  ) => Promise<Tenant>;
}

export interface Tenant {
  readonly account: string;
  readonly key: string;
  readonly keyId: string;
}

export async function startCluster(args: readonly string[] = []): Promise<Cluster> {
  const stack = new AsyncDisposableStack();
  try {
    const [first, redis, ports] = await Promise.all([startPostgres(), startRedis(), freePorts(3)]);
    stack.use(redis);
    let database = first;
    let standby: TestPostgres | undefined;
    stack.defer(async () => {
      await standby?.[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    });
    standby = await synchronousStandby(database);
    const url = `postgres://postgres@127.0.0.1:${database.port},127.0.0.1:${standby.port}/postgres`;
    const options = await Promise.all(
      ports.map(async (port, index) => ({
        name: `node-${index + 1}`,
        listen: `127.0.0.1:${port}`,
        redisUrl: redis.url,
        dataDir: await temporaryDirectory(),
        args,
      })),
    );
    const started: TestNodes = stack.use(await startNodes(url, options));
    const nodes = [...started.nodes];
    const ready = async (): Promise<void> => {
      await timeUntil(
        async () => (await Promise.all(nodes.map(isReady))).every(Boolean),
        PATIENCE_MS,
      );
    };
    const standing = async (): Promise<unknown> => {
      const [row] = await database.run("SELECT side FROM limit_standing");
      return row?.["side"];
    };
    return {
      nodes,
      origins: nodes.map(({ program }) => program.origin),
      redis,
      get database() {
        return database;
      },
      restart: async (index) => {
        const of = options[index];
        if (of === undefined) throw new Error("unreachable");
        nodes[index] = await started.add(of);
      },
      failOver: async () => {
        const dead = database;
        if (standby === undefined) throw new Error("unreachable");
        await standby.run("SELECT pg_promote(true, 60)");
        database = standby;
        standby = undefined;
        await dead[Symbol.asyncDispose]();
        standby = await synchronousStandby(database, dead.port);
      },
      ready,
      countsInRedis: async () => {
        await timeUntil(async () => {
          // As if Redis had not failed for a while: the pause grows to minutes.
          await database.run("UPDATE limit_standing SET pause_ms = 0 WHERE side = 'postgres'");
          return (await standing()) === "redis";
        }, PATIENCE_MS);
      },
      account: async (name, limits = UNLIMITED) => {
        const [node] = nodes;
        if (node === undefined) throw new Error("unreachable");
        const { id: account } = await withinLimit(() =>
          node.manage.call("POST /accounts", { body: { name, plan: "enterprise", limits } }),
        );
        const { key, id: keyId } = await withinLimit(() =>
          node.manage.call("POST /accounts/:account/keys", {
            account,
            body: { environment: "production" },
          }),
        );
        return { account, key, keyId };
      },
      [Symbol.asyncDispose]: () => stack.disposeAsync(),
    };
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}

/** Calls the management API, again and again while its limit of requests is reached: the long form makes more. */
export async function withinLimit<Value>(
  call: () => Promise<Result<Value, Problem>>,
): Promise<Value> {
  for (;;) {
    const called = await call();
    if (called.ok || called.failure.code !== "rate_limited") return must(called);
    await Bun.sleep((called.failure.retryAfterSeconds ?? 1) * 1_000);
  }
}

async function isReady({ program }: TestNode): Promise<boolean> {
  try {
    return (await fetch(`${program.origin}/readyz`)).ok;
  } catch {
    return false;
  }
}
