import { afterAll, beforeAll, expect, test } from "bun:test";

import { FieldDecoder } from "../../../domains/tls/hpack.ts";
import { startPlainHttp2 } from "../../../server/listeners/plain-http2.ts";
import { until } from "../../helpers/dns/until.ts";
import {
  CONTINUATION,
  DATA,
  frame,
  GOAWAY,
  HEADERS,
  rawClient,
  requestFrame,
  RST_STREAM,
  SETTINGS,
  uint32,
  WINDOW_UPDATE,
  type RawClient,
} from "../../helpers/http2-frames.ts";
import { presentedFor } from "../../helpers/presented.ts";
import { http2Request, http2Session } from "../../helpers/tls-client.ts";
import { startFront, useEngine } from "../../helpers/tls-front.ts";

beforeAll(() => useEngine(startPlainHttp2));
afterAll(() => useEngine(undefined));

const [PROTOCOL, FLOW_CONTROL, FRAME_SIZE, COMPRESSION, CALM] = [1, 3, 6, 9, 11];

/** A front that reports what reaches the service. */
async function one() {
  const seen: string[] = [];
  const served = await startFront({
    fetch: async (request) => {
      const body = await request.text();
      seen.push(`${request.method} ${request.url} ${body}`);
      return new Response("served");
    },
  });
  served.live.set("one.test", await presentedFor("one", "one.test"));
  const client = await rawClient(served.port, "one.test", 65_535);
  return { ...served, seen, client };
}

/** Resolves with the first frame on a stream. */
async function firstOn(client: RawClient, id: number) {
  const find = () => client.frames.find(({ stream }) => stream === id);
  await until(() => find() !== undefined);
  return find();
}

/** Resolves with the error for which the connection is closed. */
async function errorOf(client: RawClient): Promise<number | undefined> {
  const last = (await client.closed).at(-1);
  return last?.type === GOAWAY ? last.payload.readUInt32BE(4) : undefined;
}

const STATUS_400 = 0x8c;

test.each(["patch", "get", "FOO", "PROPFIND"])(
  "the method %s reaches the service as one that it does not know, and the connection goes on",
  async (method) => {
    await using served = await one();
    const session = await http2Session(served.port, "one.test");
    for (let count = 0; count < 2; count++) {
      const fields = { ":method": method, ":path": "/x", ":authority": "one.test" };
      expect((await http2Request(session, fields)).body).toBe("served");
    }
    expect(served.seen).toEqual(Array(2).fill("PROPFIND https://one.test/x "));
    session.destroy();
  },
);

test.each(["/v1/../x", "/a\\b", "/a#b", "/%2e%2e/x", "/plain", "/ä", "/?q=/../x"])(
  "the path %s means the same as a literal and by the index of an earlier one",
  async (path) => {
    await using served = await one();
    const text = (value: string) => [Buffer.byteLength(value), ...Buffer.from(value)];
    // Indexed: GET, https; the authority and the path are kept in the table.
    const literal = [0x82, 0x87, 0x41, ...text("one.test"), 0x44, ...text(path)];
    served.client.socket.write(frame(HEADERS, 5, 1, Buffer.from(literal)));
    await until(() => served.seen.length === 1);
    served.client.socket.write(frame(HEADERS, 5, 3, Buffer.of(0x82, 0x87, 0xbf, 0xbe)));
    await until(() => served.seen.length === 2);
    expect(served.seen[1]).toBe(served.seen[0] ?? "");
    served.client.socket.destroy();
  },
);

test.each([
  "one.test/x",
  "one.test/",
  "me@one.test",
  "one test",
  "one.test?x",
  "",
  "one.test:99999",
])("the authority %j is answered with 400, and the connection goes on", async (authority) => {
  await using served = await one();
  served.client.socket.write(requestFrame(1, authority, "/"));
  const answer = await firstOn(served.client, 1);
  expect([answer?.type, answer?.payload[0]]).toEqual([HEADERS, STATUS_400]);
  served.client.socket.write(requestFrame(3, "one.test", "/"));
  await until(() => served.seen.length === 1);
  expect(served.seen).toEqual(["GET https://one.test/ "]);
  served.client.socket.destroy();
});

test("headers that are split at any byte are read as if they were whole", async () => {
  await using served = await one();
  const whole = requestFrame(1, "one.test", "/split");
  const block = whole.subarray(9);
  for (let at = 0; at <= block.length; at++) {
    const [id, parts] = [1 + 2 * at, [block.subarray(0, at), block.subarray(at)] as const];
    served.client.socket.write(frame(HEADERS, 1, id, parts[0]));
    served.client.socket.write(frame(CONTINUATION, 4, id, parts[1]));
  }
  await until(() => served.seen.length === block.length + 1);
  expect(new Set(served.seen)).toEqual(new Set(["GET https://one.test/split "]));
  served.client.socket.destroy();
});

const post = (id: number, length: string): Buffer =>
  requestFrame(id, "one.test", "/", {
    method: "POST",
    open: true,
    headers: { "content-length": length },
  });

test.each([
  ["shorter", [frame(DATA, 1, 1, Buffer.from("abc"))]],
  ["longer", [frame(DATA, 0, 1, Buffer.from("abcdef"))]],
  [
    "longer in two parts",
    [frame(DATA, 0, 1, Buffer.from("abc")), frame(DATA, 1, 1, Buffer.from("def"))],
  ],
  [
    "shorter with trailers",
    [frame(DATA, 0, 1, Buffer.from("abc")), frame(HEADERS, 5, 1, Buffer.of(0, 1, 97, 1, 98))],
  ],
])(
  "a body that is %s than its length resets the stream, and has no effect",
  async (_what, frames) => {
    await using served = await one();
    served.client.socket.write(Buffer.concat([post(1, "5"), ...frames]));
    const answer = await firstOn(served.client, 1);
    expect([answer?.type, answer?.payload.readUInt32BE(0)]).toEqual([RST_STREAM, PROTOCOL]);
    served.client.socket.write(
      Buffer.concat([post(3, "5"), frame(DATA, 1, 3, Buffer.from("right"))]),
    );
    await until(() => served.seen.length === 1);
    expect(served.seen).toEqual(["POST https://one.test/ right"]);
    served.client.socket.destroy();
  },
);

