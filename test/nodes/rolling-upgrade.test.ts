import { expect, test } from "bun:test";

import { symlink } from "node:fs/promises";
import { join } from "node:path";

import { must } from "../../settings/failure.ts";
import { torture } from "../helpers/chance.ts";
import { startNodes, timeUntil, type TestNode } from "../helpers/nodes.ts";
import { startPostgres } from "../helpers/postgres.ts";
import { command } from "../helpers/process.ts";
import { folders } from "../helpers/folders.ts";

const { folder } = folders();

const ROOT = join(import.meta.dir, "../..");
const NODES = torture ? 3 : 2;
const CLIENTS = torture ? 24 : 6;
/** Between the turns of a client. */
const PAUSE_MS = torture ? 0 : 20;
const PATIENCE_MS = 300_000;

/** From source: its tables are one upgrade ahead. */
const next = [
  process.execPath,
  `--preload=${join(import.meta.dir, "next-version.ts")}`,
  join(ROOT, "server.ts"),
];

/**
 * The version before. In the short form it is the current program, beside the next one. In the long form it is the last
 * release in the history of the repository or, without one, the oldest commit that has nodes, from source.
 */
async function previous(): Promise<readonly string[]> {
  if (!torture) return command;
  const released = await git("describe", "--tags", "--abbrev=0");
  const first = await git(
    "log",
    "--diff-filter=A",
    "-1",
    "--format=%H",
    "--",
    "server/nodes/nodes.ts",
  );
  const directory = await folder();
  const commit = released === "" ? first : released;
  const unpacked = Bun.spawn(["sh", "-c", `git archive ${commit} | tar -xC ${directory}`], {
    cwd: ROOT,
  });
  expect(await unpacked.exited).toBe(0);
  await symlink(join(ROOT, "node_modules"), join(directory, "node_modules"));
  return [process.execPath, join(directory, "server.ts")];
}

async function git(...args: readonly string[]): Promise<string> {
  const child = Bun.spawn(["git", ...args], { cwd: ROOT, stdio: ["ignore", "pipe", "ignore"] });
  return (await new Response(child.stdout).text()).trim();
}

test("nodes are replaced by the next version one by one under load: no connection breaks, no write is lost or doubled", async () => {
  const before = await previous();
  await using server = await startPostgres();
  const url = await server.createDatabase();
  const names = Array.from({ length: NODES }, (_, index) => `pets-${index + 1}`);
  await using started = await startNodes(
    url,
    names.map((name) => ({ name, command: before })),
  );
  const [first] = started.nodes;
  if (first === undefined) throw new Error("unreachable");
  const { id: account } = must(
    await first.manage.call("POST /accounts", {
      body: { name: "Load", plan: "enterprise", limits: { perMinute: 1e9, perDay: 1e9 } },
    }),
  );
  const { key } = must(
    await first.manage.call("POST /accounts/:account/keys", {
      account,
      body: { environment: "production" },
    }),
  );

  const balancer = loadOf(key);
  for (const node of started.nodes) balancer.add(node);
  const clients = Array.from({ length: CLIENTS }, (_, index) => balancer.client(index));
  await balancer.served(CLIENTS * 5);

  for (const [index, old] of started.nodes.entries()) {
    const upload = await balancer.slowCreate(old);
    const ended = old.program.end("SIGTERM");
    // As a load balancer learns of it. Until then, the node serves whatever arrives.
    await timeUntil(async () => (await readiness(old)) !== 200, PATIENCE_MS);
    await balancer.remove(old);
    await upload.finish();
    expect(await ended).toBe(0);
    await balancer.served(CLIENTS);
    // Else the first one would need a backup.
    const args = ["--backup-max-age=off"];
    const node = await started.add({ name: names[index] ?? "", command: next, args });
    balancer.add(node);
    await timeUntil(async () => (await readiness(node)) === 200, PATIENCE_MS);
    // Both versions serve at the same time, until the last one is replaced.
    await balancer.served(CLIENTS * 5, node);
  }
  balancer.end();
  await Promise.all(clients);

  expect(balancer.failures).toEqual([]);
  const rows = await server.run(
    "SELECT id, name FROM pets ORDER BY id",
    new URL(url).pathname.slice(1),
  );
  expect(rows.map(({ name }) => String(name)).toSorted(byText)).toEqual(
    [...balancer.created.values()].toSorted(byText),
  );
  expect(rows.filter(({ id, name }) => balancer.created.get(Number(id)) !== name)).toEqual([]);
  expect(await server.run("SELECT 1 FROM of_next_version", new URL(url).pathname.slice(1))).toEqual(
    [],
  );
}, 1_200_000);

const byText = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

async function readiness({ program }: TestNode): Promise<number> {
  try {
    return (await fetch(`${program.origin}/readyz`, { keepalive: false })).status;
  } catch {
    return 0;
  }
}

