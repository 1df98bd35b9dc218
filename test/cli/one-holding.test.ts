import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { connect, type Socket } from "node:net";

import { createTlsFront, type Holdings } from "../../domains/index.ts";
import { createHoldings } from "../../adapters/holdings/holdings.ts";
import { blobResponse } from "../../lib/base/blob-response.ts";
import { manualClock } from "../../testing/clock.ts";
import { chunkedFraming } from "../../adapters/http1/framing.ts";
import { IncomingBody } from "../../adapters/http1/incoming-body.ts";
import { serveHttp1 } from "../../server/listeners/http1/serve.ts";
import { startPlainHttp2 } from "../../server/listeners/plain-http2.ts";
import { until } from "../helpers/dns/until.ts";
import { presentedFor } from "../helpers/presented.ts";
import { shakeHands } from "../helpers/tls-client.ts";
import { startFront, useEngine } from "../helpers/tls-front.ts";

beforeAll(() => useEngine(startPlainHttp2));
afterAll(() => useEngine(undefined));

const UNFINISHED = 100_000;
const HELD = 400_000;
/** Each sends about this much without completing it. */
const EACH = 12_000;
const LARGE = 250_000;
/** The runtime reads as much at once. */
const LARGEST_READ = 512 * 1_024;

type Handle = (request: Request) => Response | Promise<Response>;

/** A plain listener and a TLS front that share their holdings. */
async function both(
  fetch: Handle = async (request) => new Response(await request.text()),
  maxHeldBytes: number = HELD,
) {
  const clock = manualClock(Date.now());
  const limits = { maxUnfinishedBytes: UNFINISHED, maxHeldBytes };
  const counted = createHoldings({ clock, limits });
  let cuts = 0;
  const holdings: Holdings = {
    open: (cut) =>
      counted.open(() => {
        cuts++;
        cut();
      }),
    get bytes() {
      return counted.bytes;
    },
    close: () => counted.close(),
  };
  const plain = serveHttp1({ hostname: "127.0.0.1", port: 0 }, { fetch, holdings });
  const secure = await startFront({ clock, holdings, fetch });
  secure.live.set("one.test", await presentedFor("one", "one.test"));
  return {
    clock,
    holdings,
    /** How many connections were closed for what they hold. */
    cuts: () => cuts,
    plain: plain.port,
    secure: secure.port,
    [Symbol.asyncDispose]: async () => {
      await plain.end();
      await secure.front.end();
      holdings.close();
    },
  };
}

interface Client {
  readonly socket: Socket;
  readonly received: () => string;
  readonly closed: () => boolean;
}

function observed(socket: Socket): Client {
  let received = "";
  let closed = false;
  socket.on("data", (chunk) => (received += String(chunk)));
  socket.on("error", () => undefined);
  socket.on("close", () => (closed = true));
  return { socket, received: () => received, closed: () => closed };
}

async function plainClient(port: number): Promise<Client> {
  const socket = connect(port, "127.0.0.1");
  await new Promise<void>((resolve) => socket.once("connect", resolve));
  return observed(socket);
}

const secureClient = async (port: number): Promise<Client> =>
  observed(await shakeHands(port, { serverName: "one.test" }));

const inOnePart = (bytes: Uint8Array<ArrayBuffer>) =>
  new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (controller) => {
      controller.enqueue(bytes);
      controller.close();
    },
  });

const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** Sends a head of `EACH` bytes line by line, without its end. */
async function trickle(clients: readonly Client[]): Promise<void> {
  for (const { socket } of clients) socket.write("GET / HTTP/1.1\r\nhost: one.test\r\n");
  for (let line = 0; line < EACH / 500; line++) {
    for (const { socket } of clients) socket.write(`x-${line}: ${"y".repeat(490)}\r\n`);
    // The lines arrive one after another.
    // oxlint-disable-next-line no-await-in-loop
    await turn();
  }
}

