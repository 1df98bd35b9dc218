import { expect, test } from "bun:test";

import { presentedFor } from "../../helpers/presented.ts";
import { HEADERS, rawClient, requestFrame } from "../../helpers/http2-frames.ts";
import { converse, http2Request, http2Session, shakeHands } from "../../helpers/tls-client.ts";
import { startFront } from "../../helpers/tls-front.ts";
import { until } from "../../helpers/dns/until.ts";
import { get } from "../../helpers/http1.ts";

/** A front that serves one.test, with the requested URLs. */
async function one() {
  const servedUrls: string[] = [];
  const served = await startFront({
    fetch: (request) => {
      servedUrls.push(request.url);
      return new Response("served");
    },
  });
  served.live.set("one.test", await presentedFor("one", "one.test"));
  const ask = async (text: string): Promise<string> =>
    converse(await shakeHands(served.port, { serverName: "one.test" }), text);
  return { ...served, servedUrls, ask };
}

/** They look like hosts, but no URL has them. */
const NO_HOSTS = ["one.test:99999", "1.2.3.4.5", "256.256.256.256", "xn--a", "[::1::2]"] as const;

const framed = (encoding: string, version = "1.1"): string =>
  `POST / HTTP/${version}\r\nHost: one.test\r\nTransfer-Encoding: ${encoding}\r\nConnection: close\r\n\r\n0\r\n\r\n`;

test.each([
  ["two hosts", get("/", "one.test", "two.test")],
  ["the same host twice", get("/", "one.test", "one.test")],
  ["no host in HTTP/1.1", get("/")],
  ["no host beside a whole address", get("https://one.test/")],
  ["an empty host", get("/", "")],
  ...NO_HOSTS.map((host) => [`the host ${host}`, get("/", host)] as const),
  ...NO_HOSTS.map(
    (host) => [`the address of ${host}`, get(`https://${host}/`, "one.test")] as const,
  ),
  ["an unknown version in a request line", get("/", "one.test").replace("1.1", "x.1")],
  ["identity", framed("identity")],
  ["xchunked", framed("xchunked")],
  ["gzip, chunked", framed("gzip, chunked")],
  ["chunked, chunked", framed("chunked, chunked")],
  ["chunked and then identity", framed("chunked\r\nTransfer-Encoding: identity")],
  ["identity and then chunked", framed("identity\r\nTransfer-Encoding: chunked")],
  ["chunked beside a length", framed("chunked\r\nContent-Length: 5")],
  ["chunked in HTTP/1.0", framed("chunked", "1.0")],
])("over HTTP/1.1 %s is 400, and nothing is served", async (_what, text) => {
  await using served = await one();
  expect(await served.ask(text)).toStartWith("HTTP/1.1 400 ");
  expect(served.servedUrls).toEqual([]);
});

test.each(["2.0", "3.7", "0.9"])("version %s in a request line is 505", async (version) => {
  await using served = await one();
  const text = get("/", "one.test").replace("1.1", version);
  expect(await served.ask(text)).toStartWith("HTTP/1.1 505 ");
  expect(served.servedUrls).toEqual([]);
});

test.each([
  ["a chunk without a size", "no size\r\n"],
  ["a chunk of another size", "1\r\ntwo\r\n"],
])("over HTTP/1.1 %s is 400 for a handler that reads the body", async (_what, body) => {
  const lines: string[] = [];
  const add = (line: string): void => void lines.push(line);
  await using served = await startFront({
    fetch: async (request) => new Response(await request.text()),
    log: { debug: add, info: add, warn: add, error: add },
  });
  served.live.set("one.test", await presentedFor("one", "one.test"));
  const socket = await shakeHands(served.port, { serverName: "one.test" });
  const text = await converse(socket, framed("chunked").replace("0\r\n\r\n", body));
  expect(text).toStartWith("HTTP/1.1 400 ");
  expect(lines).toEqual([]);
});

test("Transfer-Encoding: chunked is accepted in any letter case", async () => {
  await using served = await one();
  expect(await served.ask(framed("Chunked"))).toStartWith("HTTP/1.1 200 ");
});

