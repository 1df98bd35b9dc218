import { afterAll, beforeAll, expect, test } from "bun:test";
import { createHash } from "node:crypto";

import type { StartPlainHttp2 } from "../../../domains/index.ts";
import type { TlsFrontOptions } from "../../../domains/tls/front.ts";
import { MARK } from "../../../domains/tls/request-head.ts";
import { blobResponse } from "../../../lib/base/blob-response.ts";
import { startPlainHttp2 } from "../../../server/listeners/plain-http2.ts";
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
  SETTINGS,
  uint32,
} from "../../helpers/http2-frames.ts";
import { presentedFor } from "../../helpers/presented.ts";
import { http2Request, http2Session } from "../../helpers/tls-client.ts";
import { startFront, useEngine } from "../../helpers/tls-front.ts";

// What the relay itself must do. What holds of every front is in the suites of plain-http2.test.ts.

beforeAll(() => useEngine(startPlainHttp2));
afterAll(() => useEngine(undefined));

async function one(fetch: TlsFrontOptions["fetch"], options: Partial<TlsFrontOptions> = {}) {
  const served = await startFront({ fetch, ...options });
  served.live.set("one.test", await presentedFor("one", "one.test"));
  return served;
}

const POST = { ":path": "/", ":method": "POST" };
const WIDE = 0x7fff_ffff;

