import { afterAll, beforeAll, expect, test } from "bun:test";
import { connect, type Socket } from "node:net";
import { connect as connectTls, type TLSSocket } from "node:tls";

import { readSince } from "../../../domains/tls/records.ts";
import { createHoldings } from "../../../adapters/holdings/holdings.ts";
import { firstToClose } from "../../../adapters/holdings/overload.ts";
import { startPlainHttp2 } from "../../../server/listeners/plain-http2.ts";
import { manualClock } from "../../helpers/clock.ts";
import { until } from "../../helpers/dns/until.ts";
import {
  CONTINUATION,
  frame,
  HEADERS,
  rawClient,
  requestFrame,
} from "../../helpers/http2-frames.ts";
import { presentedFor } from "../../helpers/presented.ts";
import { http2Request, http2Session, shakeHands } from "../../helpers/tls-client.ts";
import { startFront, useEngine } from "../../helpers/tls-front.ts";

beforeAll(() => useEngine(startPlainHttp2));
afterAll(() => useEngine(undefined));

const LIMIT = 100_000;
/** Each sends about this much without completing it. */
const EACH = 12_000;
const CLIENTS = 20;
const [GOAWAY, CALM] = [7, 11];

async function limited() {
  const clock = manualClock(Date.now());
  let collected = 0;
  const served = await startFront({
    clock,
    holdings: createHoldings({
      clock,
      limits: { maxUnfinishedBytes: LIMIT },
      collect: () => void collected++,
    }),
    fetch: async (request) => new Response(`read ${(await request.bytes()).length}`),
  });
  served.live.set("one.test", await presentedFor("one", "one.test"));
  return { ...served, clock, collected: () => collected };
}

const fill = (length: number): Buffer => Buffer.alloc(length, "x");
/** A header field of 1,006 bytes. */
const field = Buffer.concat([Buffer.of(0, 1, 97, 0x7f, 0xe9, 6), fill(1_000)]);
const block = Buffer.concat([Buffer.of(0x82, 0x87, 0x84), ...Array(12).fill(field)]);

/** Opens a TLS connection, and returns the one below it too. */
async function layers(port: number): Promise<{ readonly raw: Socket; readonly tls: TLSSocket }> {
  const raw = connect(port, "127.0.0.1");
  const tls = connectTls({ socket: raw, servername: "one.test", rejectUnauthorized: false });
  await new Promise((resolve) => tls.once("secureConnect", resolve));
  return { raw, tls };
}

const record = Buffer.concat([Buffer.of(23, 3, 3, 0x3e, 0x80), fill(EACH)]);

interface Client {
  readonly socket: Socket;
  readonly send: () => void;
}

const attacks: Readonly<Record<string, (port: number) => Promise<Client>>> = {
  "a header block in one frame, without its end": async (port) => {
    const { socket } = await rawClient(port, "one.test", 0);
    return { socket, send: () => void socket.write(frame(HEADERS, 1, 1, block)) };
  },
  "a header block in trickled continuations": async (port) => {
    const { socket } = await rawClient(port, "one.test", 0);
    const send = (): void => {
      socket.write(frame(HEADERS, 1, 1, block.subarray(0, 3)));
      for (let at = 3; at < block.length; at += 503) {
        socket.write(frame(CONTINUATION, 0, 1, block.subarray(at, at + 503)));
      }
    };
    return { socket, send };
  },
  "a header block in continuations of one byte": async (port) => {
    const { socket } = await rawClient(port, "one.test", 0);
    const send = (): void => {
      socket.write(frame(HEADERS, 1, 1, block.subarray(0, 11_000)));
      const tiny = Array.from({ length: 1_000 }, () => frame(CONTINUATION, 0, 1, Buffer.of(0)));
      socket.write(Buffer.concat(tiny));
    };
    return { socket, send };
  },
  "a frame that is not complete": async (port) => {
    const { socket } = await rawClient(port, "one.test", 0);
    return { socket, send: () => void socket.write(frame(HEADERS, 5, 1, block).subarray(0, EACH)) };
  },
  "a head of HTTP/1.1, line by line": async (port) => {
    const socket = await shakeHands(port, { serverName: "one.test" });
    const send = (): void => {
      socket.write("GET / HTTP/1.1\r\nhost: one.test\r\n");
      for (let line = 0; line < 24; line++) socket.write(`x-${line}: ${"y".repeat(490)}\r\n`);
    };
    return { socket, send };
  },
  "a head after a complete request of HTTP/1.1": async (port) => {
    const socket = await shakeHands(port, { serverName: "one.test" });
    const send = (): void => {
      const whole = "POST / HTTP/1.1\r\nhost: one.test\r\ncontent-length: 3\r\n\r\nabc";
      socket.write(`${whole}GET / HTTP/1.1\r\nhost: one.test\r\nx-a: ${"y".repeat(14_000)}`);
    };
    return { socket, send };
  },
  "a hello": async (port) => {
    const socket = connect(port, "127.0.0.1");
    await new Promise<void>((resolve) => socket.once("connect", resolve));
    const hello = Buffer.concat([Buffer.of(22, 3, 1, 0x3e, 0x80, 1, 0, 0x3e, 0x70), fill(EACH)]);
    return { socket, send: () => void socket.write(hello) };
  },
  "a record": async (port) => {
    const { raw } = await layers(port);
    return { socket: raw, send: () => void raw.write(record) };
  },
  "a record after a complete one": async (port) => {
    const { raw, tls } = await layers(port);
    tls.write("GET / HTTP/1.1\r\n");
    return { socket: raw, send: () => void raw.write(record) };
  },
};

