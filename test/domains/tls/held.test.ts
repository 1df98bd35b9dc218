import { expect, test } from "bun:test";

import type { TlsFrontOptions } from "../../../domains/tls/front.ts";
import type { TlsLimits } from "../../../domains/tls/limits.ts";
import { blobResponse } from "../../../lib/base/blob-response.ts";
import { manualClock } from "../../helpers/clock.ts";
import { until } from "../../helpers/dns/until.ts";
import {
  DATA,
  frame,
  GOAWAY,
  HEADERS,
  PING,
  rawClient,
  requestFrame,
  RST_STREAM,
  uint32,
  WINDOW_UPDATE,
} from "../../helpers/http2-frames.ts";
import { presentedFor } from "../../helpers/presented.ts";
import { converse, http2Request, http2Session, shakeHands } from "../../helpers/tls-client.ts";
import { startFront } from "../../helpers/tls-front.ts";

const CANCEL = 8;
const ENHANCE_YOUR_CALM = 11;

/** A front that serves one.test, with a stopped clock. */
async function still(limits: Partial<TlsLimits>, fetch: TlsFrontOptions["fetch"]) {
  const clock = manualClock(Date.now());
  const served = await startFront({ clock, limits, fetch });
  served.live.set("one.test", await presentedFor("one", "one.test"));
  return { ...served, clock };
}

const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));

/** Resolves when `value` has been stable for a while. */
async function settled(value: () => number): Promise<number> {
  for (let before = Number.NaN; before !== value(); await turn()) before = value();
  return value();
}

const LARGE = 700_000;
const bodies: Readonly<Record<string, () => Response>> = {
  text: () => new Response("y".repeat(LARGE)),
  blob: () => blobResponse(new Blob(["y".repeat(LARGE)]), {}),
  "stream without end": () =>
    new Response(
      new ReadableStream(
        { pull: (body) => body.enqueue(new Uint8Array(65_536)) },
        { highWaterMark: 0 },
      ),
    ),
  events: () =>
    new Response(
      new ReadableStream(
        { pull: (body) => body.enqueue(new Uint8Array(1_024)) },
        { highWaterMark: 0 },
      ),
      { headers: { "content-type": "text/event-stream" } },
    ),
};

test.each(Object.entries(bodies))(
  "while a client reads nothing, a few of a hundred responses (%s) are produced and the rest wait",
  async (what, body) => {
    let made = 0;
    await using served = await still({}, () => {
      made++;
      return body();
    });
    const client = await rawClient(served.port, "one.test", 0);
    for (let index = 0; index < 100; index++) {
      client.socket.write(requestFrame(1 + 2 * index, "one.test", "/"));
    }
    await until(() => served.front.pending === 100);
    await settled(() => served.front.heldBytes + made);
    // 256 KiB, a final part of 700,000 bytes, and a hundred requests.
    expect(served.front.heldBytes).toBeLessThan(262_144 + LARGE + 1_300_000);
    // Events are so small that all may start.
    if (what !== "events") expect(made).toBeLessThan(50);
    const before = made;
    client.socket.destroy();
    await until(() => served.front.heldBytes === 0);
    expect(served.front.pending).toBe(0);
    // Waiting requests are dropped when the client disconnects.
    expect(await settled(() => made)).toBe(before);
  },
);

test("waiting requests are answered once the client reads the earlier responses", async () => {
  const body = "y".repeat(100_000);
  await using served = await still({}, () => new Response(body));
  const client = await rawClient(served.port, "one.test", 0);
  for (let index = 0; index < 50; index++) {
    client.socket.write(requestFrame(1 + 2 * index, "one.test", "/"));
  }
  await until(() => served.front.pending === 50);
  await settled(() => served.front.heldBytes);
  for (let index = 0; index < 50; index++) {
    client.socket.write(frame(WINDOW_UPDATE, 0, 1 + 2 * index, uint32(200_000)));
  }
  await until(() => served.front.pending === 0);
  const received = (): number =>
    client.frames.reduce((sum, { type, payload }) => sum + (type === DATA ? payload.length : 0), 0);
  await until(() => received() >= 5_000_000);
  expect(received()).toBe(5_000_000);
  expect(served.front.heldBytes).toBe(0);
  client.socket.destroy();
});

test("a client with maximal windows that reads nothing has few responses produced, too", async () => {
  let made = 0;
  await using served = await still({}, () => {
    made += LARGE;
    return new Response("y".repeat(LARGE));
  });
  const client = await rawClient(served.port, "one.test", 0x7fff_ffff);
  client.socket.pause();
  for (let index = 0; index < 100; index++) {
    client.socket.write(requestFrame(1 + 2 * index, "one.test", "/"));
  }
  await until(() => made > 0);
  await settled(() => served.front.heldBytes + made);
  // The system's buffers hold about ten megabytes at most.
  expect(made).toBeLessThan(40 * LARGE);
  expect(served.front.heldBytes).toBeLessThan(262_144 + LARGE + 1_300_000);
  client.socket.destroy();
});