/** Clients that create and read animals over all nodes that are added, each request over a connection of its own. */
function loadOf(key: string) {
  const nodes: TestNode[] = [];
  /** Requests under way by node. */
  const pending = new Map<TestNode, Set<Promise<unknown>>>();
  const counts = new Map<TestNode, number>();
  const created = new Map<number, string>();
  const failures: unknown[] = [];
  let ended = false;
  let turn = 0;

  const send = async (path: string, init: RequestInit): Promise<Response> => {
    for (;;) {
      const node = nodes[turn++ % nodes.length];
      if (node === undefined) throw new Error("no node is left");
      const asked = ask(node, path, init);
      pending.get(node)?.add(asked);
      try {
        const response = await asked;
        // On a machine so busy that a node cannot confirm its keys every second. Clients repeat such requests.
        if (response.status === 503 || response.status === 409) {
          await Bun.sleep(100);
          continue;
        }
        counts.set(node, (counts.get(node) ?? 0) + 1);
        return response;
      } catch (error) {
        // Nothing was sent: a load balancer tries the next node.
        if (!isRefused(error)) throw error;
      } finally {
        pending.get(node)?.delete(asked);
      }
    }
  };
  const ask = async (node: TestNode, path: string, init: RequestInit): Promise<Response> => {
    const headers = new Headers(init.headers);
    headers.set("authorization", `Bearer ${key}`);
    headers.set("content-type", "application/json");
    const address = `${node.program.origin}${path}`;
    const response = await fetch(address, { ...init, headers, keepalive: false });
    const text = await response.text();
    return new Response(text, { status: response.status });
  };
  const keep = async (name: string, response: Response): Promise<number> => {
    const body = (await response.json()) as { readonly id: number; readonly name: string };
    if (response.status !== 201) throw new Error(`${response.status} ${JSON.stringify(body)}`);
    if (created.has(body.id)) throw new Error(`${body.id} was assigned twice`);
    created.set(body.id, name);
    return body.id;
  };

  return {
    failures,
    created,
    add: (node: TestNode): void => {
      pending.set(node, new Set());
      nodes.push(node);
    },
    /** Sends nothing more to a node, and waits for its requests under way. */
    remove: async (node: TestNode): Promise<void> => {
      nodes.splice(nodes.indexOf(node), 1);
      await Promise.allSettled(pending.get(node) ?? []);
    },
    /** Waits until so many more requests were served, by one node or all together. */
    served: async (count: number, node?: TestNode): Promise<void> => {
      const now = (): number =>
        node === undefined
          ? [...counts.values()].reduce((sum, one) => sum + one, 0)
          : (counts.get(node) ?? 0);
      const goal = now() + count;
      await timeUntil(() => now() >= goal || failures.length > 0, PATIENCE_MS);
    },
    /** Begins to send an animal to a node, and keeps it busy until `finish`. */
    slowCreate: async (node: TestNode): Promise<{ readonly finish: () => Promise<void> }> => {
      const name = `Slow ${created.size}`;
      const text = JSON.stringify({ name, categoryId: 1 });
      const { hostname, port } = new URL(node.program.origin);
      const answer = Promise.withResolvers<string>();
      let received = "";
      const socket = await Bun.connect({
        hostname,
        port: Number(port),
        socket: {
          data: (_, bytes) => void (received += bytes.toString()),
          close: () => answer.resolve(received),
          error: (_, error) => answer.reject(error),
        },
      });
      const head = [
        "POST /v1/pets HTTP/1.1",
        `Host: ${hostname}:${port}`,
        `Authorization: Bearer ${key}`,
        "Content-Type: application/json",
        `Content-Length: ${text.length}`,
        "Expect: 100-continue",
        "Connection: close",
      ];
      socket.write(`${head.join("\r\n")}\r\n\r\n`);
      // The node has read the head.
      await timeUntil(() => received.includes("100 Continue"), PATIENCE_MS);
      return {
        finish: async () => {
          socket.write(text);
          const whole = (await answer.promise).replace(/^HTTP\/1\.1 100 [^]*?\r\n\r\n/, "");
          const [, status = "0"] = /^HTTP\/1\.1 (\d+)/.exec(whole) ?? [];
          const body = whole.slice(whole.indexOf("\r\n\r\n") + 4);
          // Too late for the time limit of a body, or for the database, on a machine that is too slow.
          if (status === "408" || status === "503") return;
          await keep(name, new Response(body, { status: Number(status) }));
        },
      };
    },
    client: async (index: number): Promise<void> => {
      for (let count = 0; !ended && failures.length === 0; count++) {
        try {
          const name = `Rex ${index}-${count}`;
          const body = JSON.stringify({ name, categoryId: 1 });
          const headers = { "idempotency-key": `rex-${index}-${count}` };
          const made = await send("/v1/pets", { method: "POST", headers, body });
          const id = await keep(name, made);
          const found = await send(`/v1/pets?id=${id}`, {});
          const [pet] = (await found.json()) as readonly { readonly name: string }[];
          if (pet?.name !== name) throw new Error(`${found.status}: ${name} was not found`);
          // The nodes need the processors.
          await Bun.sleep(PAUSE_MS);
        } catch (error) {
          failures.push(error);
        }
      }
    },
    end: (): void => {
      ended = true;
    },
  };
}

function isRefused(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ConnectionRefused";
}
