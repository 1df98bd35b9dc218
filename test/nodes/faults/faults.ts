import { timeUntil } from "../../helpers/nodes.ts";
import type { Link } from "../../helpers/tcp-proxy.ts";
import { PATIENCE_MS, type Cluster } from "./cluster.ts";

/** A failure of a node, a server or a link. */
export interface Fault {
  readonly name: string;
  /** Which nodes it may keep from serving until it is healed. */
  readonly hits: "one node" | "all nodes" | "no node";
  /** True if Redis must count when it strikes. */
  readonly needsRedis?: boolean;
  /** Strikes, for `one node` that one. Resolves, once that is done, with what repairs it. */
  readonly strike: (cluster: Cluster, node: number) => Promise<() => Promise<void>>;
}

/** For how long a stopped node stays stopped: without what it trusts, which lasts a second. */
const LONGER_THAN_TRUST_MS = 1_500;

const done = (what: () => unknown) => async (): Promise<void> => {
  await what();
};

/** A fault of the link between a node and a server. */
const linkFault = (
  name: string,
  hits: Fault["hits"],
  which: "database" | "redis",
  strike: (link: Link) => void,
  needsRedis = which === "redis",
): Fault => ({
  name,
  hits,
  needsRedis,
  strike: async ({ nodes }, node) => {
    const link = nodes[node]?.[which];
    if (link === undefined) throw new Error("unreachable");
    strike(link);
    return done(() => link.resume());
  },
});

const stopped = (name: string, forMs: number): Fault => ({
  name,
  hits: "one node",
  strike: async ({ nodes }, node) => {
    const pid = nodes[node]?.program.pid ?? 0;
    process.kill(pid, "SIGSTOP");
    return async () => {
      await Bun.sleep(forMs);
      process.kill(pid, "SIGCONT");
    };
  },
});

const REDIS_LINKS: readonly Fault[] = [
  linkFault("a node's connection to Redis breaks", "no node", "redis", (link) => link.cut()),
  linkFault("a node is 200 ms away from Redis", "no node", "redis", (link) => link.delay(100)),
];

export const faults = (torture: boolean): readonly Fault[] => [
  {
    name: "Redis is emptied",
    hits: "no node",
    needsRedis: true,
    strike: async ({ redis }) => {
      await redis.run("FLUSHALL");
      return done(() => undefined);
    },
  },
  {
    name: "a node is killed",
    hits: "one node",
    strike: async ({ nodes, restart }, node) => {
      await nodes[node]?.program.end("SIGKILL");
      return () => restart(node);
    },
  },
  stopped("a node stops briefly", 0),
  stopped("a node stops", torture ? 30_000 : LONGER_THAN_TRUST_MS),
  {
    name: "Redis freezes",
    hits: "no node",
    needsRedis: true,
    strike: async ({ redis }) => {
      redis.signal("SIGSTOP");
      return done(() => redis.signal("SIGCONT"));
    },
  },
  linkFault("a node's connections to PostgreSQL break", "one node", "database", (link) =>
    link.cut(),
  ),
  linkFault("a node's packets to PostgreSQL are lost", "one node", "database", (link) =>
    link.pause(),
  ),
  linkFault("a node is 60 ms away from PostgreSQL", "no node", "database", (link) =>
    link.delay(30),
  ),
  {
    name: "PostgreSQL restarts",
    hits: "all nodes",
    strike: async ({ database }) => {
      await database.stop("SIGINT");
      return () => database.start();
    },
  },
  {
    name: "Redis is killed",
    hits: "no node",
    needsRedis: true,
    strike: async ({ redis }) => {
      await redis.stop();
      return () => redis.start();
    },
  },
  {
    name: "the primary dies, and the standby is promoted",
    hits: "all nodes",
    strike: async (cluster) => {
      await cluster.database.stop("SIGQUIT");
      return () => cluster.failOver();
    },
  },
  linkFault("a node's packets to Redis are lost", "no node", "redis", (link) => link.pause()),
  ...(torture ? REDIS_LINKS : []),
];

/**
 * Resolves when a write of each node is applied by the database, and the node does not know it: the reply to its COMMIT is
 * withheld until the link resumes.
 */
export async function commitInDoubt({ nodes }: Cluster, which: readonly number[]): Promise<void> {
  await Promise.all(which.map((node) => nodes[node]?.database.holdReplies("COMMIT AND")));
}

/** Lets the nodes hear the database again. */
export function hear({ nodes }: Cluster, which: readonly number[]): void {
  for (const node of which) nodes[node]?.database.resume();
}

/** Resolves when all counts are on the standby too, so that a failover does not forget them. */
export async function countsAreSaved({ database }: Cluster): Promise<void> {
  const is = (condition: string): Promise<number> =>
    timeUntil(async () => {
      const [row] = await database.run(`SELECT ${condition} AS so`);
      return row?.["so"] === true;
    }, PATIENCE_MS);
  await is("NOT EXISTS (SELECT 1 FROM limit_counters WHERE saved AND changed)");
  const [row] = await database.run("SELECT pg_current_wal_insert_lsn()::text AS written");
  await is(`(SELECT flush_lsn >= '${String(row?.["written"])}' FROM pg_stat_replication)`);
}