test.each(["HELO one.test\r\n\r\n", get("/", "one.test", "two.test")])(
  "%j does not affect the response to the request before it",
  async (malformed) => {
    const body = new TransformStream<Uint8Array, Uint8Array>();
    await using served = await startFront({ fetch: () => new Response(body.readable) });
    served.live.set("one.test", await presentedFor("one", "one.test"));
    const socket = await shakeHands(served.port, { serverName: "one.test" });
    const good = "GET / HTTP/1.1\r\nHost: one.test\r\n\r\n";
    const text = converse(socket, good + malformed);
    const writer = body.writable.getWriter();
    await writer.write(new TextEncoder().encode("whole"));
    await writer.close();
    expect(await text).toMatch(/^HTTP\/1\.1 200 [^]*whole(?:\r\n0\r\n\r\n)?HTTP\/1\.1 400 /);
  },
);

test.each(["https://two.test/x", "http://two.test/x", "HTTPS://two.test"])(
  "the authority of %s counts, not the Host header",
  async (target) => {
    await using served = await one();
    expect(await served.ask(get(target, "one.test"))).toStartWith("HTTP/1.1 421 ");
    expect(served.servedUrls).toEqual([]);
  },
);

test("an absolute URL of the handshake's host is served, whatever the Host header", async () => {
  await using served = await one();
  expect(await served.ask(get("https://one.test/x?y", "two.test"))).toContain("served");
  expect(served.servedUrls).toEqual(["https://one.test/x?y"]);
});

const EXACT = [
  ["/v1/../v1/pets", "/v1/%252E%252E/v1/pets"],
  ["/v1/%2e%2E/v1/pets", "/v1/%252E%252E/v1/pets"],
  ["/v1/.%2e/v1/pets", "/v1/%252E%252E/v1/pets"],
  ["/v1/./pets", "/v1/%252E/pets"],
  ["/v1/pets/..", "/v1/pets/%252E%252E"],
  ["/v1\\pets", "/v1%5Cpets"],
  ["/v1/pets#x", "/v1/pets%23x"],
  ["/v1/pets?a=/../b", "/v1/pets?a=/../b"],
  ["/.well-known/x", "/.well-known/x"],
  ["/...", "/..."],
  ["/a..b/.c", "/a..b/.c"],
] as const;

test.each(EXACT)("over HTTP/1.1 %s reaches the service as %s", async (target, path) => {
  await using served = await one();
  await served.ask(get(target, "one.test"));
  expect(served.servedUrls).toEqual([`https://one.test${path}`]);
});

test("over HTTP/2 paths are preserved as well", async () => {
  await using served = await one();
  const session = await http2Session(served.port, "one.test");
  for (const [target] of EXACT) await http2Request(session, { ":path": target });
  session.destroy();
  const origin = `https://one.test:${served.port}`;
  expect(served.servedUrls).toEqual(EXACT.map(([, path]) => origin + path));
});

test.each([
  ["a Host that differs from the authority", "/", { host: "two.test" }],
  ["an authority with a path", "/", { ":authority": "one.test/x" }],
  ["an authority with a user", "/", { ":authority": "me@one.test" }],
  ["an authority with a space", "/", { ":authority": "one test" }],
  ...NO_HOSTS.map((host) => [`the authority ${host}`, "/", { ":authority": host }] as const),
  ["a path that is a whole address", "https://two.test/x", {}],
  ["a path without its slash", "x", {}],
  ["a Transfer-Encoding", "/", { "transfer-encoding": "chunked" }],
])("over HTTP/2 %s is refused, and nothing is served", async (_what, path, headers) => {
  await using served = await one();
  const client = await rawClient(served.port, "one.test", 65_535);
  client.socket.write(requestFrame(1, "one.test", path, { headers }));
  await until(() => client.frames.some(({ stream }) => stream === 1));
  const [first] = client.frames.filter(({ stream }) => stream === 1);
  // A 400 response (index 12 of the static table, RFC 7541), or a stream reset.
  if (first?.type === HEADERS) expect(first.payload[0]).toBe(0x80 + 12);
  expect(served.servedUrls).toEqual([]);
  client.socket.destroy();
});

test("over HTTP/2 an equal Host header is allowed", async () => {
  await using served = await one();
  const session = await http2Session(served.port, "one.test");
  const { status } = await http2Request(session, { ":path": "/", host: "ONE.test" });
  session.destroy();
  expect(status).toBe(200);
});
