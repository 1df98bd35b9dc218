import { expect, test } from "bun:test";
import { connect } from "node:net";

import { isMisnamed } from "../../server/listeners/arrival.ts";
import { listen } from "../../server/listeners/listener.ts";
import { ampleHoldings } from "../helpers/holdings.ts";
import { get } from "../helpers/http1.ts";

/** Sends bytes to a plain listener; resolves with the status and the URL of the request, if it is passed on. */
async function ask(text: string): Promise<readonly [status: number, url: string]> {
  const listener = await listen(
    { host: "127.0.0.1", port: 0 },
    "listen",
    (request) =>
      isMisnamed(request) ? new Response("misnamed", { status: 400 }) : new Response(request.url),
    { holdings: ampleHoldings, onError: () => undefined },
  );
  const answer = await new Promise<string>((resolve) => {
    let received = "";
    const socket = connect(listener.endpoint.port, "127.0.0.1", () => socket.write(text, "latin1"));
    socket.on("data", (chunk) => (received += String(chunk)));
    socket.on("close", () => resolve(received));
    socket.on("error", () => undefined);
  });
  await listener.end();
  return [Number(answer.slice(9, 12)), answer.slice(answer.indexOf("\r\n\r\n") + 4)];
}

test.each([
  ["two hosts", get("/", "one.test", "two.test")],
  ["the same host twice", get("/", "one.test", "one.test")],
  ["a host with a path", get("/", "one.test/evil")],
  ["a host with a user", get("/", "one.test@evil.test")],
  ["no host", get("/")],
  ["an empty host", get("/", "")],
  ["a host with a port that is none", get("/", "one.test:abc")],
  ["a host with two ports", get("/", "one.test:80:81")],
  ["half an address of IPv6", get("/", "[::1")],
  ["an escaped host", get("/", "%6fne.test")],
])("a request with %s is 400 on the plain listener", async (_what, text) => {
  expect((await ask(text))[0]).toBe(400);
});

test.each([
  "identity",
  "xchunked",
  "gzip, chunked",
  "chunked, chunked",
  "chunked\r\nContent-Length: 5",
])("Transfer-Encoding: %p is 400 on the plain listener", async (encoding) => {
  const text = `POST / HTTP/1.1\r\nHost: one.test\r\nTransfer-Encoding: ${encoding}\r\nConnection: close\r\n\r\n0\r\n\r\n`;
  expect((await ask(text))[0]).toBe(400);
});

test("an HTTP/1.0 request may omit the Host header", async () => {
  expect(await ask("GET /livez HTTP/1.0\r\n\r\n")).toEqual([200, "/livez"]);
});

test.each([
  [
    "dot segments are kept",
    get("/v1/../v1/pets", "one.test"),
    "http://one.test/v1/%252E%252E/v1/pets",
  ],
  [
    "escaped ones too",
    get("/v1/%2e%2e/v1/pets", "one.test"),
    "http://one.test/v1/%252E%252E/v1/pets",
  ],
  ["a backslash is escaped", get("/v1\\pets", "one.test"), "http://one.test/v1%5Cpets"],
  [
    "the authority of a whole address replaces the host",
    get("http://two.test/v1/pets", "one.test"),
    "http://two.test/v1/pets",
  ],
  [
    "bytes above ASCII are UTF-8",
    get("/?name=M\u00c3\u00bcsli", "one.test"),
    "http://one.test/?name=M%C3%BCsli",
  ],
])("on the plain listener, %s", async (_what, text, url) => {
  expect(await ask(text)).toEqual([200, url]);
});