test.each(Object.entries(attacks))(
  "of clients that each send %s, as many are closed as exceed the limit, and others are served",
  async (what, attack) => {
    await using served = await limited();
    const patient = await http2Session(served.port, "one.test");
    const clients = await Promise.all(Array.from({ length: CLIENTS }, () => attack(served.port)));
    for (const { socket } of clients) socket.on("error", () => undefined).resume();
    await until(() => served.front.connections === CLIENTS + 1);
    for (const { send } of clients) send();
    // Records are counted once a second.
    const wait = setInterval(
      () => served.clock.advance(what.startsWith("a record") ? 1_000 : 0),
      20,
    );
    await until(() => served.front.connections <= 1 + LIMIT / EACH);
    clearInterval(wait);
    expect(served.front.heldBytes).toBeLessThanOrEqual(LIMIT + 10_000);
    expect(served.front.connections).toBeGreaterThan(LIMIT / 30_000);
    expect(served.collected()).toBeGreaterThan(0);
    expect((await http2Request(patient, { ":path": "/" })).body).toBe("read 0");
    patient.destroy();
    for (const { socket } of clients) socket.destroy();
    await until(() => served.front.heldBytes === 0);
  },
);

test("the client of an unfinished header block gets ENHANCE_YOUR_CALM", async () => {
  await using served = await limited();
  const clients = await Promise.all(
    Array.from({ length: 10 }, () => rawClient(served.port, "one.test", 0)),
  );
  for (const { socket } of clients) socket.write(frame(HEADERS, 1, 1, block));
  const last = (await Promise.race(clients.map(({ closed }) => closed))).at(-1);
  expect([last?.type, last?.payload.readUInt32BE(4)]).toEqual([GOAWAY, CALM]);
  for (const { socket } of clients) socket.destroy();
});

test("the client of an unfinished head of HTTP/1.1 gets 503", async () => {
  await using served = await limited();
  const sockets = await Promise.all(
    Array.from({ length: 10 }, () => shakeHands(served.port, { serverName: "one.test" })),
  );
  const answers = sockets.map(
    (socket) =>
      new Promise<string>((resolve) => socket.once("data", (text) => resolve(String(text)))),
  );
  for (const socket of sockets) {
    socket.on("error", () => undefined);
    socket.write(`GET / HTTP/1.1\r\nhost: one.test\r\nx-a: ${"y".repeat(EACH)}`);
  }
  expect(await Promise.race(answers)).toStartWith("HTTP/1.1 503 Service Unavailable\r\n");
  for (const socket of sockets) socket.destroy();
});

test("complete requests leave nothing behind, on connections that stay open", async () => {
  await using served = await limited();
  const socket = await shakeHands(served.port, { serverName: "one.test" });
  const text = (): Promise<string> =>
    new Promise((resolve) => socket.once("data", (answer) => resolve(String(answer))));
  for (const length of [3, 5_000, 40_000]) {
    // One after the other.
    // oxlint-disable-next-line no-await-in-loop
    const [answer] = await Promise.all([
      text(),
      socket.write(
        `POST / HTTP/1.1\r\nhost: one.test\r\ncontent-length: ${length}\r\n\r\n${"x".repeat(length)}`,
      ),
    ]);
    expect(answer).toContain(`read ${length}`);
    // oxlint-disable-next-line no-await-in-loop
    await until(() => served.front.heldBytes === 0);
  }
  const client = await rawClient(served.port, "one.test", 65_535);
  client.socket.write(requestFrame(1, "one.test", "/"));
  await until(() => client.frames.some(({ type }) => type === HEADERS));
  await until(() => served.front.heldBytes === 0);
  for (const one of [socket, client.socket]) one.destroy();
});

const START = { sealed: 1_600, plain: 0, incomplete: 0 };
test.each([
  ["the end of the handshake", [[1_680, 0]], 80],
  ["a request", [[2_000, 300]], 0],
  [
    "many small records",
    [
      [3_600, 600],
      [5_600, 1_200],
    ],
    0,
  ],
  ["a part of a record", [[9_600, 0]], 8_000],
  [
    "a part that grows",
    [
      [1_700, 0],
      [1_800, 0],
      [4_600, 0],
    ],
    3_000,
  ],
  [
    "a part that was completed",
    [
      [9_600, 0],
      [18_000, 16_350],
    ],
    0,
  ],
  ["a part after a request in the same second", [[10_000, 100]], 8_000],
  ["no more than a record", [[1_000_000, 0]], 16_645],
] as const)(
  "of %s, the bytes of the incomplete record are estimated",
  (_what, samples, expected) => {
    let read = START;
    for (const [sealed, plain] of samples) read = readSince(read, sealed, plain);
    expect(read.incomplete).toBe(expected);
  },
);

test.each([
  ["the largest of the same age", [10, 30, 20], [0, 0, 0], 1],
  ["the oldest of the same size", [10, 10, 10], [2, 1, 3], 1],
  ["a large one that is young after a small one that is old", [1_000, 30_000], [0, 9_999], 0],
  ["a large one before a small one that is a little older", [1_000, 30_000], [9_000, 9_500], 1],
  ["none if nothing is unfinished", [0, 0], [0, 0], undefined],
  ["the first if the clock was set back", [10, 10], [20_000, 30_000], 0],
])("the first to close is %s", (_what, sizes, since, expected) => {
  const all = sizes.map((unfinished, index) => ({ unfinished, since: since[index] ?? 0, index }));
  expect(firstToClose(all, 10_000)?.index).toBe(expected as never);
});
