import { afterAll, beforeAll, expect, test } from "bun:test";

import { startNodes } from "../helpers/nodes.ts";
import { startPostgres, type TestPostgres } from "../helpers/postgres.ts";
import { startRedis, type TestRedis } from "../helpers/redis.ts";

let postgres: TestPostgres;
let redis: TestRedis;

beforeAll(async () => {
  [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
});

afterAll(async () => {
  await redis[Symbol.asyncDispose]();
  await postgres[Symbol.asyncDispose]();
});

test("a node ends with 0 on SIGTERM although its database and Redis do not answer", async () => {
  const url = await postgres.createDatabase();
  const stop = async (fault: "pause" | "cut" | "vanish"): Promise<void> => {
    await using running = await startNodes(url, [{ name: fault, redisUrl: redis.url }]);
    const [node] = running.nodes;
    node?.database[fault]();
    node?.redis[fault]();
    const code = await node?.program.end("SIGTERM");
    const output = node?.program.output() ?? "";
    const facts = { stopped: output.includes('"stopped"'), kept: output.includes("kept the") };
    expect({ fault, code, ...facts }).toEqual({ fault, code: 0, stopped: true, kept: false });
  };
  await Promise.all([stop("pause"), stop("cut"), stop("vanish")]);
});
