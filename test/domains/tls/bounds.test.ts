import { expect, test } from "bun:test";
import { constants } from "node:http2";
import { connect } from "node:net";

import type { TlsLimits } from "../../../domains/tls/limits.ts";
import type { TlsFrontOptions } from "../../../domains/tls/front.ts";
import { manualClock, type ManualClock } from "../../helpers/clock.ts";
import { until } from "../../helpers/dns/until.ts";
import { presentedFor } from "../../helpers/presented.ts";
import { converse, http2Request, http2Session, shakeHands } from "../../helpers/tls-client.ts";
import { startFront } from "../../helpers/tls-front.ts";

const REQUEST = "GET / HTTP/1.1\r\nhost: one.test\r\n\r\n";

/** A front that serves one.test, with a stopped clock. */
async function still(limits: Partial<TlsLimits>, options: Partial<TlsFrontOptions> = {}) {
  const clock = manualClock(Date.now());
  const served = await startFront({ clock, limits, ...options });
  served.live.set("one.test", await presentedFor("one", "one.test"));
  /** Resolves once that many connections are open. */
  const open = async (count: number): Promise<void> => {
    await until(() => served.front.connections === count);
  };
  return { ...served, clock, open };
}

/** The handshake is complete, and the wait for a request has started; each has a timer, and so have the records. */
const resting = ({ clock }: { readonly clock: ManualClock }): boolean => clock.sleeping === 3;

const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));

test.each([
  ["says nothing", new Uint8Array()],
  ["says the beginning of a hello", Uint8Array.of(22, 3, 1, 0, 200, 1, 0, 0)],
])("a client that %s is cut off when the handshake should be over", async (_what, bytes) => {
  await using served = await still({ handshakeMs: 10_000 });
  const socket = connect(served.port, "127.0.0.1", () => socket.write(bytes));
  const closed = new Promise((resolve) => socket.once("close", resolve));
  await served.open(1);
  served.clock.advance(9_999);
  await turn();
  expect(served.front.connections).toBe(1);
  served.clock.advance(1);
  await closed;
});

test("a client that stops during the handshake is disconnected, too", async () => {
  const answer = Promise.withResolvers<undefined>();
  await using served = await still(
    { handshakeMs: 10_000 },
    { certificateFor: (id) => ({ id, load: () => answer.promise }) },
  );
  const shaken = shakeHands(served.port, { serverName: "one.test" });
  await served.open(1);
  served.clock.advance(10_000);
  await expect(shaken).rejects.toThrow();
});

test.each([
  ["no request", ""],
  ["one header after the other", "GET / HTTP/1.1\r\nhost: one.test\r\nx-a: 1\r\n"],
])("a connection with %s is closed after a while", async (_what, text) => {
  await using served = await still({ idleMs: 60_000 });
  const socket = await shakeHands(served.port, { serverName: "one.test" });
  const closed = converse(socket, text);
  await until(() => resting(served));
  served.clock.advance(59_999);
  await turn();
  expect(served.front.connections).toBe(1);
  served.clock.advance(1);
  await closed;
});

test("a request restarts the wait", async () => {
  await using served = await still({ idleMs: 60_000 });
  const socket = await shakeHands(served.port, { serverName: "one.test" });
  const closed = converse(socket, "");
  await until(() => resting(served));
  served.clock.advance(59_999);
  socket.write(REQUEST);
  await new Promise((resolve) => socket.once("data", resolve));
  await until(() => served.front.pending === 0);
  served.clock.advance(59_999);
  await turn();
  expect(served.front.connections).toBe(1);
  served.clock.advance(1);
  await closed;
});

test("an idle HTTP/2 connection gets GOAWAY", async () => {
  await using served = await still({ idleMs: 60_000 });
  const session = await http2Session(served.port, "one.test");
  const gone = new Promise((resolve) => session.once("goaway", resolve));
  await http2Request(session, { ":path": "/" });
  await until(() => served.front.pending === 0);
  served.clock.advance(60_000);
  await gone;
});

