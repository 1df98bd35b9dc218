import { createConnection, createServer, isIP, type Socket } from "node:net";

import { SECOND_MS, type Clock } from "../../lib/base/clock.ts";

/** What a proxy reports about a connection. */
export interface ProxyHeader {
  /** Address of the client; undefined if the connection is the proxy's own, such as a health check. */
  readonly address: string | undefined;
  /** Bytes before those of the client. */
  readonly length: number;
}

/** The longest header that is accepted, of both versions. */
export const MAX_HEADER_BYTES = 536;
/** A line of version 1 (§2.1). */
const MAX_LINE_BYTES = 107;
const HEADER_WITHIN_MS = SECOND_MS;

const LINE_START = Buffer.from("PROXY ");
const SIGNATURE = Buffer.from("\r\n\r\n\0\r\nQUIT\n", "latin1");
const FIXED_BYTES = 16;

/**
 * Parses the beginning of a connection (PROXY protocol, versions 1 and 2). `partial` if more bytes are needed; undefined if
 * it is not a valid header.
 */
export function parseProxyHeader(bytes: Uint8Array): ProxyHeader | "partial" | undefined {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (beginsLike(start, LINE_START)) return parseLine(start);
  return beginsLike(start, SIGNATURE) ? parseBinary(start) : undefined;
}

function beginsLike(start: Buffer, expected: Buffer): boolean {
  const length = Math.min(start.length, expected.length);
  return start.subarray(0, length).equals(expected.subarray(0, length));
}

function parseLine(start: Buffer): ProxyHeader | "partial" | undefined {
  const end = start.subarray(0, MAX_LINE_BYTES).indexOf("\r\n");
  if (end === -1) return start.length < MAX_LINE_BYTES ? "partial" : undefined;
  const length = end + 2;
  const [, family, source = "", target = "", ...ports] = start
    .toString("latin1", 0, end)
    .split(" ");
  if (family === "UNKNOWN") return { address: undefined, length };
  const version = family === "TCP4" ? 4 : family === "TCP6" ? 6 : undefined;
  const valid =
    isIP(source) === version &&
    isIP(target) === version &&
    ports.length === 2 &&
    ports.every((port) => /^(?:0|[1-9]\d{0,4})$/.test(port) && Number(port) < 65_536);
  return valid ? { address: source, length } : undefined;
}

function parseBinary(start: Buffer): ProxyHeader | "partial" | undefined {
  if (start.length < FIXED_BYTES) return "partial";
  const length = FIXED_BYTES + start.readUInt16BE(14);
  const command = start[12];
  if (length > MAX_HEADER_BYTES || (command !== LOCAL && command !== PROXY)) return undefined;
  if (start.length < length) return "partial";
  const own = { address: undefined, length };
  if (command === LOCAL) return own;
  const addresses = start.subarray(FIXED_BYTES, length);
  const family = start[13];
  if (family === UNSPECIFIED) return own;
  if (family === TCP_OVER_IPV4 && addresses.length >= 12) {
    return { address: addresses.subarray(0, 4).join("."), length };
  }
  if (family === TCP_OVER_IPV6 && addresses.length >= 36) {
    const groups = Array.from({ length: 8 }, (_, index) => addresses.readUInt16BE(2 * index));
    const written = groups.map((group) => group.toString(16)).join(":");
    // In the form in which the system reports addresses.
    return { address: new URL(`http://[${written}]/`).hostname.slice(1, -1), length };
  }
  return undefined;
}

const LOCAL = 0x20;
const PROXY = 0x21;
const UNSPECIFIED = 0x00;
const TCP_OVER_IPV4 = 0x11;
const TCP_OVER_IPV6 = 0x21;

/** Finds the client's address of a connection. `trusted` are the proxies, which must send a header on each connection. */
export interface ProxyReader {
  readonly trusted: (address: string) => boolean;
  readonly clock: Clock;
}

/**
 * Reads the header of a trusted proxy from a connection, which is then paused before the client's first byte. Resolves with
 * the client's address; for other peers with theirs, without reading. Undefined if the header is missing, invalid or late:
 * then the connection is closed.
 */
export async function clientAddressOf(
  socket: Socket,
  { trusted, clock }: ProxyReader,
): Promise<string | undefined> {
  const peer = unmapped(socket.remoteAddress ?? "");
  if (!trusted(peer)) return peer === "" ? undefined : peer;
  const over = new AbortController();
  const found = await new Promise<ProxyHeader | undefined>((resolve) => {
    let received: Buffer = Buffer.alloc(0);
    const end = (header: ProxyHeader | undefined): void => {
      socket.off("data", read);
      socket.off("close", giveUp);
      over.abort();
      resolve(header);
    };
    const giveUp = (): void => end(undefined);
    const read = (chunk: Buffer): void => {
      received = Buffer.concat([received, chunk]);
      const header = parseProxyHeader(received);
      if (header === "partial") return;
      socket.pause();
      if (header !== undefined && header.length < received.length) {
        socket.unshift(received.subarray(header.length));
      }
      end(header);
    };
    socket.on("data", read);
    socket.on("close", giveUp);
    clock.sleep(HEADER_WITHIN_MS, over.signal).then(giveUp, () => undefined);
  });
  if (found === undefined) {
    socket.destroy();
    return undefined;
  }
  return found.address ?? peer;
}

/** `::ffff:192.0.2.1` is how a socket for both families reports an IPv4 address. */
function unmapped(address: string): string {
  return address.startsWith("::ffff:") && address.includes(".") ? address.slice(7) : address;
}

/** A listener for proxies before one on this machine, which speaks no PROXY protocol. */
export interface ProxiedListener {
  readonly port: number;
  /** Returns the client of a connection to the listener behind, by the port that it came from. */
  readonly clientOf: (port: number) => string | undefined;
  /** Accepts no more connections. */
  stop(): void;
  /** Closes all connections. */
  end(): void;
}

/** Listens for connections from proxies and others, and forwards them to a port of this machine. Rejects with the system's error. */
export async function listenBehindProxies(
  at: { readonly host: string; readonly port: number },
  behind: number,
  reader: ProxyReader,
): Promise<ProxiedListener> {
  const clients = new Map<number, string>();
  const open = new Set<Socket>();
  const accept = async (socket: Socket): Promise<void> => {
    const address = await clientAddressOf(socket, reader);
    if (address === undefined) return;
    const inner = createConnection({ host: "127.0.0.1", port: behind, noDelay: true });
    inner.on("error", () => undefined);
    let port: number | undefined;
    inner.once("connect", () => {
      port = inner.localPort;
      if (port !== undefined) clients.set(port, address);
      socket.pipe(inner);
      inner.pipe(socket);
      socket.resume();
    });
    inner.once("close", () => {
      if (port !== undefined) clients.delete(port);
      socket.destroy();
    });
    socket.once("close", () => inner.destroy());
  };
  const server = createServer({ noDelay: true, allowHalfOpen: true }, (socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
    // A disconnect is not an error.
    socket.on("error", () => undefined);
    void accept(socket);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(at.port, at.host, resolve);
  });
  const bound = server.address();
  return {
    port: bound === null || typeof bound === "string" ? at.port : bound.port,
    clientOf: (port) => clients.get(port),
    stop: () => void server.close(),
    end: () => {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}
