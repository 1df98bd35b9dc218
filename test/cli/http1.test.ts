import { afterEach, describe, expect, test } from "bun:test";
import type { Socket } from "node:net";

import { manualClock } from "../../testing/clock.ts";
import { chunkedFraming, type Framing } from "../../adapters/http1/framing.ts";
import { readHead } from "../../adapters/http1/head.ts";
import { chance } from "../helpers/chance.ts";
import { until } from "../helpers/dns/until.ts";
import { client, endServers, serve } from "../helpers/http1.ts";
import { presentedFor } from "../helpers/presented.ts";
import { shakeHands } from "../helpers/tls-client.ts";
import { startFront, type StartedFront } from "../helpers/tls-front.ts";

const fronts: StartedFront[] = [];
afterEach(endServers);
afterEach(async () => {
  for (const front of fronts.splice(0)) await front[Symbol.asyncDispose]();
});

/** Starts a TLS front for one.test and returns its port. */
async function secured(fetch: () => Response): Promise<number> {
  const front = await startFront({ fetch });
  fronts.push(front);
  front.live.set("one.test", await presentedFor("one", "one.test"));
  return front.port;
}

/** Collects what a socket receives. */
function said(socket: Socket): () => string {
  let received = "";
  socket.on("data", (chunk) => (received += chunk.toString("latin1")));
  socket.on("error", () => undefined);
  return () => received;
}

const START = "GET / HTTP/1.1\r\nHost: one.test\r\n";

describe("bounds", () => {
  test.each([1, 3])("a head that is too large is 431, in %d parts", async (parts) => {
    const { socket, received, closed } = await client(serve());
    for (let part = 0; part < parts; part++) {
      socket.write(`${part === 0 ? START : ""}X-${part}: ${"x".repeat(70_000 / parts)}\r\n`);
      await new Promise((resolve) => void setImmediate(resolve));
    }
    await until(closed);
    expect(received()).toStartWith("HTTP/1.1 431 ");
  });

  test("more than 200 fields are 431", () => {
    expect(readHead(`${START}${"A: b\r\n".repeat(300)}\r\n`)).toBe(431);
  });

  test("a length together with chunks is 400", () => {
    const both = "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n";
    expect(readHead(`POST / HTTP/1.1\r\nHost: one.test\r\n${both}\r\n`)).toBe(400);
  });

  test("a head that is not complete after 30 seconds is 408, and one that never began is only closed", async () => {
    const clock = manualClock(0);
    const server = serve({ clock });
    const [half, silent] = [await client(server), await client(server)];
    half.socket.write(START);
    await until(() => clock.sleeping > 0);
    for (let second = 0; second < 40 && !half.closed(); second++) {
      clock.advance(1_000);
      await new Promise((resolve) => void setImmediate(resolve));
    }
    await until(() => half.closed() && silent.closed());
    expect(half.received()).toStartWith("HTTP/1.1 408 ");
    expect(silent.received()).toBe("");
  });

  test("a client that pipelines is answered in order, and is not read while it waits", async () => {
    let release = (): void => undefined;
    const waiting = new Promise<void>((resolve) => {
      release = resolve;
    });
    const seen: string[] = [];
    const server = serve({
      fetch: async ({ url }) => {
        seen.push(url);
        if (url.endsWith("/1")) await waiting;
        return new Response(url);
      },
    });
    const { socket, received } = await client(server);
    const ask = (path: string): string => `GET /${path} HTTP/1.1\r\nHost: one.test\r\n\r\n`;
    socket.write(ask("1") + ask("2") + ask("3"));
    await until(() => seen.length > 0);
    await new Promise((resolve) => void setImmediate(resolve));
    expect(seen).toEqual(["http://one.test/1"]);
    release();
    await until(() => received().includes("/3"));
    const answers = [...received().matchAll(/one\.test\/(\d)/g)].map(([, path]) => path);
    expect(answers).toEqual(["1", "2", "3"]);
    socket.destroy();
  });
});