test.each(["h2", "http/1.1"] as const)(
  "a client that reads its response over %s is not disconnected, however long it takes",
  async (protocol) => {
    let cancelled = 0;
    await using served = await still(
      { stalledMs: 300_000, unreadMs: 300_001 },
      {
        fetch: () =>
          new Response(
            new ReadableStream({
              pull: (body) => body.enqueue(new Uint8Array(65_536)),
              cancel: () => void cancelled++,
            }),
          ),
      },
    );
    const serverName = "one.test";
    let received = 0;
    const count = (chunk: Uint8Array): void => void (received += chunk.length);
    if (protocol === "h2") {
      const stream = (await http2Session(served.port, serverName)).request({ ":path": "/" });
      stream.on("error", () => undefined);
      stream.on("data", count);
    } else {
      const socket = await shakeHands(served.port, { serverName });
      socket.on("error", () => undefined);
      socket.on("data", count);
      socket.write(REQUEST);
    }
    await until(() => received > 0);
    for (let round = 0; round < 3; round++) {
      const before = received;
      served.clock.advance(300_000);
      // Exceeds the buffers in between, so a moving buffer shows that the client reads.
      await until(() => received >= before + 30_000_000);
      expect(cancelled).toBe(0);
    }
  },
);

test.each(["h2", "http/1.1"] as const)(
  "a client that does not read its response over %s is disconnected",
  async (protocol) => {
    let cancelled = false;
    const body = (): ReadableStream =>
      new ReadableStream({
        pull: (controller) => controller.enqueue(new Uint8Array(65_536)),
        cancel: () => void (cancelled = true),
      });
    const limits = { stalledMs: 300_000, unreadMs: Number.MAX_SAFE_INTEGER };
    await using served = await still(limits, { fetch: () => new Response(body()) });
    if (protocol === "h2") {
      const stream = (await http2Session(served.port, "one.test")).request({ ":path": "/" });
      stream.on("error", () => undefined);
    } else {
      const socket = await shakeHands(served.port, { serverName: "one.test" });
      socket.on("error", () => undefined);
      socket.write(REQUEST);
      socket.pause();
    }
    await until(() => served.front.pending === 1);
    // Data moves as long as the buffers in between are not full.
    for (; !cancelled; await turn()) served.clock.advance(300_000);
    await served.open(0);
  },
);

test("at the connection limit, the longest idle connection is closed", async () => {
  await using served = await still({ maxConnections: 2 });
  const first = await shakeHands(served.port, { serverName: "one.test" });
  const closed = converse(first, "");
  const second = await shakeHands(served.port, { serverName: "one.test" });
  const third = await shakeHands(served.port, { serverName: "one.test" });
  await closed;
  for (const socket of [second, third]) {
    socket.write(REQUEST);
    expect(String(await new Promise((resolve) => socket.once("data", resolve)))).toContain(
      "200 OK",
    );
  }
});

test("at the connection limit without idle connections, the oldest unfinished handshake is closed", async () => {
  await using served = await still({ maxConnections: 2 });
  const silent = [];
  for (const count of [1, 2]) {
    const socket = connect(served.port, "127.0.0.1");
    silent.push(new Promise((resolve) => socket.once("close", () => resolve(count))));
    await served.open(count);
  }
  const socket = await shakeHands(served.port, { serverName: "one.test" });
  socket.write(REQUEST);
  expect(String(await new Promise((resolve) => socket.once("data", resolve)))).toContain("200 OK");
  expect(await Promise.race(silent)).toBe(1);
});

test("when all connections are busy, a new one is refused", async () => {
  const answer = Promise.withResolvers<Response>();
  await using served = await still({ maxConnections: 1 }, { fetch: () => answer.promise });
  const busy = await shakeHands(served.port, { serverName: "one.test" });
  busy.write(REQUEST);
  await until(() => served.front.pending > 0);
  await expect(shakeHands(served.port, { serverName: "one.test" })).rejects.toThrow();
  answer.resolve(new Response());
  expect(String(await new Promise((resolve) => busy.once("data", resolve)))).toContain("200 OK");
});

test("HTTP/1.1 headers up to the limit are accepted, larger ones refused", async () => {
  await using served = await still({ maxHeaderBytes: 12_000 });
  const ask = async (size: number): Promise<string> =>
    converse(
      await shakeHands(served.port, { serverName: "one.test" }),
      `GET / HTTP/1.1\r\nhost: one.test\r\nconnection: close\r\nx-a: ${"x".repeat(size)}\r\n\r\n`,
    );
  expect(await ask(11_000)).toStartWith("HTTP/1.1 200 ");
  expect(await ask(13_000)).toStartWith("HTTP/1.1 431 ");
  expect(await ask(200_000)).not.toContain(" 200 ");
});

