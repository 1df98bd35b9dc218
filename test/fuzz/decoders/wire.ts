import { EventEmitter } from "node:events";

import { addressOf, authorityOf, exactPath } from "../../../adapters/hosts/node-request.ts";
import { FieldDecoder } from "../../../domains/tls/hpack.ts";
import {
  MAX_HELLO_BYTES,
  readClientHello,
  readFirstFlight,
} from "../../../domains/tls/client-hello.ts";
import {
  FRAME,
  FrameReader,
  PREFACE,
  ProtocolError,
  fragmentOf,
  frame,
} from "../../../domains/tls/http2-frames.ts";
import { createHoldings } from "../../../adapters/holdings/holdings.ts";
import { limitsFrom } from "../../../domains/tls/limits.ts";
import { Relay, type Upstream } from "../../../domains/tls/relay.ts";
import { HeadReader } from "../../../domains/tls/request-head.ts";
import { parseProxyHeader } from "../../../server/listeners/proxy-protocol.ts";
import { manualClock } from "../../../testing/clock.ts";
import type { Chance } from "../../helpers/chance.ts";
import { ofBytes, ofText, type Decoder } from "../kit/decoder.ts";
import { joined } from "../kit/mutate.ts";
import { requestTarget } from "./targets.ts";
import {
  bytesOf,
  chunksOf,
  hostName,
  latin1,
  LETTERS,
  listOf,
  numberIn,
  textOf,
  vector,
  VISIBLE,
} from "./writing.ts";

/** An integer of a header block (RFC 7541 §5.1), at times in more octets than it needs. */
function integer(random: Chance, bits: number, first: number, value: number): number[] {
  const full = (1 << bits) - 1;
  if (value < full && random.true(0.98)) return [first | value];
  const octets = [first | full];
  let rest = Math.max(0, value - full);
  for (; rest >= 128; rest = Math.floor(rest / 128)) octets.push((rest % 128) + 128);
  const padding = random.true(0.95) ? 0 : random.between(1, 200);
  if (padding > 0) octets.push(rest | 128, ...Array<number>(padding - 1).fill(128), 0);
  else octets.push(rest);
  return octets;
}

function blockText(random: Chance, text: string): number[] {
  const bytes = latin1(text);
  const coded = random.true(0.3) ? 0x80 : 0;
  const length = random.true(0.98) ? bytes.length : random.pick([0, 127, 4_096, 2 ** 31, 2 ** 53]);
  return [...integer(random, 7, coded, length), ...bytes];
}

function blockField(random: Chance): number[] {
  const value = (): number[] => blockText(random, textOf(random, VISIBLE, 0, 20));
  switch (random.between(0, 4)) {
    case 0:
      return integer(random, 7, 0x80, random.between(1, 70));
    case 1:
      return [...integer(random, 6, 0x40, random.between(1, 61)), ...value()];
    case 2:
      return [...integer(random, 4, 0x00, random.between(1, 61)), ...value()];
    case 3:
      return [0x10, ...blockText(random, textOf(random, LETTERS, 1, 12)), ...value()];
    default:
      return [
        0x00,
        ...blockText(random, ":path"),
        ...blockText(random, `/${textOf(random, VISIBLE, 0, 30)}`),
      ];
  }
}

function headerBlock(random: Chance): Uint8Array {
  const sizes = random.true(0.2) ? integer(random, 5, 0x20, random.between(0, 5_000)) : [];
  return Uint8Array.from([...sizes, ...listOf(1, 6, random, () => blockField(random)).flat()]);
}

/** Repeats bytes up to a size. */
function filled(size: number, bytes: readonly number[]): Uint8Array {
  return Uint8Array.from({ length: size }, (_, at) => bytes[at % bytes.length] ?? 0);
}

/** The octets of an integer after the first (RFC 7541 §5.1). */
function numberOf(value: number): number[] {
  const octets: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return [...octets, rest];
    octets.push((rest % 128) + 128);
  }
}

/** A field that fills the table of a connection with its name. */
const largeName = Uint8Array.from([
  0x40,
  0x7f,
  ...numberOf(4_000 - 127),
  ...filled(4_000, [0x61]),
  0x00,
]);

const refusesFrame = (error: unknown): boolean => error instanceof ProtocolError;

