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

/** A front that serves one.test, whose time stands still. */
async function still(limits: Partial<TlsLimits>, fetch: TlsFrontOptions["fetch"]) {
  const clock = manualClock(Date.now());
  const served = await startFront({ clock, limits, fetch });
  served.live.set("one.test", await presentedFor("one", "one.test"));
  return { ...served, clock };
}

const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));

/** Resolves when `value` has been the same for a while. */
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
  "of a hundred answers (%s) that a client takes nothing of, a few are made and the rest wait",
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
    // 256 KiB, a last part of 700,000 bytes, and a hundred requests.
    expect(served.front.heldBytes).toBeLessThan(262_144 + LARGE + 1_300_000);
    // Events are so small that all may begin.
    if (what !== "events") expect(made).toBeLessThan(50);
    const before = made;
    client.socket.destroy();
    await until(() => served.front.heldBytes === 0);
    expect(served.front.pending).toBe(0);
    // What waited when the client left is not made for nobody.
    expect(await settled(() => made)).toBe(before);
  },
);

test("what waited is answered when the client takes what came before it", async () => {
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

test("a client with windows as wide as they go that reads nothing has few answers made, too", async () => {
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
  // What lies in the buffers of the system is at most some ten megabytes.
  expect(made).toBeLessThan(40 * LARGE);
  expect(served.front.heldBytes).toBeLessThan(262_144 + LARGE + 1_300_000);
  client.socket.destroy();
});

const REQUEST = "GET / HTTP/1.1\r\nhost: one.test\r\n\r\n";

test("requests sent ahead over HTTP/1.1 are answered one at a time, in their order", async () => {
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
  const asked = paths.map((path) => `GET ${path} HTTP/1.1\r\nhost: one.test\r\n\r\n`).join("");
  const last = "GET /last HTTP/1.1\r\nhost: one.test\r\nconnection: close\r\n\r\n";
  const text = await converse(socket, asked + last);
  expect([...text.matchAll(/<(.*?)>/g)].map(([, path]) => path)).toEqual([...paths, "/last"]);
  expect(most).toBe(1);
});

test("of a client that sends requests ahead and reads no answer nothing more is read", async () => {
  let made = 0;
  const limits = { maxPipelined: 32, unreadMs: 60_000 };
  await using served = await still(limits, () => {
    made++;
    return new Response("y".repeat(LARGE));
  });
  const socket = await shakeHands(served.port, { serverName: "one.test" });
  socket.on("error", () => undefined);
  socket.pause();
  socket.write(REQUEST.repeat(100_000));
  await until(() => served.front.pending >= 32);
  await settled(() => served.front.heldBytes + made);
  // 2 KiB hold 60 of these requests.
  expect(served.front.pending).toBeLessThan(32 + 64);
  // The buffers of the system take some ten megabytes.
  expect(made).toBeLessThan(20);
  expect(served.front.heldBytes).toBeLessThan(LARGE + 2_000_000);
  served.clock.advance(60_000);
  await until(() => served.front.connections === 0);
  expect(served.front.heldBytes).toBe(0);
  socket.destroy();
});

test("five hundred requests sent ahead are all answered when their answers are read", async () => {
  let made = 0;
  await using served = await still({ maxPipelined: 32 }, () => new Response(`<${made++}>`));
  const socket = await shakeHands(served.port, { serverName: "one.test" });
  const last = "GET / HTTP/1.1\r\nhost: one.test\r\nconnection: close\r\n\r\n";
  const text = await converse(socket, REQUEST.repeat(499) + last);
  const answers = [...text.matchAll(/<(\d+)>/g)].map(([, index]) => Number(index));
  expect(answers).toEqual(Array.from({ length: 500 }, (_, index) => index));
});

test("a part of an answer that is not taken in time is given up, whatever else the client sends", async () => {
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
  // Not 0: the client must not take what it has for the whole.
  expect([reset?.stream, reset?.payload.readUInt32BE(0)]).toEqual([1, CANCEL]);
  client.socket.write(requestFrame(3, "one.test", "/short"));
  await until(() => client.frames.some(({ type, stream }) => type === HEADERS && stream === 3));
  client.socket.destroy();
});

test("when all together hold too much, the connection that holds the most is cut off", async () => {
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

test("bodies that have no end count, up to what a handler gathers of one", async () => {
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

test("headers count: a hundred requests with as many of them as may be are too much where the bound is low", async () => {
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

test("streams that are opened and reset in one breath are bounded, and the client is told no more than to calm down", async () => {
  let asked = 0;
  await using served = await still({}, () => {
    asked++;
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
  // None arrives where the system resets the connection over what was not read of it.
  expect(codes.filter((code) => code !== ENHANCE_YOUR_CALM)).toEqual([]);
  expect(asked).toBeLessThan(300);
  await until(() => served.front.heldBytes === 0);
});

test("a page that is left again and again is not too much, as long as others are read", async () => {
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

test("an answer that takes its time holds up no other of its connection for long", async () => {
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