test("a request that is repeated on its connection is read as the first time", async () => {
  const seen: string[] = [];
  const server = serve({
    fetch: async (request) => {
      seen.push(`${request.method} ${request.url} ${request.headers.get("x")}`);
      return new Response(`<${await request.text()}>`);
    },
  });
  const { socket, received } = await client(server);
  socket.setNoDelay(true);
  const head = (x: string): string =>
    `POST /a HTTP/1.1\r\nHost: one.test\r\nX: ${x}\r\nContent-Length: 3\r\n\r\n`;
  let answers = 0;
  /** Sends parts, one after another. */
  const send = async (...parts: readonly string[]): Promise<void> => {
    for (const part of parts) {
      socket.write(part);
      await new Promise((resolve) => void setImmediate(resolve));
    }
    answers++;
    await until(() => received().match(/<.*?>/g)?.length === answers);
  };
  await send(head("1"), "one");
  await send(head("1"), "two");
  await send(head("2"), "333");
  await send("\r\n", head("2"), "444");
  await send(`${head("2")}555`);
  await send(head("2").slice(0, 20), head("2").slice(20), "666");
  await send(head("1"), "777");
  expect(received().match(/<.*?>/g)?.join("")).toBe("<one><two><333><444><555><666><777>");
  const [first, second] = ["POST http://one.test/a 1", "POST http://one.test/a 2"];
  expect(seen).toEqual([first, first, second, second, second, second, first]);
  socket.write(`${head("1")}end${head("1").replace("POST", "GET").replace("3\r\n", "x\r\n")}`);
  await until(() => received().includes("<end>"));
  await until(() => received().includes("HTTP/1.1 400 "));
  socket.destroy();
});

const refused = (): Response => new Response("never heard of it\n", { status: 405 });

describe.each<readonly [string, () => Promise<Socket>]>([
  ["the plain listener", async () => (await client(serve({ fetch: refused }))).socket],
  ["TLS", async () => shakeHands(await secured(refused), { serverName: "one.test" })],
])("over %s", (_listener, open) => {
  test.each(["patch", "post", "get", "QUERY", "M-SEARCH", "FOO"])(
    "the method %s reaches the handler, and the connection stays",
    async (method) => {
      const socket = await open();
      const received = said(socket);
      const lines = [`${method} / HTTP/1.1`, "Host: one.test"];
      socket.write([...lines, "", ""].join("\r\n"));
      await until(() => received().includes("never heard of it"));
      socket.write([...lines, "Connection: close", "", ""].join("\r\n"));
      await until(() => socket.readableEnded || socket.destroyed);
      expect(received().match(/^HTTP\/1\.1 405 /gm)).toHaveLength(2);
    },
  );

  test.each(["Upgrade: websocket\r\nConnection: Upgrade", "Upgrade: h2c\r\nConnection: Upgrade"])(
    "%j is ignored",
    async (upgrade) => {
      const socket = await open();
      const received = said(socket);
      socket.write(`GET / HTTP/1.1\r\nHost: one.test\r\n${upgrade}\r\n\r\n`);
      await until(() => received().includes("never heard of it"));
      expect(received()).toStartWith("HTTP/1.1 405 ");
      socket.destroy();
    },
  );
});

test("a client of HTTP/1.0 gets a stream without chunks, which ends with the connection", async () => {
  const parts = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new TextEncoder().encode("one,"));
      controller.enqueue(new TextEncoder().encode("two"));
      controller.close();
    },
  });
  const { socket, received, closed } = await client(serve({ fetch: () => new Response(parts) }));
  socket.write("GET / HTTP/1.0\r\n\r\n");
  await until(closed);
  expect(received()).not.toContain("chunked");
  expect(received()).toEndWith("\r\n\r\none,two");
});

test("a handler that throws, or rejects, is a 500 and is reported", async () => {
  const errors: unknown[] = [];
  const server = serve({
    fetch: ({ url }) => {
      if (url.endsWith("/1")) throw new Error("thrown");
      return Promise.reject(new Error("rejected"));
    },
    onError: (error) => errors.push(error),
  });
  const { socket, received } = await client(server);
  const ask = (path: string): string => `GET /${path} HTTP/1.1\r\nHost: one.test\r\n\r\n`;
  socket.write(ask("1") + ask("2"));
  await until(() => received().match(/ 500 /g)?.length === 2);
  expect(errors).toHaveLength(2);
  socket.destroy();
});

