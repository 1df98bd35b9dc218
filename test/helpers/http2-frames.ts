import type { TLSSocket } from "node:tls";

import { shakeHands } from "./tls-client.ts";

/** Frame types (RFC 9113 §6). */
export const DATA = 0;
export const HEADERS = 1;
export const RST_STREAM = 3;
export const SETTINGS = 4;
export const PING = 6;
export const GOAWAY = 7;
export const WINDOW_UPDATE = 8;
export const CONTINUATION = 9;

const ACK = 1;
const END_STREAM = 1;
const END_HEADERS = 4;
const INITIAL_WINDOW_SIZE = 4;
const MAX_WINDOW = 0x7fff_ffff;
const PREFACE = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");

export function frame(
  type: number,
  flags: number,
  stream: number,
  payload: Uint8Array = new Uint8Array(),
): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** Returns a HEADERS frame for a request; `headers` are added to the four pseudo-headers. */
export function requestFrame(
  stream: number,
  host: string,
  path: string,
  { method = "GET", open = false, headers = {} }: Asked = {},
): Buffer {
  const fields = {
    ":method": method,
    ":scheme": "https",
    ":authority": host,
    ":path": path,
    ...headers,
  };
  const block = Object.entries(fields).map(([name, value]) =>
    // Literal, not indexed, a new name (RFC 7541 §6.2.2).
    Buffer.concat([Buffer.of(0), text(name), text(value)]),
  );
  const flags = open ? END_HEADERS : END_STREAM | END_HEADERS;
  return frame(HEADERS, flags, stream, Buffer.concat(block));
}

export interface Asked {
  readonly method?: string;
  /** True if a body follows. */
  readonly open?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Encodes a string literal without Huffman coding (RFC 7541 §5.2). */
function text(value: string): Buffer {
  const bytes = Buffer.from(value);
  const length: number[] = [];
  let rest = bytes.length;
  if (rest < 127) length.push(rest);
  else {
    length.push(127);
    for (rest -= 127; rest >= 128; rest = Math.floor(rest / 128)) length.push((rest % 128) + 128);
    length.push(rest);
  }
  return Buffer.concat([Buffer.from(length), bytes]);
}

export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** A received frame. */
export interface Frame {
  readonly type: number;
  readonly stream: number;
  readonly payload: Buffer;
}

/** A client that can send any frame. */
export interface RawClient {
  readonly socket: TLSSocket;
  readonly frames: Frame[];
  /** Resolves with all frames after the other side disconnects. */
  readonly closed: Promise<readonly Frame[]>;
}

/** Connects with the given stream window and the largest connection window. */
export async function rawClient(port: number, host: string, window: number): Promise<RawClient> {
  const socket = await shakeHands(port, { serverName: host, protocols: ["h2"] });
  const frames: Frame[] = [];
  let arrived = Buffer.alloc(0);
  socket.on("data", (chunk: Buffer) => {
    arrived = Buffer.concat([arrived, chunk]);
    while (arrived.length >= 9 && arrived.length >= 9 + arrived.readUIntBE(0, 3)) {
      const end = 9 + arrived.readUIntBE(0, 3);
      const [type = 0, stream] = [arrived[3], arrived.readUInt32BE(5)];
      frames.push({ type, stream, payload: arrived.subarray(9, end) });
      arrived = arrived.subarray(end);
    }
  });
  socket.on("error", () => undefined);
  const closed = new Promise<readonly Frame[]>((resolve) => {
    socket.once("close", () => resolve(frames));
  });
  const settings = Buffer.concat([Buffer.of(0, INITIAL_WINDOW_SIZE), uint32(window)]);
  const wide = uint32(MAX_WINDOW - 65_535);
  socket.write(
    Buffer.concat([
      PREFACE,
      frame(SETTINGS, 0, 0, settings),
      frame(WINDOW_UPDATE, 0, 0, wide),
      frame(SETTINGS, ACK, 0),
    ]),
  );
  return { socket, frames, closed };
}