const times = <Value>(count: number, make: () => Promise<Value>): Promise<Value[]> =>
  Promise.all(Array.from({ length: count }, make));

/** Reports the most bytes that were counted at once. */
function highest(holdings: Holdings): () => number {
  let most = 0;
  const watching = setInterval(() => (most = Math.max(most, holdings.bytes)), 1);
  return () => {
    clearInterval(watching);
    return most;
  };
}

test("heads that are trickled over plain HTTP and over TLS stay within one limit, and are answered with 503", async () => {
  await using served = await both();
  const most = highest(served.holdings);
  const clients = [
    await times(10, () => plainClient(served.plain)),
    await times(10, () => secureClient(served.secure)),
  ];
  await trickle(clients.flat());
  await until(
    () => clients.flat().filter(({ closed }) => !closed()).length <= UNFINISHED / EACH + 1,
  );
  expect(most()).toBeLessThanOrEqual(UNFINISHED + 10_000);
  for (const kind of clients) {
    const answers = kind.filter(({ closed }) => closed()).map(({ received }) => received());
    // Both kinds take part, and no client is left without an answer.
    expect(answers.length).toBeGreaterThan(0);
    for (const answer of answers) expect(answer).toStartWith("HTTP/1.1 503 ");
    for (const answer of answers) expect(answer.toLowerCase()).toContain("retry-after: 1\r\n");
  }
  for (const { socket } of clients.flat()) socket.destroy();
  await until(() => served.holdings.bytes === 0);
});

test.each(["plain", "secure"] as const)(
  "unfinished heads that came first over the other listener give way to new ones over %s",
  async (newer) => {
    await using served = await both();
    const open = { plain: plainClient, secure: secureClient };
    const older = newer === "plain" ? "secure" : "plain";
    const first = await times(7, () => open[older](served[older]));
    await trickle(first);
    await until(() => served.holdings.bytes > 6 * EACH);
    served.clock.advance(5_000);
    const later = await times(5, () => open[newer](served[newer]));
    await trickle(later);
    await until(() => first.filter(({ closed }) => closed()).length >= 3);
    expect(later.filter(({ closed }) => closed())).toHaveLength(0);
    for (const { socket } of [...first, ...later]) socket.destroy();
  },
);

test("a plain client that reads its response keeps it, whatever is unfinished over TLS", async () => {
  const parts = LARGE / 1_000;
  let left = parts;
  const body = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      await turn();
      controller.enqueue(new Uint8Array(1_000).fill(120));
      if (--left === 0) controller.close();
    },
  });
  await using served = await both((request) =>
    request.url.endsWith("/whole") ? new Response("x".repeat(LARGE)) : new Response(body),
  );
  const [streamed, whole] = await times(2, () => plainClient(served.plain));
  streamed?.socket.write("GET /stream HTTP/1.0\r\n\r\n");
  whole?.socket.write("GET /whole HTTP/1.0\r\n\r\n");
  const attackers = await times(20, () => secureClient(served.secure));
  await trickle(attackers);
  await until(() => attackers.filter(({ closed }) => closed()).length >= 10);
  await until(() => streamed?.closed() === true && whole?.closed() === true);
  expect(streamed?.received()).toEndWith(`\r\n\r\n${"x".repeat(LARGE)}`);
  expect(whole?.received()).toEndWith(`\r\n\r\n${"x".repeat(LARGE)}`);
  for (const { socket } of attackers) socket.destroy();
});

