import { expect, test } from "bun:test";

import { connect, type Socket } from "node:net";

import { api } from "../helpers/api.ts";
import { installation, type Installation } from "./installation.ts";
import type { Program } from "../helpers/process.ts";

async function withKey(here: Installation): Promise<string> {
  const { id } = await here.json<{ id: string }>(
    "accounts",
    "create",
    "A",
    "--plan",
    "enterprise",
    "--per-minute",
    "1000000",
    "--per-day",
    "10000000",
  );
  return (await here.json<{ key: string }>("keys", "create", "--account", id)).key;
}

/** A request whose body is held back until `finish`. */
async function slowRequest(
  server: Program,
  key: string,
): Promise<{ finish: () => Promise<string>; socket: Socket }> {
  const { hostname, port } = new URL(server.origin);
  const socket = connect(Number(port), hostname);
  let answer = "";
  const closed = new Promise<string>((resolve) => {
    socket.on("data", (chunk) => (answer += chunk.toString()));
    socket.on("close", () => resolve(answer));
    socket.on("error", () => resolve(`broken off: ${answer}`));
  });
  const body = '{"name":"Slow","categoryId":1}';
  await new Promise<void>((resolve) => {
    socket.write(
      `POST /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`,
      () => resolve(),
    );
  });
  return {
    socket,
    finish: () => {
      socket.write(body.slice(5));
      return closed;
    },
  };
}

test("a request under way is finished, and the server ends well", async () => {
  const here = await installation();
  const server = await here.serve();
  const slow = await slowRequest(server, await withKey(here));
  await api({ base: server.origin }).get("/v1/pets");
  const ended = server.end("SIGTERM");
  await until(
    async () => (await fetch(`${server.origin}/readyz`).catch(() => undefined))?.status !== 200,
  );
  expect(await slow.finish()).toContain("201 Created");
  expect(await ended).toBe(0);
  expect(server.output()).toContain('"stopped"');
});

test("under load no request is dropped that was sent before clients were told to go", async () => {
  const here = await installation();
  const server = await here.serve();
  const key = await withKey(here);
  const created: number[] = [];
  const others: number[] = [];
  let told = false;
  const client = async (): Promise<void> => {
    const shop = api({ base: server.origin, key });
    while (!told) {
      const answer = await shop.post<{ id: number }>("/v1/pets", { name: "Rex", categoryId: 1 });
      if (answer.status === 201) created.push(answer.body.id);
      else others.push(answer.status);
      // What a load balancer goes by.
      if (answer.headers.get("connection") === "close") told = true;
    }
  };
  const clients = Promise.all(Array.from({ length: 16 }, client));
  await until(async () => created.length > 200);
  const ended = server.end("SIGTERM");
  await clients;
  expect(await ended).toBe(0);
  expect(others).toEqual([]);
  const { id } = (await here.json<{ id: string }[]>("accounts", "list"))[0] ?? { id: "" };
  const kept = (await here.run("pets", "export", "--account", id)).stdout
    .trim()
    .split("\r\n")
    .slice(1);
  expect(kept.map((row) => Number(row.split(",")[0]))).toEqual(created.toSorted((a, b) => a - b));
}, 120_000);

test("what was spent before the end is spent after it", async () => {
  const here = await installation();
  const first = await here.serve();
  const { id } = await here.json<{ id: string }>("accounts", "create", "A");
  const { key } = await here.json<{ key: string }>("keys", "create", "--account", id);
  for (let request = 0; request < 5; request++)
    await api({ base: first.origin, key }).get("/v1/pets");
  expect(await first.end("SIGINT")).toBe(0);
  await using second = await here.serve();
  const { headers } = await api({ base: second.origin, key }).get("/v1/pets");
  const day = /"day";r=(\d+)/.exec(headers.get("ratelimit") ?? "")?.[1];
  expect(day).toBe("994");
});

test("a second signal, a while after the first, ends at once", async () => {
  const here = await installation();
  const server = await here.serve();
  const slow = await slowRequest(server, await withKey(here));
  process.kill(server.pid, "SIGTERM");
  await until(
    async () => (await fetch(`${server.origin}/readyz`).catch(() => undefined))?.status !== 200,
  );
  const startedAt = performance.now();
  await until(async () => performance.now() - startedAt > 600);
  expect(await server.end("SIGTERM")).toBe(143);
  slow.socket.destroy();
});

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await Bun.sleep(10);
}
