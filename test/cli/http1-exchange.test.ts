import { afterEach, describe, expect, test } from "bun:test";

import { writeFileSync, truncateSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { blobResponse } from "../../lib/base/blob-response.ts";
import { manualClock } from "../../lib/testing/clock.ts";
import { chunkedFraming } from "../../server/http1/framing.ts";
import { until } from "../helpers/dns/until.ts";
import { client, endServers, serve } from "../helpers/http1.ts";

afterEach(endServers);

const ask = (path: string, fields = "", method = "GET"): string =>
  `${method} /${path} HTTP/1.1\r\nHost: one.test\r\n${fields}\r\n`;

const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

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