function hashOf(...parts: readonly Uint8Array[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest("hex");
}

/** Bytes that are nowhere the same. */
function distinct(length: number): Uint8Array<ArrayBuffer> {
  const numbers = Uint32Array.from({ length: length / 4 }, (_, index) => index);
  return new Uint8Array(numbers.buffer);
}

test.each([5, 60_000, 1_000_000])(
  "a response arrives completely although the request body of %d bytes was not read",
  async (length) => {
    await using served = await one(() => blobResponse("enough", { status: 403 }));
    const session = await http2Session(served.port, "one.test");
    const { status, body } = await http2Request(session, POST, new Uint8Array(length));
    expect([status, body]).toEqual([403, "enough"]);
    // The connection continues.
    expect((await http2Request(session, { ":path": "/" })).body).toBe("enough");
    session.destroy();
  },
);

test("large bodies are relayed unchanged in both directions at once", async () => {
  await using served = await one((request) => new Response(request.body));
  const session = await http2Session(served.port, "one.test");
  const sent = distinct(16_000_000);
  const bodies = [0, 1, 2].map(
    () =>
      new Promise<string>((resolve, reject) => {
        const stream = session.request(POST);
        const parts: Buffer[] = [];
        stream.on("data", (part: Buffer) => parts.push(part));
        stream.on("end", () => resolve(hashOf(...parts)));
        stream.on("error", reject);
        stream.end(sent);
      }),
  );
  expect(await Promise.all(bodies)).toEqual([0, 1, 2].map(() => hashOf(sent)));
  session.destroy();
});

test("an upload that is read slowly arrives completely", async () => {
  await using served = await one(async (request) => {
    const parts: Uint8Array[] = [];
    for await (const part of request.body ?? []) {
      parts.push(part);
      if (parts.length % 50 === 0) await Bun.sleep(1);
    }
    return new Response(hashOf(...parts));
  });
  const session = await http2Session(served.port, "one.test");
  const sent = distinct(20_000_000);
  expect((await http2Request(session, POST, sent)).body).toBe(hashOf(sent));
  session.destroy();
});

test("a client that sends the relay's internal header is refused", async () => {
  let handled = 0;
  await using served = await one(() => {
    handled++;
    return new Response();
  });
  const session = await http2Session(served.port, "one.test");
  const { status } = await http2Request(session, { ":path": "/", [MARK]: "x".repeat(32) });
  expect([status, handled]).toEqual([400, 0]);
  session.destroy();
});

test("the relay's server refuses requests that were not relayed, and stops with the front", async () => {
  let server: Parameters<StartPlainHttp2>[0] | undefined;
  let stopped = 0;
  const plainHttp2: StartPlainHttp2 = (options) => {
    server = options;
    const started = startPlainHttp2(options);
    return { ...started, stop: () => (stopped++, started.stop()) };
  };
  const served = await one(() => new Response("served"), { plainHttp2 });
  const request = (headers: Record<string, string>) => new Request("http://one.test/", { headers });
  for (const headers of [{}, { [MARK]: "" }, { [MARK]: `${"A".repeat(22)}0000000001` }]) {
    expect((await server?.fetch(request(headers)))?.status).toBe(400);
  }
  await served.front.end();
  expect(stopped).toBe(1);
});

test("handlers see neither the relay's internal header nor a Host header", async () => {
  await using served = await one(({ headers }) => Response.json([...headers]));
  const session = await http2Session(served.port, "one.test");
  expect((await http2Request(session, { ":path": "/" })).body).toBe("[]");
  session.destroy();
});

test("cookies sent in separate fields are joined into one header", async () => {
  await using served = await one(({ headers }) => new Response(headers.get("cookie")));
  const session = await http2Session(served.port, "one.test");
  const cookie = ["a=1", "b=2"];
  const { body } = await http2Request(session, { ":path": "/", cookie } as never);
  expect(body).toBe("a=1; b=2");
  session.destroy();
});

test("GOAWAY is sent between two frames of a response and contains the last stream ID", async () => {
  await using served = await one(() => blobResponse("y".repeat(30_000_000), {}));
  const client = await rawClient(served.port, "one.test", WIDE);
  for (const stream of [1, 3, 5]) client.socket.write(requestFrame(stream, "one.test", "/"));
  await until(() => client.frames.filter(({ type }) => type === DATA).length > 20);
  served.live.clear();
  served.front.closeName("one.test");
  const frames = await client.closed;
  expect(frames.at(-1)?.type).toBe(GOAWAY);
  expect(frames.at(-1)?.payload.readUInt32BE(0)).toBe(5);
  expect(frames.every(({ type }) => type <= 9)).toBe(true);
});

test("a client that reads nothing is disconnected soon after its name is removed", async () => {
  await using served = await one(() => blobResponse("y".repeat(30_000_000), {}));
  const client = await rawClient(served.port, "one.test", WIDE);
  client.socket.pause();
  client.socket.write(requestFrame(1, "one.test", "/"));
  await until(() => served.front.heldBytes > 1_000_000);
  await Bun.sleep(100);
  const removed = performance.now();
  served.front.closeName("one.test");
  await until(() => served.front.connections === 0);
  // It has a second; without the removal it would have half a minute.
  expect(performance.now() - removed).toBeLessThan(20_000);
  client.socket.destroy();
});

test("the client gets our limits, not those of the relay's server", async () => {
  await using served = await one(() => new Response());
  const client = await rawClient(served.port, "one.test", WIDE);
  await until(() =>
    client.frames.some(({ type, payload }) => type === SETTINGS && payload[0] === 0),
  );
  const settings = client.frames.find(({ type }) => type === SETTINGS)?.payload ?? Buffer.alloc(0);
  const announced = new Map<number, number>();
  for (let at = 0; at < settings.length; at += 6) {
    announced.set(settings.readUInt16BE(at), settings.readUInt32BE(at + 2));
  }
  expect([announced.get(3), announced.get(6)]).toEqual([100, 32 * 1_024]);
  client.socket.destroy();
});

test("frames stay at most 16 KiB long although the client allows longer ones", async () => {
  await using served = await one(() => blobResponse("y".repeat(1_000_000), {}));
  const client = await rawClient(served.port, "one.test", WIDE);
  const longer = Buffer.concat([Buffer.of(0, 5), uint32(1_048_576)]);
  client.socket.write(
    Buffer.concat([frame(SETTINGS, 0, 0, longer), requestFrame(1, "one.test", "/")]),
  );
  const data = (): Buffer[] =>
    client.frames.filter(({ type }) => type === DATA).map(({ payload }) => payload);
  await until(() => data().reduce((sum, { length }) => sum + length, 0) === 1_000_000);
  expect(Math.max(...data().map(({ length }) => length))).toBeLessThanOrEqual(16_384);
  client.socket.destroy();
});

test("input from a client that reads nothing is paused, so that answers to its PINGs are not buffered", async () => {
  await using served = await one(() => new Response());
  const client = await rawClient(served.port, "one.test", WIDE);
  client.socket.pause();
  const pings = Buffer.concat(
    Array.from({ length: 1_000 }, () => frame(PING, 0, 0, Buffer.alloc(8))),
  );
  // More than all the buffers on the way hold.
  for (let sent = 0; sent < 4_000; sent++) client.socket.write(pings);
  let before = -1;
  await until(() => {
    const same = client.socket.writableLength === before;
    before = client.socket.writableLength;
    return same;
  });
  expect(client.socket.writableLength).toBeGreaterThan(10_000_000);
  client.socket.destroy();
});

test("each request over the limit is refused, and the others are answered", async () => {
  const answer = Promise.withResolvers<void>();
  await using served = await one(
    async () => {
      await answer.promise;
      return new Response("late");
    },
    { limits: { maxStreams: 3 } },
  );
  const client = await rawClient(served.port, "one.test", WIDE);
  for (let index = 0; index < 5; index++) {
    client.socket.write(requestFrame(1 + 2 * index, "one.test", "/"));
  }
  const resets = () => client.frames.filter(({ type }) => type === RST_STREAM);
  await until(() => resets().length === 2);
  expect(resets().map(({ stream, payload }) => [stream, payload.readUInt32BE(0)])).toEqual([
    [7, 7],
    [9, 7],
  ]);
  answer.resolve();
  await until(() => client.frames.filter(({ type }) => type === DATA).length === 3);
  const answered = client.frames.filter(({ type }) => type === HEADERS).map(({ stream }) => stream);
  expect(answered.toSorted((one, other) => one - other)).toEqual([1, 3, 5]);
  client.socket.destroy();
});

test("resetting a stream aborts the signal of its request, and no other", async () => {
  const aborted: string[] = [];
  await using served = await one(({ signal, url }) => {
    signal.addEventListener("abort", () => aborted.push(new URL(url).pathname));
    return new Promise(() => undefined);
  });
  const client = await rawClient(served.port, "one.test", WIDE);
  client.socket.write(requestFrame(1, "one.test", "/first"));
  client.socket.write(requestFrame(3, "one.test", "/second"));
  await until(() => served.front.pending === 2);
  client.socket.write(frame(RST_STREAM, 0, 1, uint32(8)));
  await until(() => aborted.length > 0);
  await Bun.sleep(20);
  expect(aborted).toEqual(["/first"]);
  client.socket.destroy();
});

test("a body that fails resets its stream and is logged, and the client gets no details", async () => {
  const logged: unknown[] = [];
  const log = { error: (_message: string, error: unknown) => void logged.push(error) };
  const broken = (): Response =>
    new Response(
      new ReadableStream({
        pull: () => {
          throw new Error("the secret reason");
        },
      }),
    );
  await using served = await one(broken, { log: log as never });
  const client = await rawClient(served.port, "one.test", WIDE);
  client.socket.write(requestFrame(1, "one.test", "/"));
  await until(() => client.frames.some(({ type }) => type === RST_STREAM));
  const reset = client.frames.find(({ type }) => type === RST_STREAM);
  expect(reset?.payload.readUInt32BE(0)).toBe(8);
  expect(String(logged)).toContain("the secret reason");
  client.socket.destroy();
});