/** Frames of one client, mostly of requests. */
function frames(random: Chance): Uint8Array {
  let stream = 1;
  const next = (): Buffer[] => {
    const id = random.true(0.9) ? stream : random.between(0, 9);
    switch (random.between(0, 7)) {
      case 0:
      case 1: {
        stream += 2;
        const whole = headerBlock(random);
        if (random.true(0.6)) return [frame(FRAME.headers, random.pick([4, 5, 5]), id, whole)];
        const cut = random.between(0, whole.length);
        return [
          frame(FRAME.headers, random.pick([0, 1]), id, whole.subarray(0, cut)),
          ...listOf(0, 3, random, () => frame(FRAME.continuation, 0, id)),
          frame(FRAME.continuation, 4, id, whole.subarray(cut)),
        ];
      }
      case 2: {
        const padded = [random.between(0, 30), ...numberIn(5, 1), ...headerBlock(random), 0, 0, 0];
        return [
          frame(FRAME.headers, random.pick([0x2c, 0x0c, 0x24, 0x2d]), id, Uint8Array.from(padded)),
        ];
      }
      case 3:
        return [
          frame(FRAME.data, random.pick([0, 1]), id, Uint8Array.from(bytesOf(random, 0, 20))),
        ];
      case 4: {
        const entries = listOf(0, 3, random, () => [
          ...numberIn(2, random.between(0, 9)),
          ...numberIn(4, random.pick([0, 1, 16_384, 2 ** 24 - 1, 2 ** 24, 2 ** 32 - 1])),
        ]);
        return [frame(FRAME.settings, random.pick([0, 0, 1]), 0, Uint8Array.from(entries.flat()))];
      }
      case 5:
        return [frame(FRAME.reset, 0, id, Uint8Array.from(numberIn(4, 8)))];
      case 6:
        return [
          frame(
            FRAME.windowUpdate,
            0,
            id,
            Uint8Array.from(numberIn(4, random.pick([0, 1, 2 ** 31]))),
          ),
        ];
      default:
        return [
          frame(
            random.between(0, 20),
            random.between(0, 255),
            id,
            Uint8Array.from(bytesOf(random, 0, 12)),
          ),
        ];
    }
  };
  return joined(listOf(1, 5, random, next).flat());
}

const limits = limitsFrom({ maxHeaderBytes: 64 * 1_024 });
const holdings = createHoldings({ clock: manualClock(0) });

/** A relay between a client and a server that both only take. */
function relayed(bytes: Uint8Array): number | false {
  const tls = Object.assign(new EventEmitter(), {
    pause: () => undefined,
    resume: () => undefined,
    write: () => true,
    end: () => undefined,
    writableEnded: false,
  });
  let passed = 0;
  const upstream: Upstream = {
    write: (part) => {
      passed += part.length;
      return part.length;
    },
    pause: () => undefined,
    resume: () => undefined,
    end: () => undefined,
  };
  const holding = holdings.open(() => undefined);
  const connection = {
    socket: { destroy: () => undefined },
    holding,
    resume: () => undefined,
    pending: 0,
  };
  const relay = new Relay({
    relays: new Map(),
    connections: { begin: () => true, end: () => undefined },
    // Only what a relay uses of a connection and of its socket.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    connection: connection as never,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    tls: tls as never,
    limits,
  });
  relay.events.open(upstream);
  for (const chunk of chunksOf(bytes)) tls.emit("data", chunk);
  const refused = relay.destroyed;
  tls.emit("close");
  holding.close();
  if (holdings.bytes !== 0) throw new Error(`${holdings.bytes} bytes remain counted.`);
  return refused ? false : passed;
}

function extension(random: Chance): number[] {
  switch (random.between(0, 3)) {
    case 0: {
      const names = [0, ...vector(random, 2, latin1(hostName(random)))];
      return [0, 0, ...vector(random, 2, vector(random, 2, names))];
    }
    case 1: {
      const offered = listOf(0, 24, random, () =>
        vector(random, 1, latin1(random.pick(["h2", "http/1.1", "acme-tls/1", ""]))),
      );
      return [0, 16, ...vector(random, 2, vector(random, 2, offered.flat()))];
    }
    default:
      return [
        ...numberIn(2, random.between(0, 65_535)),
        ...vector(random, 2, bytesOf(random, 0, 20)),
      ];
  }
}

function clientHello(random: Chance): Uint8Array {
  const body = [
    3,
    3,
    ...bytesOf(random, 32, 32),
    ...vector(random, 1, bytesOf(random, 0, 32)),
    ...vector(random, 2, bytesOf(random, 1, 4)),
    ...vector(random, 1, [0]),
    ...(random.true(0.9)
      ? vector(random, 2, listOf(0, 4, random, () => extension(random)).flat())
      : []),
  ];
  const message = [1, ...vector(random, 3, body)];
  const size = random.pick([16_384, 16_384, 100, 5, 1]);
  const records: number[] = [];
  for (let at = 0; at < message.length; at += size) {
    const part = message.slice(at, at + size);
    records.push(22, 3, random.between(1, 3), ...vector(random, 2, part));
  }
  return Uint8Array.from(records);
}

const ADDRESSES: readonly [string, ...string[]] = [
  "192.0.2.1",
  "2001:db8::1",
  "::",
  "::ffff:192.0.2.1",
  "0.0.0.0",
  "256.1.1.1",
];