test.each(["keep-alive", "close"])(
  "a server that stops waits a second for the rest of a body after its response (%s)",
  async (connection) => {
    const clock = manualClock(0);
    const server = serve({ clock, fetch: () => new Response(null, { status: 401 }) });
    const { socket, received } = await client(server);
    const lines = ["Host: one.test", `Connection: ${connection}`, "Content-Length: 1000"];
    socket.write(`POST / HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n{`);
    await until(() => received().includes(" 401 "));
    expect(server.pending).toBe(0);
    let stopped = false;
    const stopping = server.stop().then(() => (stopped = true));
    await new Promise((resolve) => void setImmediate(resolve));
    expect(stopped).toBe(false);
    await until(() => clock.sleeping > 0);
    clock.advance(1_000);
    await stopping;
    socket.destroy();
  },
);

test("a request that is answered while the server stops is awaited, and the rest of its body for a second", async () => {
  const clock = manualClock(0);
  const { promise: answer, resolve } = Promise.withResolvers<Response>();
  const server = serve({ clock, fetch: () => answer });
  const { socket, received } = await client(server);
  socket.write("POST / HTTP/1.1\r\nHost: one.test\r\nContent-Length: 1000\r\n\r\n{");
  await until(() => server.pending === 1);
  const stopping = server.stop();
  for (let second = 0; second < 5; second++) {
    await until(() => clock.sleeping > 0);
    clock.advance(1_000);
  }
  resolve(new Response(null, { status: 401 }));
  await until(() => received().includes(" 401 "));
  expect(server.pending).toBe(0);
  await until(() => clock.sleeping > 0);
  clock.advance(1_000);
  await stopping;
  socket.destroy();
});

/** Feeds bytes in parts, as long as they belong to the body. */
function fed(
  framing: Framing,
  bytes: Buffer,
  cuts: readonly number[],
): readonly [string, string, number] {
  let content = "";
  let used = 0;
  let at = 0;
  for (const end of [...cuts, bytes.length]) {
    if (end <= at) continue;
    const taken = framing.take(bytes.subarray(at, end));
    content += taken.content.toString("latin1");
    used += taken.used;
    // Where a malformed body was left does not matter.
    if (taken.state === "broken") return [content, "broken", 0];
    if (taken.state === "done") return [content, "done", used];
    at = end;
  }
  return [content, "more", used];
}

describe("any bytes", () => {
  const { next } = chance();
  const below = (max: number): number => Math.floor(next() * max);
  const pieces = [
    "5",
    "\r\n",
    "hello",
    "0",
    "\r",
    "\n",
    ";a=b",
    "ffffffffffff",
    "X: y",
    " ",
    "\0",
    "é",
    "-1",
    "0x5",
    ":",
    "GET / HTTP/1.1",
    "Host: one.test",
    "Content-Length: 5",
    "Transfer-Encoding: chunked",
    "\t",
    "//",
    "%",
    "HTTP/1.0",
  ];

  test("chunks give the same content wherever they are cut, and never more than they had", () => {
    for (let round = 0; round < 20_000; round++) {
      const text = Array.from({ length: below(12) }, () => pieces[below(pieces.length)]).join("");
      const bytes = Buffer.from(round % 2 === 0 ? `5\r\nhello\r\n${text}` : text, "latin1");
      const whole = fed(chunkedFraming(), bytes, []);
      const cuts = Array.from({ length: below(6) }, () => below(bytes.length)).toSorted(
        (a, b) => a - b,
      );
      expect(fed(chunkedFraming(), bytes, cuts)).toEqual(whole);
      expect(whole[0].length).toBeLessThanOrEqual(bytes.length);
    }
  });

  test("a head is read or refused, and no exception escapes", () => {
    for (let round = 0; round < 50_000; round++) {
      const text = Array.from({ length: below(10) }, () => pieces[below(pieces.length)]).join("");
      const head = readHead(round % 2 === 0 ? `${START}${text}\r\n\r\n` : `${text}\r\n\r\n`);
      if (typeof head === "number") expect([400, 431, 505]).toContain(head);
      else expect(URL.canParse(head.url, "http://one.test")).toBe(true);
    }
  });

  test("a head that arrives byte by byte takes linear time", async () => {
    const { socket, received } = await client(serve());
    socket.setNoDelay(true);
    const text = `${START}X: ${"x".repeat(2_000)}\r\n\r\n`;
    for (const letter of text) socket.write(letter);
    await until(() => received().includes("200 OK"));
    socket.destroy();
  });
});
