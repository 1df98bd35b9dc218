import { afterEach, describe, expect, test } from "bun:test";

import type { Holding } from "../../domains/index.ts";
import { blobResponse } from "../../lib/base/blob-response.ts";
import { manualClock } from "../../testing/clock.ts";
import { readHead } from "../../adapters/http1/head.ts";
import { until } from "../helpers/dns/until.ts";
import { ask, client, endServers, serve, turn } from "../helpers/http1.ts";
import { ampleHoldings } from "../helpers/holdings.ts";

afterEach(endServers);

describe("heads that servers read differently", () => {
  test.each([
    "Transfer-Encoding: \u00a0chunked",
    "Transfer-Encoding: chunked\u00a0",
    "Content-Length: 5\u00a0",
    "Content-Length:\u00a05",
  ])("%j is 400: only spaces and tabs surround a value", (field) => {
    expect(readHead(`POST / HTTP/1.1\r\nHost: one.test\r\n${field}\r\n\r\n`)).toBe(400);
  });

  test("spaces and tabs around a value are no part of it", () => {
    const head = readHead("POST / HTTP/1.1\r\nHost:\t one.test \t\r\nContent-Length:5 \r\n\r\n");
    expect(head).toMatchObject({ url: "http://one.test/", length: 5 });
  });

  test("a value of spaces takes linear time", () => {
    const value = `x${" ".repeat(60_000)}x`;
    const head = readHead(`GET / HTTP/1.1\r\nHost: one.test\r\nX: ${value}\r\n\r\n`);
    expect(head).toMatchObject({ url: "http://one.test/" });
    if (typeof head !== "number") expect(head.headers.get("x")).toBe(value);
  });

  test.each([
    ["/", "Host: one.test\r\nHost: two.test\r\n"],
    ["http://one.test/", "Host: one.test\r\nHost: two.test\r\n"],
    ["/", "Host:\r\n"],
    ["/", "Host: one test\r\n"],
    ["http://one.test/", "Host: user@one.test\r\n"],
    ["http://one.test/", "Host: \u00a0one.test\r\n"],
    ["/", "Host: one.test:99999\r\n"],
    ["/", "Host: xn--a\r\n"],
    ["http://1.2.3.4.5/", "Host: one.test\r\n"],
    ["http://", "Host: one.test\r\n"],
  ])("the target %s with %j is 400", (target, fields) => {
    expect(readHead(`GET ${target} HTTP/1.1\r\n${fields}\r\n`)).toBe(400);
  });

  test.each(["\r", "\r\r\n", "\r\n\r", "\n\r\r\n", "\r\n".repeat(9)])(
    "%j before a request is 400",
    async (before) => {
      const { socket, received, closed } = await client(serve());
      socket.write(before + ask(""));
      await until(closed);
      expect(received()).toStartWith("HTTP/1.1 400 ");
    },
  );

  test.each(["\r\n", "\n", "\r\n".repeat(8)])("%j before a request is ignored", async (before) => {
    const { socket, received } = await client(serve());
    socket.setNoDelay(true);
    for (const byte of before) {
      socket.write(byte);
      await turn();
    }
    socket.write(ask(""));
    await until(() => received().includes("http://one.test/"));
    socket.destroy();
  });
});

const EXPECTS = "Expect: 100-continue\r\nContent-Length: 5\r\n";

describe("Expect: 100-continue", () => {
  test("nothing follows a response that has begun", async () => {
    let finish = (): void => undefined;
    let read: Promise<unknown> | undefined;
    const server = serve({
      fetch: (request) =>
        new Response(
          new ReadableStream({
            start: async (controller) => {
              controller.enqueue(Buffer.from("one"));
              await new Promise<void>((resolve) => (finish = resolve));
              read = request.text().catch(() => "broken");
              await turn();
              controller.enqueue(Buffer.from("two"));
              controller.close();
            },
          }),
        ),
    });
    const { socket, received, ended } = await client(server);
    socket.write(ask("", EXPECTS, "POST"));
    await until(() => received().includes("one"));
    finish();
    await until(ended);
    expect(received()).not.toContain("100 Continue");
    expect(received()).toEndWith("3\r\ntwo\r\n0\r\n\r\n");
    expect(await read).toBe("broken");
  });

  test.each(["POST", "GET"])(
    "an answer without the body ends the connection: %s",
    async (method) => {
      const clock = manualClock(0);
      const server = serve({ clock, fetch: () => blobResponse("no", { status: 401 }) });
      const { socket, received, ended } = await client(server);
      socket.write(ask("", EXPECTS, method));
      // The clock stands still.
      await until(ended);
      expect(received()).toContain("connection: close");
      expect(server.pending).toBe(0);
    },
  );

  test("a client that sends the body at once keeps its connection", async () => {
    const { socket, received } = await client(serve({ fetch: () => blobResponse("yes", {}) }));
    socket.write(`${ask("", EXPECTS, "POST")}hello${ask("")}`);
    await until(() => received().split("yes").length === 3);
    expect(received()).not.toContain("connection: close");
    socket.destroy();
  });
});

test("205 says that it has no content", async () => {
  const server = serve({ fetch: () => new Response(null, { status: 205 }) });
  const { socket, received } = await client(server);
  socket.write(ask(""));
  await until(() => received().includes("\r\n\r\n"));
  expect(received()).toContain("content-length: 0\r\n");
  socket.destroy();
});

test("requests that wait for a response are not late", async () => {
  const sizes: Record<string, number> = {};
  const open = (cut: () => void): Holding => {
    const holding = ampleHoldings.open(cut);
    const set = holding.set.bind(holding);
    holding.set = (kind, bytes) => {
      sizes[kind] = bytes;
      set(kind, bytes);
    };
    return holding;
  };
  const server = serve({ holdings: { open }, fetch: () => new Promise(() => {}) });
  const { socket } = await client(server);
  const next = ask("next");
  socket.write(ask("") + next);
  await until(() => (sizes["body"] ?? 0) > 0);
  expect(sizes).toMatchObject({ arriving: 0, body: next.length });
  socket.destroy();
});