test("a malformed request is refused, and the connection closed", async () => {
  await using served = await still({});
  const socket = await shakeHands(served.port, { serverName: "one.test" });
  expect(await converse(socket, "HELO one.test\r\n\r\n")).toStartWith("HTTP/1.1 400 ");
});

test("HTTP/2 headers up to the limit are accepted, larger ones refused", async () => {
  await using served = await still({ maxHeaderBytes: 12_000 });
  const ask = async (size: number): Promise<number> => {
    const session = await http2Session(served.port, "one.test");
    try {
      return (await http2Request(session, { ":path": "/", "x-a": "x".repeat(size) })).status;
    } catch {
      return 0;
    } finally {
      session.destroy();
    }
  };
  expect(await ask(11_000)).toBe(200);
  expect(await ask(13_000)).not.toBe(200);
  expect(await ask(200_000)).not.toBe(200);
});

test("the default limit allows the longest URL that the API reads", async () => {
  await using served = await still({});
  const session = await http2Session(served.port, "one.test");
  const { status } = await http2Request(session, { ":path": `/${"x".repeat(24_000)}` });
  session.destroy();
  expect(status).toBe(200);
  const text = await converse(
    await shakeHands(served.port, { serverName: "one.test" }),
    `GET /${"x".repeat(24_000)} HTTP/1.1\r\nhost: one.test\r\nconnection: close\r\n\r\n`,
  );
  expect(text).toStartWith("HTTP/1.1 200 ");
});

test("concurrent requests on an HTTP/2 connection are limited", async () => {
  const answer = Promise.withResolvers<Response>();
  await using served = await still({ maxStreams: 3 }, { fetch: () => answer.promise });
  const session = await http2Session(served.port, "one.test");
  for (let index = 0; index < 10; index++) {
    session.request({ ":path": "/" }).on("error", () => undefined);
  }
  await until(() => served.front.pending >= 3);
  await turn();
  expect(served.front.pending).toBe(3);
  session.destroy();
});

test("a client that endlessly opens and resets streams is disconnected", async () => {
  let requests = 0;
  await using served = await still(
    {},
    {
      fetch: () => {
        requests++;
        return new Promise(() => undefined);
      },
    },
  );
  const session = await http2Session(served.port, "one.test");
  const gone = new Promise((resolve) => session.once("goaway", resolve));
  for (let index = 0; index < 5_000 && !session.destroyed && !session.closed; index++) {
    const stream = session.request({ ":path": "/" });
    stream.on("error", () => undefined);
    stream.close(constants.NGHTTP2_CANCEL);
    if (index % 50 === 0) await Bun.sleep(1);
  }
  expect(await gone).toBe(constants.NGHTTP2_ENHANCE_YOUR_CALM);
  expect(requests).toBeLessThan(2_000);
});

test.each([0, -1, 0.5, Number.NaN])("a limit of %p is refused", async (limit) => {
  await expect(startFront({ limits: { maxConnections: limit } })).rejects.toThrow(TypeError);
});

/** An HTTP/2 frame (RFC 9113 §4.1) on the first stream, without flags. */
function frame(type: "headers" | "settings" | "continuation", payload: Uint8Array): Uint8Array {
  const stream = type === "settings" ? 0 : 1;
  const number = { headers: 1, settings: 4, continuation: 9 }[type];
  const length = payload.length;
  return Uint8Array.of(length >> 16, length >> 8, length, number, 0, 0, 0, 0, stream, ...payload);
}

test("endless HTTP/2 headers are cut off", async () => {
  await using served = await still({ maxHeaderBytes: 12_000 });
  const socket = await shakeHands(served.port, { serverName: "one.test", protocols: ["h2"] });
  const closed = converse(socket, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
  socket.write(frame("settings", new Uint8Array()));
  // GET, /, https: the first of many headers.
  socket.write(frame("headers", Uint8Array.of(0x82, 0x84, 0x87)));
  // A header "a" of a hundred letters, repeated.
  const header = Uint8Array.of(0, 1, 97, 100, ...new Uint8Array(100).fill(97));
  let sent = 0;
  while (!socket.destroyed && sent < 50_000_000) {
    socket.write(frame("continuation", header));
    sent += header.length;
    if (sent % 50_000 < header.length) await Bun.sleep(1);
  }
  await closed;
  expect(sent).toBeLessThan(5_000_000);
});
