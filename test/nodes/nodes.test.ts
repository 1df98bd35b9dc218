import { afterAll, beforeAll, expect, test } from "bun:test";

import { readFile } from "node:fs/promises";
import { join } from "node:path";

import postgres from "postgres";

import { postgresSql } from "../../adapters/postgres/sql.ts";
import { sqlLeases } from "../../domains/storage/sql-leases.ts";
import { HOUR_MS, systemClock, type Clock } from "../../lib/base/clock.ts";
import { must } from "../../settings/failure.ts";
import { torture } from "../helpers/chance.ts";
import { startNodes, timeUntil, type TestNode, type TestNodes } from "../helpers/nodes.ts";
import { shakeHands } from "../helpers/tls-client.ts";
import { startPostgres, type TestPostgres } from "../helpers/postgres.ts";

const OPTIONS = ["--listen-https=127.0.0.1:0", "--acme=internal", "--trusted-proxies=127.0.0.0/8"];

/** Far more than anything takes, because slowness is not a failure. */
const PATIENCE_MS = 60_000;

let server: TestPostgres;
let url: string;
let started: TestNodes;
let here: TestNode;
let there: TestNode;

beforeAll(async () => {
  server = await startPostgres();
  url = await server.createDatabase();
  // Both find an empty database.
  started = await startNodes(url, [
    { name: "here", args: OPTIONS },
    { name: "there", args: OPTIONS },
  ]);
  const [first, second] = started.nodes;
  if (first === undefined || second === undefined) throw new Error("unreachable");
  [here, there] = [first, second];
});

afterAll(async () => {
  await started?.[Symbol.asyncDispose]();
  await server?.[Symbol.asyncDispose]();
});

const database = (): string => new URL(url).pathname.slice(1);
const run = (text: string) => server.run(text, database());

async function newAccount(name: string) {
  const { id: account } = must(
    await here.manage.call("POST /accounts", { body: { name, plan: "pro" } }),
  );
  const { key, id } = must(
    await here.manage.call("POST /accounts/:account/keys", {
      account,
      body: { environment: "production" },
    }),
  );
  return { account, key, keyId: id };
}

/** The status of a page of a project, as a proxy that terminates TLS gets it. */
async function visit({ program: { origin } }: TestNode, slug: string): Promise<number> {
  const host = `${slug}.localhost:${new URL(origin).port}`;
  const headers = { host, "x-forwarded-proto": "https" };
  return (await fetch(`${origin}/`, { headers, redirect: "manual" })).status;
}

/** Responses of a node to an API key. */
const statusOf = async (node: TestNode, key: string): Promise<number> =>
  (await node.as(key).get("/v1/pets?limit=1")).status;

test("the nodes share one internal CA, and list each other", async () => {
  const roots = await Promise.all(
    [here, there].map(({ program }) => readFile(join(program.dataDir, "internal-ca.crt"), "utf8")),
  );
  expect(roots[0]).toBe(roots[1] ?? "");

  const list = async () => must(await there.manage.call("GET /system/nodes"));
  expect(await list()).toEqual(
    ["here", "there"].map((name) =>
      expect.objectContaining({ name, state: "active", redis: "off" }),
    ),
  );
  // A busy machine delays a measurement; a later one is right.
  await timeUntil(
    async () =>
      (await list()).every(
        ({ lagMs, clockAheadMs }) => lagMs < 5_000 && Math.abs(clockAheadMs) < 2_000,
      ),
    PATIENCE_MS,
  );
});

// faults.test.ts checks that a second is enough, on machines of any speed.
test("a change on one node is in force on the other, despite a long transaction", async () => {
  // Another program's transaction, which has written.
  const other = postgres(url, { max: 1, fetch_types: false, onnotice: () => undefined });
  await other.unsafe("BEGIN; SELECT pg_current_xact_id()");
  const accounts = await Promise.all(
    Array.from({ length: 12 }, (_, index) => newAccount(`Shelter ${index}`)),
  );
  for (const { key } of accounts) expect(await statusOf(there, key)).toBe(200);

  const until = (look: () => Promise<boolean>): Promise<number> => timeUntil(look, PATIENCE_MS);
  for (const [index, { account, key, keyId }] of accounts.entries()) {
    if (index % 3 === 0) {
      must(await here.manage.call("DELETE /accounts/:account/keys/:key", { account, key: keyId }));
      await until(async () => (await statusOf(there, key)) === 401);
    } else if (index % 3 === 1) {
      must(await here.manage.call("POST /accounts/:account/suspend", { account }));
      await until(async () => (await statusOf(there, key)) === 403);
    } else {
      must(await here.manage.call("PATCH /accounts/:account", { account, body: { plan: "free" } }));
      await until(async () => {
        const { headers } = await there.as(key).get("/v1/pets?limit=1");
        return headers.get("x-ratelimit-limit") !== "300";
      });
    }
  }
  await other.end({ timeout: 0 });
});

