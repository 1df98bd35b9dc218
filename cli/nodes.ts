import { readableMinute } from "../lib/base/readable.ts";
import { CLOCKS_DIFFER_MS } from "../lib/base/database-clock.ts";
import { must } from "../settings/failure.ts";
import type { Command } from "./command.ts";
import { operation } from "./operation.ts";
import { writeTable } from "./output.ts";

export const nodes: Command = operation({
  path: "nodes",
  summary: "List the processes that serve this installation",
  details:
    "LAG is how old a node's copies of keys, routes and sites could be when it reported, DATABASE how long the database took to answer, CLOCK by how much the node's clock was ahead of the database's: above a minute, the node purges nothing and leaves shared work to the others. LIMITS is where limits are counted, REDIS whether the node could reach Redis, each with the time of the last change. A lost node has not reported for ten seconds.",
  examples: ["nodes", "nodes --json"],
  call: async (client) => must(await client.call("GET /system/nodes")),
  show: async (listed, { context: { terminal } }) => {
    if (listed.length === 0) {
      terminal.err("No node is running.\n");
      return;
    }
    await writeTable(
      terminal,
      [
        "NAME",
        "STATE",
        "VERSION",
        "STARTED",
        "ADDRESSES",
        "LAG",
        "DATABASE",
        "CLOCK",
        "LIMITS",
        "REDIS",
      ],
      listed.map((node) => [
        node.name,
        node.state,
        node.version,
        readableMinute(node.startedAt),
        node.addresses.join(","),
        `${node.lagMs} ms`,
        `${node.databaseMs} ms`,
        Math.abs(node.clockAheadMs) > CLOCKS_DIFFER_MS
          ? `${node.clockAheadMs} ms, wrong`
          : `${node.clockAheadMs} ms`,
        since(node.limitsIn, node.limitsMovedAt),
        since(node.redis, node.redisChangedAt),
      ]),
    );
  },
});

function since(state: string, at: number | undefined): string {
  return at === undefined ? state : `${state} since ${readableMinute(at)}`;
}
