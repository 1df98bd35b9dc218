// A client process that sends many requests and reads nothing, or requests without an end: attack.ts PORT HOST KIND CONNECTIONS PLAIN_PORT.
import { connect, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";

import {
  CONTINUATION,
  frame,
  HEADERS,
  requestFrame,
  rawClient,
} from "../../helpers/http2-frames.ts";
import { shakeHands } from "../../helpers/tls-client.ts";

const [port = "", host = "", kind = "", connections = "40", plainPort = ""] = process.argv.slice(2);
const PATH = "/manage/v1/openapi.json";
const AGAIN_MS = 20;

const attacks: Readonly<Record<string, () => Promise<void>>> = {
  /** Opens a hundred streams with closed windows, and reconnects after disconnections. */
  streams: async () => {
    const client = await rawClient(Number(port), host, 0);
    for (let index = 0; index < 100; index++) {
      client.socket.write(requestFrame(1 + 2 * index, host, PATH));
    }
    await client.closed;
  },
  /** Pipelines requests endlessly. */
  pipelining: async () => {
    const socket = await shakeHands(Number(port), { serverName: host });
    const requests = `GET ${PATH} HTTP/1.1\r\nhost: ${host}\r\n\r\n`.repeat(100);
    const closed = new Promise((resolve) => socket.once("close", resolve));
    socket.on("error", () => undefined);
    socket.pause();
    const send = (): void => {
      while (!socket.destroyed && socket.write(requests));
    };
    socket.on("drain", send);
    send();
    await closed;
  },
};

const BLOCK = Buffer.alloc(61_000, "x");
/** A field whose value is longer than the block. */
Buffer.of(0x82, 0x00, 1, 97, 0x7f, 0xff, 0xff, 0x7f).copy(BLOCK);
const PART = 16_000;

const trickling: Promise<void>[] = [];

/** Goes on beside other connections: sends the parts one after the other. */
function slowly(parts: number, send: (part: number) => void): void {
  const go = async (): Promise<void> => {
    for (let part = 0; part < parts; part++) {
      send(part);
      // The next one follows later.
      // oxlint-disable-next-line no-await-in-loop
      await Bun.sleep(AGAIN_MS);
    }
  };
  trickling.push(go());
}

/** Sends a head line by line. */
function trickleHead(socket: Socket): void {
  socket.on("error", () => undefined);
  socket.write(`GET / HTTP/1.1\r\nhost: ${host}\r\n`);
  slowly(60, (line) => socket.write(`x-${line}: ${"y".repeat(500)}\r\n`));
}

let opened = 0;

/** Connects without TLS. */
async function plain(): Promise<Socket> {
  const socket = connect(Number(plainPort), "127.0.0.1");
  socket.on("error", () => undefined);
  await new Promise((resolve) => void socket.once("connect", resolve));
  return socket;
}

/** What each connection sends once, and never completes. */
const unfinished: Readonly<Record<string, () => Promise<void>>> = {
  idle: async () => {
    await rawClient(Number(port), host, 0);
  },
  block: async () => {
    const { socket } = await rawClient(Number(port), host, 0);
    socket.write(frame(HEADERS, 1, 1, BLOCK.subarray(0, PART)));
    for (let at = PART; at < BLOCK.length; at += PART) {
      socket.write(frame(CONTINUATION, 0, 1, BLOCK.subarray(at, at + PART)));
    }
  },
  trickle: async () => {
    const { socket } = await rawClient(Number(port), host, 0);
    socket.write(frame(HEADERS, 1, 1, BLOCK.subarray(0, 500)));
    slowly(60, (at) => socket.write(frame(CONTINUATION, 0, 1, BLOCK.subarray(0, 500 + at))));
  },
  head: async () => trickleHead(await shakeHands(Number(port), { serverName: host })),
  /** By turns over TLS and over plain HTTP. */
  both: async () => {
    if (opened++ % 2 === 0) {
      trickleHead(await shakeHands(Number(port), { serverName: host }));
      return;
    }
    trickleHead(await plain());
  },
  "plain-idle": async () => {
    await plain();
  },
  "plain-head": async () => {
    const socket = await plain();
    socket.write(`GET / HTTP/1.1\r\nhost: ${host}\r\n`);
    slowly(12, (line) => socket.write(`x-${line}: ${"y".repeat(5_000)}\r\n`));
  },
  "plain-body": async () => {
    const socket = await plain();
    // It is refused, and what arrives of the body is dropped.
    socket.write(`POST /v1/pets HTTP/1.1\r\nhost: ${host}\r\ncontent-length: 61000\r\n\r\n`);
    slowly(12, () => socket.write("y".repeat(5_000)));
  },
  record: async () => {
    const raw = connect(Number(port), "127.0.0.1");
    const options = { servername: host, rejectUnauthorized: false, ALPNProtocols: ["h2"] };
    const tls = connectTls({ socket: raw, ...options });
    for (const socket of [raw, tls]) socket.on("error", () => undefined);
    await new Promise((resolve) => tls.once("secureConnect", resolve));
    raw.write(Buffer.concat([Buffer.of(23, 3, 3, 0x40, 0), BLOCK.subarray(0, PART)]));
  },
};

const once = unfinished[kind];
if (once !== undefined) {
  // As many at a time as the server's queue holds.
  const next = async (left: number): Promise<void> => {
    if (left <= 0) return;
    await once().catch(() => undefined);
    await next(left - 1);
  };
  await Promise.all(Array.from({ length: 50 }, () => next(Number(connections) / 50)));
  await Promise.all(trickling);
  console.log("begun");
  await new Promise(() => undefined);
}

const attack = attacks[kind];
if (attack === undefined) throw new Error(`There is no attack ${kind}.`);
const persist = async (): Promise<never> => {
  for (;;) {
    await attack().catch(() => undefined);
    await Bun.sleep(AGAIN_MS);
  }
};
console.log("begun");
await Promise.all(Array.from({ length: Number(connections) }, persist));