test("a deploy on one node is served by the other within a second, and a deleted project is not", async () => {
  const { account } = await newAccount("Happy Tails");
  const project = must(
    await here.manage.call("POST /accounts/:account/projects", { account, body: { name: "Cats" } }),
  );
  const status = (): Promise<number> => visit(there, project.slug);
  const { id } = project;
  must(
    await here.manage.call("POST /projects/:project/deploys", {
      project: id,
      body: { source: "starter" },
    }),
  );
  const live = await timeUntil(async () => (await status()) !== 404, PATIENCE_MS);
  must(await here.manage.call("DELETE /projects/:project", { project: id }));
  const gone = await timeUntil(async () => (await status()) === 404, PATIENCE_MS);
  if (torture) expect([live, gone].filter((ms) => ms >= 1_000)).toEqual([]);
});

test("a node that cannot reach the database accepts no key after a second, and recovers", async () => {
  const { key } = await newAccount("Cut off");
  expect(await statusOf(there, key)).toBe(200);

  there.database.pause();
  // Until the silence is noticed, requests wait for the database.
  const early = statusOf(there, key);
  await timeUntil(async () => (await statusOf(there, key)) === 503, PATIENCE_MS);
  await timeUntil(
    async () => (await fetch(`${there.program.origin}/readyz`)).status === 503,
    PATIENCE_MS,
  );
  there.database.resume();
  await timeUntil(async () => (await statusOf(there, key)) === 200, PATIENCE_MS);
  expect([200, 503]).toContain(await early);
});

test("leases follow the clock of the database, however wrong those of the nodes are", async () => {
  const open = () => postgresSql({ url, connect: postgres, connections: 2 });
  const [one, other] = await Promise.all([open(), open()]);
  const wrong = (aheadMs: number): Clock => ({
    ...systemClock,
    now: () => systemClock.now() + aheadMs,
  });
  const slow = sqlLeases({ sql: one, clock: wrong(-HOUR_MS) });
  const fast = sqlLeases({ sql: other, clock: wrong(HOUR_MS) });
  const races = await Promise.all(
    Array.from({ length: 200 }, async (_, index) => {
      const asked = [slow, fast].map((leases) => leases.acquire(`race ${index}`, 60_000));
      return (await Promise.all(asked)).filter((lease) => lease !== undefined);
    }),
  );
  expect(races.filter((given) => given.length !== 1)).toEqual([]);
  expect(new Set(races.flat().map(({ fence }) => fence)).size).toBe(races.length);

  expect(await slow.acquire("brief", 60_000)).toBeDefined();
  expect(await fast.acquire("brief", 60_000)).toBeUndefined();
  await run("UPDATE leases SET expires_at = expires_at - 60000 WHERE name = 'brief'");
  expect(await fast.acquire("brief", 60_000)).toBeDefined();
  await Promise.all([one.close(), other.close()]);
});

test("any node answers the challenges of a CA", async () => {
  const soon = Date.now() + 60_000;
  await run(`INSERT INTO domain_challenges (name, token, kind, key_authorization, expires_at)
    VALUES ('pets.test', 'token', 'http-01', 'token.thumbprint', ${soon}),
      ('dogs.test', 'other', 'tls-alpn-01', 'other.thumbprint', ${soon})`);
  for (const { program } of [here, there]) {
    const headers = { host: "pets.test" };
    const address = `${program.origin}/.well-known/acme-challenge/token`;
    const answer = await fetch(address, { headers, redirect: "manual" });
    expect([answer.status, await answer.text()]).toEqual([200, "token.thumbprint"]);
    const port = Number(/https:\/\/127\.0\.0\.1:(\d+)/.exec(program.output())?.[1]);
    const socket = await shakeHands(port, { serverName: "dogs.test", protocols: ["acme-tls/1"] });
    expect(socket.alpnProtocol).toBe("acme-tls/1");
    socket.destroy();
  }
});

test("a node that starts ends its own leases and those of nobody else", async () => {
  const lease = (name: string, holder: string): Promise<unknown> =>
    run(`INSERT INTO leases (name, fence, expires_at, holder)
      VALUES ('${name}', 1, ${Date.now() + 3_600_000}, '${holder}')`);
  const id = (await readFile(join(there.program.dataDir, "node.id"), "utf8")).trim();
  await lease("domain:one.test", "another node");
  await lease("domain:two.test", id);

  await there.program.end("SIGKILL");
  await using again = await started.add({ name: "there", dataDir: there.program.dataDir });
  expect(await run("SELECT name FROM leases WHERE name LIKE 'domain:%.test'")).toEqual([
    expect.objectContaining({ name: "domain:one.test" }),
  ]);
  const listed = must(await again.manage.call("GET /system/nodes"));
  expect(listed.map(({ name }) => name)).toEqual(["here", "there"]);

  await again.program.end("SIGKILL");
  await run("UPDATE nodes SET seen_at = seen_at - 60000 WHERE name = 'there'");
  const { stdout } = await here.run("nodes");
  expect(stdout).toMatch(/^here +active .*\nthere +lost /m);
});
