import { chunkedFraming } from "../../../adapters/http1/framing.ts";
import { ArrivingHead } from "../../../adapters/http1/head-reader.ts";
import { lightRequest, wholeRequest } from "../../../adapters/http1/arrived-request.ts";
import { PLAIN, readHead, type Origin } from "../../../adapters/http1/head.ts";
import type { Chance } from "../../helpers/chance.ts";
import { ofBytes, ofText, type Decoder } from "../kit/decoder.ts";
import { requestTarget } from "./targets.ts";
import { chunksOf, hostName, latin1, LETTERS, listOf, textOf, VISIBLE } from "./writing.ts";

const NAMES: readonly [string, ...string[]] = [
  "Accept",
  "Connection",
  "Content-Length",
  "Cookie",
  "Expect",
  "Host",
  "Transfer-Encoding",
  "X-A",
];
const VALUES: readonly [string, ...string[]] = [
  "0",
  "5",
  "5, 5",
  "chunked",
  "close",
  "100-continue",
  "\tx ",
  "é",
  "",
];

const NEARLY_HOSTS = ["1.2.3.4.5", "xn--a", "[::1::2]", "[::1]", "a:99999", "a_b"] as const;

/** A head (RFC 9112 §3, §5). */
function head(random: Chance): string {
  const end = random.true(0.98) ? "\r\n" : "\n";
  const field = (): string => {
    const name = random.true(0.7) ? textOf(random, LETTERS, 1, 12) : random.pick(NAMES);
    const value = random.true(0.5) ? textOf(random, VISIBLE, 0, 30) : random.pick(VALUES);
    return `${name}:${random.pick(["", " "])}${value}${end}`;
  };
  const target = random.true(0.8) ? `/${textOf(random, LETTERS, 0, 20)}` : requestTarget(random);
  const method = random.pick(["GET", "POST", "PATCH", "patch", "OPTIONS"]);
  const version = random.true(0.95) ? "1.1" : random.pick(["1.0", "2.0", "1.10", "x"]);
  const name = random.true(0.9) ? hostName(random) : random.pick(NEARLY_HOSTS);
  const host = random.true(0.95) ? `Host: ${name}${random.pick(["", ":80"])}${end}` : "";
  return `${method} ${target} HTTP/${version}${end}${host}${listOf(0, 4, random, field).join("")}${end}`;
}

/** A body in chunks, with extensions and trailers (RFC 9112 §7.1). */
function chunked(random: Chance): Uint8Array {
  const chunk = (): string => {
    const content = textOf(random, VISIBLE, 0, 40);
    const { length } = content;
    const size = random.true(0.97)
      ? length.toString(16)
      : random.pick(["", "-1", "0x5", "fffffffffffff", "5 "]);
    const extension = random.true(0.2) ? `;a=${textOf(random, LETTERS, 0, 8)}` : "";
    return length === 0 ? "" : `${size}${extension}\r\n${content}\r\n`;
  };
  const trailers = listOf(0, 2, random, () => `${textOf(random, LETTERS, 1, 8)}: x\r\n`);
  const body = `${listOf(0, 4, random, chunk).join("")}0\r\n${trailers.join("")}\r\n`;
  return Uint8Array.from(latin1(body + random.pick(["", "", "GET / HTTP/1.1\r\n"])));
}

/** The largest head of a request. */
const HEAD = 64 * 1_024;

/** Listeners without TLS and with it, for which a request is made in another way. */
const ORIGINS: readonly Origin[] = [PLAIN, { scheme: "https", host: "one.test" }];

/** Whether a listener makes a request of a head. */
function isRequest(text: string, origin: Origin): boolean {
  const head = readHead(text, origin);
  if (typeof head === "number") return false;
  const made = origin === PLAIN ? lightRequest : wholeRequest;
  const { url } = made(head, undefined).request;
  return origin === PLAIN || url.startsWith("https://");
}

export const http1: readonly Decoder[] = [
  ofText({
    name: "HTTP/1.1 head",
    file: "adapters/http1/head.ts",
    valid: head,
    longest: HEAD,
    decode: (text) => ORIGINS.map((origin) => isRequest(text, origin)).includes(true),
    extremes: [
      (size) => `GET / HTTP/1.1\r\nHost: a\r\n${"A: b\r\n".repeat(size / 6)}\r\n`,
      (size) => `GET / HTTP/1.1\r\nHost: a\r\nCookie: ${"a; ".repeat(size / 3)}\r\n\r\n`,
      (size) => `GET ${"/.".repeat(size / 2)} HTTP/1.1\r\nHost: a\r\n\r\n`,
      (size) => `GET / HTTP/1.1\r\nHost: a\r\nConnection:${" ,".repeat(size / 2)}\r\n\r\n`,
      (size) => `GET / HTTP/1.1\r\n${":".repeat(size)}\r\n\r\n`,
    ],
  }),
  ofBytes({
    name: "HTTP/1.1 head in parts",
    file: "adapters/http1/head-reader.ts",
    valid: (random) => Uint8Array.from(latin1(head(random))),
    longest: HEAD,
    decode: (bytes) => {
      let arriving: ArrivingHead | undefined;
      for (const part of chunksOf(bytes)) {
        if (arriving === undefined) arriving = new ArrivingHead(part);
        else arriving.add(part);
        if (arriving.malformed) return undefined;
        const end = arriving.end();
        if (end !== -1) return isRequest(arriving.bytes.toString("latin1", 0, end), PLAIN);
      }
      return undefined;
    },
  }),
  ofBytes({
    name: "HTTP/1.1 body in chunks",
    file: "adapters/http1/framing.ts",
    valid: chunked,
    longest: HEAD,
    decode: (bytes) => {
      const framing = chunkedFraming();
      for (const part of chunksOf(bytes)) {
        const { state, used, content } = framing.take(part);
        if (used > part.length || content.length > used)
          throw new Error(`${used} of ${part.length}`);
        if (state === "broken") return undefined;
        if (state === "done") return true;
      }
      return undefined;
    },
    extremes: [
      (size) => Uint8Array.from(latin1("1\r\na\r\n".repeat(size / 6))),
      (size) => Uint8Array.from(latin1(`0\r\n${"a:\r\n".repeat(size / 4)}`)),
      (size) => Uint8Array.from(latin1(`1${";".repeat(size)}`)),
      (size) => Uint8Array.from(latin1(`ffffffffffff\r\n${"a".repeat(size)}`)),
    ],
  }),
];
