import { afterEach, describe, expect, test } from "bun:test";

import { writeFileSync, truncateSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { blobResponse } from "../../lib/base/blob-response.ts";
import { createHoldings } from "../../domains/index.ts";
import { manualClock } from "../../testing/clock.ts";
import { chunkedFraming } from "../../adapters/http1/framing.ts";
import { until } from "../helpers/dns/until.ts";
import { ask, bare, client, endServers, serve, turn } from "../helpers/http1.ts";

afterEach(endServers);

describe("chunks", () => {
  test("content keeps no more memory than twice its size, whatever surrounds it", () => {
    const framing = chunkedFraming();
    const line = `;${"x".repeat(900)}\r\n`;
    const { content } = framing.take(Buffer.from(`1${line}A\r\n1${line}B\r\n`.repeat(5)));
    expect(content.toString()).toBe("AB".repeat(5));
    expect(content.buffer.byteLength).toBeLessThanOrEqual(20);
  });

  test("a body of nearly nothing but extensions is broken; chunks of one byte are not", () => {
    const long = Buffer.from(`1;${"x".repeat(1_000)}\r\nA\r\n`.repeat(20));
    expect(chunkedFraming().take(long).state).toBe("broken");
    const short = Buffer.from(`${"1\r\nA\r\n".repeat(50_000)}0\r\n\r\n`);
    const { state, content } = chunkedFraming().take(short);
    expect(state).toBe("done");
    expect(content).toHaveLength(50_000);
  });
});

test("many pipelined requests are answered in order, at the same depth of the stack", async () => {
  const count = 15_000;
  const depths = new Set<number>();
  const errors: unknown[] = [];
  Error.stackTraceLimit = 200;
  let next = 0;
  const server = serve({
    fetch: ({ url }) => {
      if (next % 1_000 < 100) depths.add((new Error("here").stack ?? "").split("\n").length);
      return blobResponse(url.endsWith(`/${next++}`) ? "right" : "wrong", {});
    },
    onError: (error) => errors.push(error),
  });
  const { socket, received } = await client(server);
  socket.write(Array.from({ length: count }, (_, index) => ask(String(index))).join(""));
  await until(() => received().split("right").length > count || errors.length > 0);
  Error.stackTraceLimit = 10;
  expect(errors).toEqual([]);
  expect(depths.size).toBeLessThanOrEqual(2);
  expect(received()).not.toContain("wrong");
  expect(received()).not.toContain(" 500 ");
  socket.destroy();
});

test("a handler that throws is a 500 that says what happened", async () => {
  const errors: unknown[] = [];
  const server = serve({
    fetch: () => {
      throw new Error("thrown");
    },
    onError: (error) => errors.push(error),
  });
  const { socket, received } = await client(server);
  socket.write(ask(""));
  await until(() => received().includes("internal_error"));
  expect(received()).toStartWith("HTTP/1.1 500 ");
  expect(received()).toContain('"code":"internal_error"');
  expect(errors).toHaveLength(1);
  socket.destroy();
});

test.each([
  ["is malformed", "Transfer-Encoding: chunked\r\n", "no size\r\n", false],
  ["is cut off", "Content-Length: 5\r\n", "he", true],
])(
  "a handler that fails because a body %s is no error, and the answer is 400",
  async (_, fields, body, ends) => {
    const errors: unknown[] = [];
    const { socket, received, closed } = await client(serve({ onError: (e) => errors.push(e) }));
    socket.write(ask("", fields, "POST") + body);
    if (ends) socket.end();
    await until(closed);
    expect(received()).toStartWith("HTTP/1.1 400 ");
    expect(errors).toEqual([]);
  },
);

test("a head of which no request can be made is a 500, and the error is reported", () => {
  const error = new TypeError("no URL");
  const { connection, sent, errors } = bare({
    requestOf: () => {
      throw error;
    },
  });
  connection.receive(Buffer.from(ask("")));
  expect(sent()).toStartWith("HTTP/1.1 500 ");
  expect(errors).toEqual([error]);
});

test.each([
  ["requests that wait for a response", ask(""), ask("next")],
  ["a body that is not read", ask("", "Content-Length: 9000000\r\n", "POST"), "x".repeat(64)],
])("a client that sends on while it is not read is cut: %s", (_what, first, following) => {
  let paused = false;
  let cut = 0;
  const { connection } = bare({
    pause: () => (paused = true),
    destroy: () => void cut++,
  });
  connection.receive(Buffer.from(first));
  const part = Buffer.from(following.repeat(2_000));
  connection.receive(Buffer.from(part));
  connection.receive(Buffer.from(part));
  expect([paused, cut]).toEqual([true, 0]);
  for (let sent = 0; sent < 3_000_000; sent += part.length) connection.receive(Buffer.from(part));
  expect(cut).toBe(1);
});

test("clients that reset their connections cause no error", async () => {
  const errors: unknown[] = [];
  const server = serve({ fetch: () => new Promise(() => {}), onError: (e) => errors.push(e) });
  const { socket } = await client(server);
  socket.write(ask(""));
  await until(() => server.pending === 1);
  socket.resetAndDestroy();
  const { socket: another } = await client(server);
  another.resetAndDestroy();
  await until(() => server.pending === 0);
  expect(errors).toEqual([]);
});

test("a response that flows is not idle, however long it takes", async () => {
  const clock = manualClock(0);
  let produce: (() => void) | undefined;
  const body = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      await new Promise<void>((resolve) => (produce = resolve));
      controller.enqueue(Buffer.from("line\n"));
    },
  });
  const { socket, received, closed } = await client(
    serve({ clock, fetch: () => new Response(body) }),
  );
  socket.write(ask(""));
  await until(() => clock.sleeping > 0);
  for (let line = 1; line <= 12; line++) {
    await until(() => produce !== undefined);
    const go = produce;
    produce = undefined;
    go?.();
    await until(() => received().split("line").length > line || closed());
    for (let second = 0; second < 5; second++) {
      clock.advance(1_000);
      await turn();
    }
  }
  expect(closed()).toBe(false);
  // A minute has passed. Without output, half of that is too long.
  for (let second = 0; second < 40; second++) {
    clock.advance(1_000);
    await turn();
  }
  await until(closed);
});