const REQUEST = "GET / HTTP/1.1\r\nhost: one.test\r\n\r\n";

test("pipelined HTTP/1.1 requests are answered one at a time, in order", async () => {
  let working = 0;
  let most = 0;
  await using served = await still({}, async (request) => {
    most = Math.max(most, ++working);
    await turn();
    working--;
    return new Response(`<${new URL(request.url).pathname}>`);
  });
  const paths = Array.from({ length: 10 }, (_, index) => `/${index}`);
  const socket = await shakeHands(served.port, { serverName: "one.test" });
  const requests = paths.map((path) => `GET ${path} HTTP/1.1\r\nhost: one.test\r\n\r\n`).join("");
  const last = "GET /last HTTP/1.1\r\nhost: one.test\r\nconnection: close\r\n\r\n";
  const text = await converse(socket, requests + last);
  expect([...text.matchAll(/<(.*?)>/g)].map(([, path]) => path)).toEqual([...paths, "/last"]);
  expect(most).toBe(1);
});

test("a client that pipelines requests without reading responses is paused", async () => {
  let made = 0;
  await using served = await still({ unreadMs: 60_000 }, () => {
    made++;
    return new Response("y".repeat(LARGE));
  });
  const socket = await shakeHands(served.port, { serverName: "one.test" });
  socket.on("error", () => undefined);
  socket.pause();
  socket.write(REQUEST.repeat(100_000));
  await until(() => served.front.pending === 1);
  await settled(() => served.front.heldBytes + made);
  expect(served.front.pending).toBe(1);
  // The system's buffers hold about ten megabytes.
  expect(made).toBeLessThan(20);
  expect(served.front.heldBytes).toBeLessThan(LARGE + 2_000_000);
  served.clock.advance(60_000);
  await until(() => served.front.connections === 0);
  expect(served.front.heldBytes).toBe(0);
  socket.destroy();
});

test("five hundred pipelined requests are all answered if the client reads", async () => {
  let made = 0;
  await using served = await still({}, () => new Response(`<${made++}>`));
  const socket = await shakeHands(served.port, { serverName: "one.test" });
  const last = "GET / HTTP/1.1\r\nhost: one.test\r\nconnection: close\r\n\r\n";
  const text = await converse(socket, REQUEST.repeat(499) + last);
  const answers = [...text.matchAll(/<(\d+)>/g)].map(([, index]) => Number(index));
  expect(answers).toEqual(Array.from({ length: 500 }, (_, index) => index));
});

test("a response that is not read in time is aborted, whatever else the client sends", async () => {
  let cancelled = 0;
  const endless = (): Response =>
    new Response(
      new ReadableStream({
        pull: (body) => body.enqueue(new Uint8Array(65_536)),
        cancel: () => void cancelled++,
      }),
    );
  await using served = await still({ unreadMs: 60_000 }, (request) =>
    request.url.endsWith("/short") ? new Response("short") : endless(),
  );
  const client = await rawClient(served.port, "one.test", 0);
  client.socket.write(requestFrame(1, "one.test", "/"));
  await until(() => served.front.heldBytes >= 65_536);
  for (let second = 0; second < 59; second++) {
    client.socket.write(frame(PING, 0, 0, Buffer.alloc(8)));
    served.clock.advance(1_000);
  }
  await until(() => client.frames.filter(({ type }) => type === PING).length === 59);
  expect(cancelled).toBe(0);
  served.clock.advance(1_000);
  await until(() => cancelled === 1);
  await until(() => client.frames.some(({ type }) => type === RST_STREAM));
  const reset = client.frames.find(({ type }) => type === RST_STREAM);
  // Not 0: the client must not consider the response complete.
  expect([reset?.stream, reset?.payload.readUInt32BE(0)]).toEqual([1, CANCEL]);
  client.socket.write(requestFrame(3, "one.test", "/short"));
  await until(() => client.frames.some(({ type, stream }) => type === HEADERS && stream === 3));
  client.socket.destroy();
});

test("when all connections together buffer too much, the largest one is closed", async () => {
  const limits = { maxHeldBytes: 1_000_000, maxUnreadBytes: 262_144 };
  await using served = await still(limits, () => new Response("y".repeat(400_000)));
  const modest = await http2Session(served.port, "one.test");
  const clients = [];
  for (let count = 0; count < 3; count++) {
    // One after the other, lest all three are there before one is over.
    // oxlint-disable-next-line no-await-in-loop
    const client = await rawClient(served.port, "one.test", 0);
    for (let index = 0; index < 10; index++) {
      client.socket.write(requestFrame(1 + 2 * index, "one.test", "/"));
    }
    clients.push(client);
  }
  await Promise.race(clients.map(({ closed }) => closed));
  expect(served.front.heldBytes).toBeLessThanOrEqual(1_000_000);
  expect((await http2Request(modest, { ":path": "/" })).body).toHaveLength(400_000);
  modest.destroy();
  for (const { socket } of clients) socket.destroy();
});