test("trailers after a body of the right length are accepted", async () => {
  await using served = await one();
  const trailers = frame(HEADERS, 5, 1, Buffer.of(0, 1, 97, 1, 98));
  served.client.socket.write(
    Buffer.concat([post(1, "3"), frame(DATA, 0, 1, Buffer.from("abc")), trailers]),
  );
  await until(() => served.seen.length === 1);
  expect(served.seen).toEqual(["POST https://one.test/ abc"]);
  served.client.socket.destroy();
});

test("trailers larger than the headers of a request may be are refused", async () => {
  await using served = await one();
  // A field whose value has 33,000 bytes.
  const block = Buffer.concat([
    Buffer.of(0, 1, 97, 0x7f, 0xe9, 0x80, 0x02),
    Buffer.alloc(33_000, "x"),
  ]);
  const sent = [post(1, "3"), frame(DATA, 0, 1, Buffer.from("abc"))];
  sent.push(frame(HEADERS, 1, 1, block.subarray(0, 16_000)));
  sent.push(frame(CONTINUATION, 0, 1, block.subarray(16_000, 32_000)));
  sent.push(frame(CONTINUATION, 4, 1, block.subarray(32_000)));
  served.client.socket.write(Buffer.concat(sent));
  const answer = await firstOn(served.client, 1);
  expect([answer?.type, answer?.payload.readUInt32BE(0)]).toEqual([RST_STREAM, PROTOCOL]);
  expect(served.seen).toEqual([]);
  served.client.socket.destroy();
});

test("the window of a stream may not exceed 2^31 - 1", async () => {
  await using served = await one();
  const update = frame(WINDOW_UPDATE, 0, 1, uint32(0x7fff_ffff));
  served.client.socket.write(Buffer.concat([post(1, "5"), update]));
  const answer = await firstOn(served.client, 1);
  expect([answer?.type, answer?.payload.readUInt32BE(0)]).toEqual([RST_STREAM, FLOW_CONTROL]);
  served.client.socket.destroy();
});

const endless = Array.from({ length: 9_000 }, () => frame(CONTINUATION, 0, 1));
const open = frame(HEADERS, 1, 1, Buffer.of(0x82));
test.each([
  ["empty continuations without an end", CALM, [open, ...endless]],
  [
    "a ping between the frames of a header block",
    PROTOCOL,
    [open, frame(6, 0, 0, Buffer.alloc(8))],
  ],
  ["a continuation of another stream", PROTOCOL, [open, frame(CONTINUATION, 4, 3)]],
  ["a continuation of nothing", PROTOCOL, [frame(CONTINUATION, 4, 1)]],
  ["padding longer than its frame", PROTOCOL, [frame(HEADERS, 0x0d, 1, Buffer.of(9, 0x82))]],
  ["padding without its length", FRAME_SIZE, [frame(HEADERS, 0x0d, 1)]],
  ["an even stream", PROTOCOL, [frame(HEADERS, 5, 2, Buffer.of(0x82))]],
  ["a late size of the table", COMPRESSION, [frame(HEADERS, 5, 1, Buffer.of(0x82, 0x20))]],
  [
    "a late size in a continuation",
    COMPRESSION,
    [open, frame(CONTINUATION, 4, 1, Buffer.of(0x3f, 0x10))],
  ],
  [
    "a late size in trailers",
    COMPRESSION,
    [post(1, "0"), frame(HEADERS, 5, 1, Buffer.of(0x82, 0x20))],
  ],
])("%s ends the connection", async (_what, code, frames) => {
  await using served = await one();
  served.client.socket.write(Buffer.concat(frames));
  expect(await errorOf(served.client)).toBe(code);
  expect(served.seen).toEqual([]);
});

test("a header block that repeats large fields of the table is refused without being copied", async () => {
  await using served = await one();
  const value = Buffer.alloc(4_000, "x");
  const field = Buffer.concat([Buffer.of(0x40, 1, 97, 0x7f, 0xa1, 0x1e), value]);
  const block = Buffer.concat([
    requestFrame(1, "one.test", "/").subarray(9),
    field,
    Buffer.alloc(12_000, 0xbe),
  ]);
  served.client.socket.write(Buffer.concat([frame(HEADERS, 5, 1, block.subarray(0, 16_384))]));
  const answer = await firstOn(served.client, 1);
  expect(answer?.type).toBe(HEADERS);
  const fields: string[] = [];
  new FieldDecoder().decode(answer?.payload ?? Buffer.of(), ({ value }) => void fields.push(value));
  expect(fields).toContain("431");
  expect(served.seen).toEqual([]);
  served.client.socket.destroy();
});

test("the client gets the table's size of the relay", async () => {
  await using served = await one();
  const settings = () =>
    served.client.frames.find(({ type, payload }) => type === SETTINGS && payload.length > 0);
  await until(() => settings() !== undefined);
  const { payload = Buffer.alloc(0) } = settings() ?? {};
  for (let at = 0; at < payload.length; at += 6) {
    if (payload.readUInt16BE(at) === 1) expect(payload.readUInt32BE(at + 2)).toBe(4_096);
  }
  served.client.socket.destroy();
});