describe("a body of another length than announced", () => {
  const stream = (...parts: readonly string[]): ReadableStream<Uint8Array> =>
    new ReadableStream({
      start(controller) {
        for (const part of parts) controller.enqueue(Buffer.from(part));
        controller.close();
      },
    });
  const sized = (...parts: readonly string[]): Response =>
    new Response(stream(...parts), { headers: { "content-length": "10" } });

  test.each([
    ["shorter", () => sized("short")],
    ["shorter, in parts", () => sized("sho", "r", "t")],
    ["empty", () => sized()],
    ["longer", () => sized("longer than ten")],
    ["longer, in parts", () => sized("longer th", "an ten", " bytes")],
  ])("%s: the connection is cut, and the error reported", async (_, respond) => {
    const errors: unknown[] = [];
    const server = serve({
      fetch: ({ url }) => (url.endsWith("/next") ? blobResponse("NEXT", {}) : respond()),
      onError: (error) => errors.push(error),
    });
    const { socket, received, closed } = await client(server);
    socket.write(ask("") + ask("next"));
    await until(closed);
    const [head = "", body = ""] = received().split("\r\n\r\n");
    if (head !== "") expect(head).toContain("content-length: 10");
    expect(body.length).toBeLessThan(10);
    expect(errors).toHaveLength(1);
  });

  test.each([300_000, 30_000])("a file of %d bytes that has become shorter", async (size) => {
    const directory = mkdtempSync(join(tmpdir(), "pet-http1-"));
    try {
      const path = join(directory, "file");
      writeFileSync(path, Buffer.alloc(size, "A"));
      const file = Bun.file(path).slice(0, size);
      truncateSync(path, size / 3);
      const errors: unknown[] = [];
      const server = serve({
        fetch: ({ url }) => blobResponse(url.endsWith("/next") ? "NEXT" : file, {}),
        onError: (error) => errors.push(error),
      });
      const { socket, received, closed } = await client(server);
      socket.write(ask("") + ask("next"));
      await until(closed);
      expect(received()).not.toContain("NEXT");
      expect(received().length).toBeLessThan(size);
      expect(errors).toHaveLength(1);
    } finally {
      rmSync(directory, { recursive: true });
    }
  });
});

test("a handler that reads one part of a body does not let the rest into memory", async () => {
  let arrived: (() => void) | undefined;
  const began = new Promise<void>((resolve) => (arrived = resolve));
  const server = serve({
    fetch: async (request) => {
      await request.body?.getReader().read();
      arrived?.();
      return new Promise(() => {});
    },
  });
  const { socket } = await client(server);
  const size = 64 * 1_024 * 1_024;
  socket.write(ask("", `Content-Length: ${size}\r\n`, "POST"));
  let passed = 0;
  const part = Buffer.alloc(1_024 * 1_024);
  for (let sent = 0; sent < size; sent += part.length) {
    socket.write(part, () => (passed += part.length));
  }
  await began;
  // The system takes some megabytes. It takes no more once nothing has passed for many turns.
  for (let still = 0, before = passed; still < 50; still++, before = passed) {
    await new Promise((resolve) => void setTimeout(resolve, 1));
    if (passed !== before) still = 0;
  }
  expect(passed).toBeLessThan(size / 2);
  socket.destroy();
});

test.each(["", "\r\n", ask("next")])(
  "an event stream ends when its client leaves, although %j followed the request",
  async (after) => {
    let cancelled = false;
    let ping = (): void => undefined;
    const events = new ReadableStream<Uint8Array>({
      start: (controller) => {
        ping = () => controller.enqueue(Buffer.from(": ping\n\n"));
        ping();
      },
      cancel: () => {
        cancelled = true;
      },
    });
    const headers = { "content-type": "text/event-stream" };
    const server = serve({ fetch: () => new Response(events, { headers }) });
    const { socket, received } = await client(server);
    socket.write(ask("") + after);
    await until(() => received().includes("ping"));
    socket.resetAndDestroy();
    await until(() => {
      if (!cancelled) ping();
      return cancelled;
    });
    expect(server.pending).toBe(0);
  },
);

test("connections that are closed for what they hold leave nothing counted", async () => {
  const holdings = createHoldings({
    clock: manualClock(0),
    limits: { maxUnfinishedBytes: 64 * 1_024 },
  });
  const server = serve({ holdings });
  const half = `GET / HTTP/1.1\r\nHost: one.test\r\nX: ${"x".repeat(20_000)}`;
  for (let round = 0; round < 3; round++) {
    const clients = await Promise.all(Array.from({ length: 8 }, () => client(server)));
    // The second part makes a head grow: its own connection may be the one that is closed.
    for (const { socket } of clients) socket.write(half);
    for (const { socket } of clients) socket.write("x".repeat(20_000));
    await until(() => clients.filter(({ ended }) => ended()).length >= 6);
    for (const { socket } of clients) socket.destroy();
    await until(() => holdings.bytes === 0);
  }
  const { socket, received } = await client(server);
  socket.write("GET / HTTP/1.1\r\nHo");
  await turn();
  socket.write("st: one.test\r\n\r\n");
  await until(() => received().includes("200 OK"));
  socket.destroy();
  holdings.close();
});