function proxyHeader(random: Chance): Uint8Array {
  const after = bytesOf(random, 0, 4);
  if (random.true(0.5)) {
    const family = random.pick(["TCP4", "TCP6", "UNKNOWN", "UDP4"]);
    const end = random.true(0.9) ? "\r\n" : "\n";
    const port = (): number => random.pick([0, 443, 65_535, 65_536, 1e21]);
    const addresses = `${random.pick(ADDRESSES)} ${random.pick(ADDRESSES)}`;
    return Uint8Array.from([
      ...latin1(`PROXY ${family} ${addresses} ${port()} ${port()}${end}`),
      ...after,
    ]);
  }
  const [family, bytes] = random.pick([
    [0x11, 12],
    [0x21, 36],
    [0, 0],
    [0x31, 216],
  ]);
  const addresses = bytesOf(random, bytes, bytes + random.pick([0, 0, 10, 300]));
  return Uint8Array.from([
    ...latin1("\r\n\r\n\0\r\nQUIT\n"),
    random.pick([0x20, 0x21, 0x21, 0x11]),
    family,
    ...vector(random, 2, addresses),
    ...after,
  ]);
}

export const wire: readonly Decoder[] = [
  ofBytes({
    name: "HPACK block",
    file: "domains/tls/hpack.ts",
    valid: headerBlock,
    // Twice the largest head: what is gathered of a block.
    longest: 128 * 1_024,
    perByteUs: 6,
    decode: (bytes) => {
      const reader = new HeadReader(64 * 1_024);
      new FieldDecoder().decode(Buffer.from(bytes), reader.take);
      return reader.head(true);
    },
    extremes: [
      // A large name is kept, and each two bytes keep another field with it.
      (size) => joined([largeName, filled(size, [0x7e, 0x00])]),
      (size) => joined([largeName, filled(size, [0xbe])]),
      (size) => joined([largeName, filled(size, [0x0f, 0x2f, 0x00])]),
      (size) => filled(size, [0x40, 0x00, 0x00]),
      (size) => filled(size, [0x3f, 0xe1, 0x1f]),
      (size) => Uint8Array.from([0x00, 0xff, ...numberOf(size - 127), ...filled(size, [0x1f])]),
    ],
    refuses: refusesFrame,
  }),
  ofBytes({
    name: "HTTP/2 frames",
    file: "domains/tls/http2-frames.ts",
    valid: frames,
    longest: 64 * 1_024,
    decode: (bytes) => {
      const reader = new FrameReader();
      let count = 0;
      for (const chunk of chunksOf(bytes)) {
        reader.read(chunk, (one, all) => {
          fragmentOf(all, one);
          count++;
        });
      }
      return count > 0;
    },
    refuses: refusesFrame,
  }),
  ofBytes({
    name: "HTTP/2 relay",
    file: "domains/tls/relay.ts",
    valid: (random) => joined([Buffer.from(PREFACE), frames(random)]),
    longest: 64 * 1_024,
    decode: relayed,
  }),
  ofBytes({
    name: "ClientHello",
    file: "domains/tls/client-hello.ts",
    valid: clientHello,
    longest: 16 * 1_024,
    decode: (bytes) => {
      const hello = readClientHello(bytes);
      return hello !== undefined && hello !== "partial";
    },
  }),
  ofBytes({
    name: "ClientHello, byte by byte",
    file: "domains/tls/client-hello.ts",
    valid: clientHello,
    longest: MAX_HELLO_BYTES,
    inputs: 10_000,
    stretches: 30,
    perByteUs: 10,
    decode: (bytes) => {
      const socket = Object.assign(new EventEmitter(), {
        pause: () => undefined,
        unshift: () => undefined,
        destroy: () => socket.removeAllListeners(),
      });
      let found: unknown;
      // Only what it uses of a socket.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      readFirstFlight(
        socket as never,
        (hello) => (found = hello),
        () => undefined,
      );
      const buffer = Buffer.from(bytes);
      for (let at = 0; at < buffer.length && socket.listenerCount("data") > 0; at++) {
        socket.emit("data", buffer.subarray(at, at + 1));
      }
      return found;
    },
    extremes: [
      (size) => filled(size, [22, 3, 1, 0, 1, 1]),
      // The largest message, each byte in a record; or the last part in one.
      (size) =>
        Uint8Array.from([22, 3, 1, 0, 4, 1, 0, 63, 0, ...filled(size, [22, 3, 1, 0, 1, 7])]),
      (size) =>
        Uint8Array.from([
          ...[22, 3, 1, 0, 4, 1, 0, 63, 0],
          ...filled(500 * 6, [22, 3, 1, 0, 1, 7]),
          ...[22, 3, 1, 0x33, 0],
          ...filled(size, [7]),
        ]),
    ],
  }),
  ofBytes({
    name: "PROXY header",
    file: "server/listeners/proxy-protocol.ts",
    valid: proxyHeader,
    longest: 536,
    decode: (bytes) => {
      const header = parseProxyHeader(bytes);
      return header !== undefined && header !== "partial";
    },
  }),
  ofText({
    name: "request target",
    file: "adapters/hosts/node-request.ts",
    valid: requestTarget,
    longest: 16 * 1_024,
    decode: (text) => {
      exactPath(text);
      authorityOf(text);
      return addressOf("https", "pets.example.org", text);
    },
  }),
];
