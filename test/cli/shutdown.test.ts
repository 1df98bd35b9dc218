import { expect, test } from "bun:test";

import { connect, type Socket } from "node:net";

import { codeOf } from "../../settings/failure.ts";
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

test("a request in progress is completed, and the server exits with 0", async () => {
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

test("clients that keep connecting lose no request, until their connections are refused", async () => {
  const here = await installation();
  const server = await here.serve();
  const key = await withKey(here);
  const body = '{"name":"Rex","categoryId":1}';
  const creating = [
    "POST /v1/pets HTTP/1.1",
    "Host: localhost",
    `Authorization: Bearer ${key}`,
    "Content-Type: application/json",
    `Content-Length: ${body.length}`,
    `\r\n${body}`,
  ].join("\r\n");
  const reading = "GET /v1/pets HTTP/1.1\r\nHost: localhost\r\n\r\n";
  const created: number[] = [];
  const lost: string[] = [];
  const client = async (request: string): Promise<void> => {
    for (;;) {
      // A connection for each request: connections waiting in the kernel's queue when a listener closes are reset.
      const answer = await overOneConnection(server, request);
      if (answer === "ECONNREFUSED") return;
      const [, id] = /^HTTP\/1\.1 201 .*\{"id":(\d+),/s.exec(answer) ?? [];
      if (id !== undefined) created.push(Number(id));
      else if (!/^HTTP\/1\.1 4(?:01|29) /.test(answer)) lost.push(answer);
    }
  };
  const requests = [...Array<string>(4).fill(creating), ...Array<string>(24).fill(reading)];
  const clients = Promise.all(requests.map(client));
  await until(async () => created.length > 100);
  const ended = server.end("SIGTERM");
  await clients;
  expect(lost).toEqual([]);
  expect(await ended).toBe(0);
  const { id } = (await here.json<{ id: string }[]>("accounts", "list"))[0] ?? { id: "" };
  const kept = (await here.run("pets", "export", "--account", id)).stdout
    .trim()
    .split("\r\n")
    .slice(1);
  const ascending = created.toSorted((one, other) => one - other);
  expect(kept.map((row) => Number(row.split(",")[0]))).toEqual(ascending);
});

/** Sends a request on its own connection; resolves with the response or the error code. */
function overOneConnection(server: Program, request: string): Promise<string> {
  const { hostname, port } = new URL(server.origin);
  return new Promise((resolve) => {
    let answer = "";
    const socket = connect(Number(port), hostname, () => socket.write(request));
    socket.on("data", (chunk: Buffer) => {
      answer += chunk.toString("latin1");
      const end = answer.indexOf("\r\n\r\n");
      const length = Number(/content-length: (\d+)/i.exec(answer)?.[1] ?? 0);
      if (end !== -1 && answer.length >= end + 4 + length) socket.destroy();
    });
    socket.on("error", (error) => resolve(codeOf(error) ?? error.message));
    socket.on("close", () => resolve(answer));
  });
}

test("requests counted before a shutdown still count after the restart", async () => {
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

test("a second signal, half a second after the first, ends the server immediately", async () => {
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