/** What a plain client makes the process hold, without completing or reading it. */
const burdens: Readonly<Record<string, { readonly text: string; readonly least: number }>> = {
  "a head": { text: `GET / HTTP/1.1\r\nhost: one.test\r\nx: ${"y".repeat(5_000)}`, least: 5_000 },
  "a body that the handler does not read": {
    text: `POST /wait HTTP/1.1\r\nhost: one.test\r\ncontent-length: 9000\r\n\r\n${"y".repeat(5_000)}`,
    least: 5_000,
  },
  "the head of a request that is not answered": {
    text: `GET /wait HTTP/1.1\r\nhost: one.test\r\nx: ${"y".repeat(5_000)}\r\n\r\n`,
    least: 5_000,
  },
  "many small fields of a request that is not answered": {
    text: `GET /wait HTTP/1.1\r\nhost: one.test\r\n${Array.from({ length: 150 }, (_, index) => `a${index}: b\r\n`).join("")}\r\n`,
    least: 15_000,
  },
  "a request behind one that is not answered": {
    text: `GET /wait HTTP/1.1\r\nhost: one.test\r\n\r\nGET / HTTP/1.1\r\nx: ${"y".repeat(5_000)}`,
    least: 5_000,
  },
  "trailers of a body": {
    text: `POST /wait HTTP/1.1\r\nhost: one.test\r\ntransfer-encoding: chunked\r\n\r\n0\r\nx: ${"y".repeat(5_000)}`,
    least: 5_000,
  },
};

describe("what a plain client makes the process hold is counted:", () => {
  test.each(Object.entries(burdens))("%s", async (_, { text, least }) => {
    let release = (): void => undefined;
    const waiting = new Promise<void>((resolve) => {
      release = resolve;
    });
    await using served = await both(async () => {
      await waiting;
      return new Response("done");
    });
    const { socket } = await plainClient(served.plain);
    socket.write(text);
    await until(() => served.holdings.bytes >= least);
    expect(served.holdings.bytes).toBeLessThan(6 * least);
    release();
    socket.destroy();
    await until(() => served.holdings.bytes === 0);
  });

  test("a body that the handler reads as a stream, and of which no more is read than the handler takes", async () => {
    let read = 0;
    let release = (): void => undefined;
    const waiting = new Promise<void>((resolve) => {
      release = resolve;
    });
    await using served = await both(async ({ body }) => {
      for await (const part of body ?? []) {
        if (read === 0) await waiting;
        read += part.length;
      }
      return new Response("done");
    }, LARGEST_READ * 4);
    const { socket, received } = await plainClient(served.plain);
    const length = 30_000_000;
    socket.write(`POST / HTTP/1.1\r\nhost: one.test\r\ncontent-length: ${length}\r\n\r\n`);
    socket.write(new Uint8Array(length));
    await until(() => served.holdings.bytes > 65_536);
    for (let index = 0; index < 100; index++) await turn();
    // Otherwise the connection would have been closed for what it holds.
    expect(served.holdings.bytes).toBeGreaterThan(65_536);
    release();
    await until(() => received().endsWith("done"));
    expect(read).toBe(length);
    socket.destroy();
  });

  test("a body of unknown length that the handler gathers, until it answers", async () => {
    await using served = await both(async ({ body }) => {
      const parts: Uint8Array[] = [];
      for await (const part of body ?? []) parts.push(part);
      return new Response("done");
    });
    const { socket, received } = await plainClient(served.plain);
    const chunk = `1000\r\n${"x".repeat(4_096)}\r\n`;
    socket.write("POST / HTTP/1.1\r\nhost: one.test\r\ntransfer-encoding: chunked\r\n\r\n");
    for (let part = 0; part < 10; part++) socket.write(chunk);
    await until(() => served.holdings.bytes >= 40_960);
    for (let index = 0; index < 20; index++) await turn();
    expect(served.holdings.bytes).toBeGreaterThanOrEqual(40_960);
    socket.write("0\r\n\r\n");
    await until(() => received().endsWith("done"));
    expect(served.holdings.bytes).toBe(0);
    socket.destroy();
  });

  for (const [kind, respond] of [
    ["whole", () => blobResponse("x".repeat(20_000_000), {})],
    ["in one part", () => new Response(inOnePart(new Uint8Array(20_000_000)))],
  ] as const) {
    test(`a response that it does not read, which is sent ${kind}`, async () => {
      await using served = await both(respond);
      const { socket, closed, received } = await plainClient(served.plain);
      socket.pause();
      socket.write("GET / HTTP/1.1\r\nhost: one.test\r\n\r\n");
      // The server writes what the connection takes, and counts the rest at once.
      await until(() => served.cuts() > 0);
      // Only a client that reads learns of the end.
      socket.resume();
      await until(closed);
      expect(received().length).toBeLessThan(20_000_000);
      expect(served.holdings.bytes).toBe(0);
    });
  }
});