test.each([
  ["a stream of one chunk", (size: number) => new Response(oneChunk(new Uint8Array(size)))],
  ["a text", (size: number) => blobResponse("y".repeat(size), {})],
])(
  "over HTTP/1.1 %s counts as long as it is not read, and the largest connection is closed",
  async (_what, respond) => {
    await using served = await still({ maxHeldBytes: 64_000_000 }, ({ url }) =>
      respond(url.endsWith("/large") ? 60_000_000 : 40_000_000),
    );
    const ask = async (path: string) => {
      const socket = await shakeHands(served.port, { serverName: "one.test" });
      socket.on("error", () => undefined);
      socket.pause();
      socket.write(`GET ${path} HTTP/1.1\r\nhost: one.test\r\n\r\n`);
      return socket;
    };
    // The system takes up to ten megabytes of each.
    const large = await ask("/large");
    await until(() => served.front.heldBytes > 45_000_000);
    const small = await ask("/small");
    await until(() => served.front.connections === 1);
    await until(() => served.front.heldBytes > 25_000_000);
    expect(served.front.heldBytes).toBeLessThan(41_000_000);
    for (const socket of [large, small]) socket.destroy();
    await until(() => served.front.heldBytes === 0);
  },
);

function oneChunk(chunk: Uint8Array): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(body) {
      body.enqueue(chunk);
      body.close();
    },
  });
}

test("buffered parts of endless bodies count towards the limit", async () => {
  const gathered = Promise.withResolvers<void>();
  await using served = await still({ maxHeldBytes: 1_000_000 }, async (request) => {
    await request.bytes();
    gathered.resolve();
    return new Response();
  });
  const session = await http2Session(served.port, "one.test");
  const closed = new Promise((resolve) => session.once("close", resolve));
  for (let index = 0; index < 30; index++) {
    const stream = session.request({ ":path": "/", ":method": "POST" }, { endStream: false });
    stream.on("error", () => undefined);
    stream.write(new Uint8Array(60_000));
  }
  await closed;
  await until(() => served.front.heldBytes === 0);
});

test("request headers count towards the limit: a hundred maximal ones exceed a low limit", async () => {
  await using served = await still(
    { maxHeldBytes: 1_000_000 },
    () => new Promise<Response>(() => undefined),
  );
  const client = await rawClient(served.port, "one.test", 65_535);
  const headers = { "x-a": "a".repeat(14_000) };
  for (let index = 0; index < 100; index++) {
    client.socket.write(requestFrame(1 + 2 * index, "one.test", "/", { method: "POST", headers }));
  }
  await client.closed;
  expect(served.front.heldBytes).toBe(0);
});

test("streams that are opened and reset at once are limited, and the client gets one ENHANCE_YOUR_CALM", async () => {
  let requests = 0;
  await using served = await still({}, () => {
    requests++;
    return new Response("y".repeat(LARGE));
  });
  const client = await rawClient(served.port, "one.test", 0);
  const both = (index: number): Buffer[] => [
    requestFrame(1 + 2 * index, "one.test", "/"),
    frame(RST_STREAM, 0, 1 + 2 * index, uint32(CANCEL)),
  ];
  client.socket.write(
    Buffer.concat(Array.from({ length: 10_000 }, (_, index) => both(index)).flat()),
  );
  const frames = await client.closed;
  const codes = frames
    .filter(({ type }) => type === GOAWAY)
    .map(({ payload }) => payload.readUInt32BE(4));
  // None arrives if the system resets the connection because of unread data.
  expect(codes.filter((code) => code !== ENHANCE_YOUR_CALM)).toEqual([]);
  expect(requests).toBeLessThan(300);
  await until(() => served.front.heldBytes === 0);
});

test("a client may cancel responses repeatedly, as long as it reads others", async () => {
  await using served = await still({ maxStreams: 10 }, () => new Response("y".repeat(LARGE)));
  const session = await http2Session(served.port, "one.test");
  for (let round = 0; round < 50; round++) {
    const left = session.request({ ":path": "/" });
    left.on("error", () => undefined);
    left.close(CANCEL);
    // oxlint-disable-next-line no-await-in-loop
    expect((await http2Request(session, { ":path": "/" })).body).toHaveLength(LARGE);
  }
  session.destroy();
});

test("a slow response does not delay others on its connection for long", async () => {
  const never = new ReadableStream<Uint8Array>();
  await using served = await still({}, (request) =>
    request.url.endsWith("/slow") ? new Response(never) : new Response("quick"),
  );
  const session = await http2Session(served.port, "one.test");
  const slow = session.request({ ":path": "/slow" });
  slow.on("error", () => undefined);
  await until(() => served.front.pending === 1);
  await turn();
  const quick = http2Request(session, { ":path": "/quick" });
  await until(() => served.front.pending === 2);
  await turn();
  served.clock.advance(50);
  expect((await quick).body).toBe("quick");
  session.destroy();
});
