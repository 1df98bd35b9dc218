import { expect, test } from "bun:test";

import { rm } from "node:fs/promises";

import { torture } from "../helpers/chance.ts";
import { keepIn, onPostgres } from "../helpers/databases.ts";
import { startPostgres, synchronousStandby } from "../helpers/postgres.ts";
import { temporaryDirectory, type Program } from "../helpers/process.ts";
import { endure, killed, type Strike } from "../scenario/crash/endure.ts";

onPostgres();

const KILLS = torture ? 50 : 1;
const CRASHES = torture ? 50 : 2;
const FAILOVERS = torture ? 20 : 1;
const LIMIT_MS = torture ? 1_800_000 : 600_000;

async function inDirectory(url: string, rounds: number, strike: Strike): Promise<void> {
  const dataDir = await temporaryDirectory();
  keepIn(url, dataDir);
  try {
    await endure(dataDir, rounds, strike);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

const isReady = async ({ origin }: Program): Promise<boolean> =>
  (await fetch(`${origin}/readyz`)).ok;

async function ready(program: Program): Promise<Program> {
  while (!(await isReady(program))) await Bun.sleep(20);
  return program;
}

const CONNECTED =
  "SELECT pid FROM pg_stat_activity WHERE application_name LIKE 'petstore %' LIMIT 1";

const count = (text: string, part: string): number => text.split(part).length - 1;

test(
  `kill -9 of the program, times ${KILLS}, loses and doubles nothing on PostgreSQL`,
  async () => {
    await using server = await startPostgres();
    await inDirectory(await server.createDatabase(), KILLS, killed);
  },
  LIMIT_MS,
);

test(
  `a crash of PostgreSQL, times ${CRASHES}, loses and doubles nothing, and the program reconnects`,
  async () => {
    await using server = await startPostgres();
    await inDirectory(await server.createDatabase(), CRASHES, async (program, round) => {
      // A killed process of the server makes it end all others and recover, like an immediate shutdown.
      if (round % 2 === 1) {
        const [row] = await server.run(CONNECTED);
        process.kill(Number(row?.["pid"]), "SIGKILL");
      } else {
        await server.stop("SIGQUIT");
        while (await isReady(program)) await Bun.sleep(20);
        await server.start();
      }
      await ready(program);
      const outages = Math.floor(round / 2) + 1;
      const logged = program.output();
      expect(count(logged, "the store does not accept writes")).toBeGreaterThanOrEqual(outages);
      expect(count(logged, "the store accepts writes again")).toBe(
        count(logged, "the store does not accept writes"),
      );
      return program;
    });
  },
  LIMIT_MS,
);

test(
  `a failover to a synchronous standby, times ${FAILOVERS}, loses and doubles nothing`,
  async () => {
    // Each takes the port that the primary before it had.
    let primary = await startPostgres();
    let standby = await synchronousStandby(primary);
    try {
      const url = `postgres://postgres@127.0.0.1:${primary.port},127.0.0.1:${standby.port}/postgres`;
      await inDirectory(url, FAILOVERS, async (program) => {
        await primary.stop("SIGQUIT");
        await standby.run("SELECT pg_promote(true, 30)");
        await ready(program);
        const { port } = primary;
        await primary[Symbol.asyncDispose]();
        primary = standby;
        standby = await synchronousStandby(primary, port);
        return program;
      });
    } finally {
      await standby[Symbol.asyncDispose]();
      await primary[Symbol.asyncDispose]();
    }
  },
  LIMIT_MS,
);