test("requests that arrive whole and responses that are taken whole are not counted", async () => {
  let opened = 0;
  const holdings = createHoldings({ clock: manualClock(0) });
  const server = serveHttp1(
    { hostname: "127.0.0.1", port: 0 },
    {
      fetch: () => blobResponse("done", {}),
      holdings: {
        open: (cut) => {
          opened++;
          return holdings.open(cut);
        },
      },
    },
  );
  const { socket, received } = await plainClient(server.port);
  for (let request = 1; request <= 3; request++) {
    socket.write("GET / HTTP/1.1\r\nhost: one.test\r\n\r\n");
    // One after another.
    // oxlint-disable-next-line no-await-in-loop
    await until(() => received().match(/done/g)?.length === request);
  }
  expect(opened).toBe(0);
  socket.destroy();
  await server.end();
});

test("memory is collected after connections were closed for it: at once, after a second, and after every 32 MiB", () => {
  const clock = manualClock(0);
  let collected = 0;
  const holdings = createHoldings({
    clock,
    limits: { maxHeldBytes: 1 },
    collect: () => void collected++,
  });
  const close = (mebibytes: number): number => {
    holdings.open(() => undefined).set("body", mebibytes * 1_024 * 1_024);
    return collected;
  };
  expect([close(1), close(1), close(30), close(1), close(1)]).toEqual([1, 1, 1, 2, 2]);
  clock.advance(1_000);
  expect([close(1), close(31), close(1)]).toEqual([3, 3, 4]);
  holdings.close();
});

describe("small parts count more than their bytes", () => {
  test("of a body that is gathered", () => {
    const body = new IncomingBody({ wanted: () => undefined });
    for (let part = 0; part < 100; part++) body.add(Buffer.of(1));
    expect(body.unread).toBeGreaterThan(10_000);
  });

  test("of a body that is read as a stream, until it is read", async () => {
    const body = new IncomingBody({ wanted: () => undefined });
    const reader = body.stream().getReader();
    for (let part = 0; part < 100; part++) body.add(Buffer.of(1));
    expect(body.unread).toBeGreaterThan(10_000);
    expect(body.hungry).toBe(false);
    for (let part = 0; part < 100; part++) {
      // One after another.
      // oxlint-disable-next-line no-await-in-loop
      await reader.read();
    }
    expect([body.unread, body.hungry]).toEqual([0, true]);
  });

  test("of a line of a chunked body", () => {
    const framing = chunkedFraming();
    framing.take(Buffer.from("0\r\n"));
    expect(framing.held).toBe(0);
    for (let part = 0; part < 100; part++) framing.take(Buffer.from("x"));
    expect(framing.held).toBeGreaterThan(5_000);
  });
});

test("a front with holdings takes none of their limits", () => {
  const make = (): unknown =>
    createTlsFront({
      certificateFor: () => undefined,
      challenges: { tlsAlpn01: () => undefined },
      fetch: () => new Response(),
      sameProject: () => false,
      clock: manualClock(0),
      holdings: createHoldings({ clock: manualClock(0) }),
      limits: { maxHeldBytes: 1 },
    });
  expect(make).toThrow(
    new TypeError(
      "createTlsFront does not take the limit maxHeldBytes together with holdings: give it to createHoldings.",
    ),
  );
});
