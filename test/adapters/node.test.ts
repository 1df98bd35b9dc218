import { afterEach, expect, test } from "bun:test";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { connect, constants, createServer as createHttp2Server } from "node:http2";
import { connect as connectTcp, type AddressInfo } from "node:net";

import { nodeDigest, nodeHandler, type NodeHandlerOptions } from "../../adapters/hosts/node.ts";
import type { Service } from "../../adapters/hosts/mount.ts";
import { hex, utf8, webDigest } from "../../lib/base/digest.ts";
import type { FetchContext } from "../../lib/index.ts";

type Fetch = Service["fetch"];
type Before = (message: IncomingMessage, target: ServerResponse) => void | Promise<void>;

interface Listening {
  listen(port: number, hostname: string, listener: () => void): unknown;
  address(): unknown;
  close(): unknown;
}

const open = new Set<Listening>();

afterEach(() => {
  for (const server of open) server.close();
  open.clear();
});

/** Starts a `node:http` server around `fetch`; `before` acts as earlier middleware. */
async function serve(
  answer: Fetch,
  { before, ...options }: NodeHandlerOptions & { readonly before?: Before } = {},
): Promise<string> {
  const handler = nodeHandler({ fetch: answer }, options);
  const server: Server = createServer((message, target) => {
    void Promise.resolve(before?.(message, target)).then(() => handler(message, target));
  });
  return listen(server);
}

async function listen(server: Listening): Promise<string> {
  open.add(server);
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const echo: Fetch = async (request) => new Response(await request.text());

function post(url: string, body: string): Promise<Response> {
  return fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body });
}

async function drain(message: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of message) text += String(chunk);
  return text;
}

test("an unread body is passed unchanged", async () => {
  const origin = await serve(echo);
  expect(await (await post(origin, '{"a":1, "a":2}')).text()).toBe('{"a":1, "a":2}');
});

test("a parsed body is serialized again", async () => {
  const before: Before = async (message) => {
    Object.assign(message, { body: JSON.parse(await drain(message)) });
  };
  const origin = await serve(echo, { before });
  expect(await (await post(origin, '{ "a": [1] }')).text()).toBe('{"a":[1]}');
});

test("a body kept as text or bytes stays unchanged", async () => {
  for (const keep of [(text: string) => text, (text: string) => Buffer.from(text)]) {
    const before: Before = async (message) => {
      Object.assign(message, { body: keep(await drain(message)) });
    };
    const origin = await serve(echo, { before });
    expect(await (await post(origin, '{ "a": 1 }')).text()).toBe('{ "a": 1 }');
  }
});

test("a parser that ran without parsing hides nothing", async () => {
  const before: Before = (message) => void Object.assign(message, { body: {} });
  const origin = await serve(echo, { before });
  expect(await (await post(origin, '{"a":1}')).text()).toBe('{"a":1}');
});

test("a body that was read and discarded is a 500 with the reason, without hanging", async () => {
  const errors: unknown[] = [];
  const before: Before = async (message) => void (await drain(message));
  const origin = await serve(echo, { before, onError: (error) => errors.push(error) });
  const answer = await post(origin, '{"a":1}');
  expect(answer.status).toBe(500);
  expect(await answer.json()).toMatchObject({ code: "internal_error", status: 500 });
  expect(String(errors)).toContain("BodyLost");
});

test("cookies and Vary of earlier middleware are kept", async () => {
  const before: Before = (_message, target) => {
    target.setHeader("set-cookie", "session=1");
    target.setHeader("vary", "Origin");
  };
  const answer: Fetch = () => {
    const headers = new Headers({ vary: "Accept" });
    headers.append("set-cookie", "a=1");
    headers.append("set-cookie", "b=2");
    return new Response("", { headers });
  };
  const { headers } = await fetch(await serve(answer, { before }));
  expect(headers.getSetCookie()).toEqual(["session=1", "a=1", "b=2"]);
  expect(headers.get("vary")).toBe("Origin, Accept");
});

test("an available body has a length, and others are chunked", async () => {
  const whole = await fetch(await serve(() => new Response("at hand")));
  expect(whole.headers.get("content-length")).toBe("7");
  const never = new ReadableStream<Uint8Array>({ start() {} });
  const parts = await fetch(await serve(() => new Response(never)));
  expect(parts.headers.get("content-length")).toBeNull();
  await parts.body?.cancel();
});

test("a body that was consumed already closes the connection instead of hanging", async () => {
  const taken = new Response("taken");
  await taken.text();
  const errors: unknown[] = [];
  const origin = await serve(() => taken, { onError: (error) => errors.push(error) });
  const outcome = await fetch(origin).then(
    (answer) => answer.text(),
    () => "cut",
  );
  expect(outcome).toBe("cut");
  expect(errors).toHaveLength(1);
});

test("a client that disconnects before the call is not awaited", async () => {
  const leave = new AbortController();
  const heard = Promise.withResolvers<void>();
  const cancelled = Promise.withResolvers<void>();
  const before: Before = async (_message, target) => {
    const closed = new Promise<void>((resolve) => {
      target.once("close", resolve);
    });
    heard.resolve();
    await closed;
  };
  const flood: Fetch = () =>
    new Response(
      new ReadableStream<Uint8Array>({
        pull: (controller) => controller.enqueue(new Uint8Array(65_536)),
        cancel: () => cancelled.resolve(),
      }),
    );
  const origin = await serve(flood, { before });
  const left = fetch(origin, { signal: leave.signal }).catch(() => "left");
  await heard.promise;
  leave.abort();
  expect(await left).toBe("left");
  await cancelled.promise;
});

test("forwarding headers count only from a trusted proxy, and only their last values", async () => {
  const seen = ({ url }: Request, context: FetchContext = {}): Response => {
    const { address } = context;
    return Response.json([url, typeof address === "function" ? address() : address]);
  };
  const headers = {
    "x-forwarded-for": "6.6.6.6, 192.0.2.7",
    "x-forwarded-proto": "https",
    "x-forwarded-host": "pets.example.org",
  };
  const wary = await serve(seen);
  expect(await (await fetch(wary, { headers })).json()).toEqual([`${wary}/`, "127.0.0.1"]);
  const trusting = await serve(seen, { trustProxy: true });
  expect(await (await fetch(trusting, { headers })).json()).toEqual([
    "https://pets.example.org/",
    "192.0.2.7",
  ]);
});

/** Returns a `node:http` server's response to raw bytes. */
function converse(origin: string, text: string): Promise<string> {
  return new Promise((resolve) => {
    let received = "";
    const socket = connectTcp(Number(new URL(origin).port), "127.0.0.1", () => socket.write(text));
    socket.on("data", (chunk) => (received += String(chunk)));
    socket.on("close", () => resolve(received));
  });
}

test.each([
  ["a target that is a whole address counts, not Host", "http://two.test/x", "http://two.test/x"],
  ["dot segments stay", "/v1/../v1/pets", "http://one.test/v1/%252E%252E/v1/pets"],
])("%s", async (_what, target, url) => {
  const origin = await serve((request) => new Response(request.url));
  const text = `GET ${target} HTTP/1.1\r\nHost: one.test\r\nConnection: close\r\n\r\n`;
  expect(await converse(origin, text)).toContain(url);
});

test("two Host fields are 400, without calling the service", async () => {
  let calls = 0;
  const origin = await serve(() => {
    calls++;
    return new Response();
  });
  const text = "GET / HTTP/1.1\r\nHost: one.test\r\nHost: two.test\r\nConnection: close\r\n\r\n";
  expect(await converse(origin, text)).toStartWith("HTTP/1.1 400 ");
  expect(calls).toBe(0);
});

test("HTTP/2 requests keep their host, and responses drop headers that HTTP/2 forbids", async () => {
  const answer: Fetch = async (request) =>
    new Response(`${request.method} ${new URL(request.url).pathname} ${await request.text()}`, {
      headers: { connection: "close", "x-pets": "yes" },
    });
  const origin = await listen(createHttp2Server(nodeHandler({ fetch: answer })));
  const session = connect(origin);
  const stream = session.request({ ":method": "POST", ":path": "/v1/pets" });
  stream.end("hello");
  let text = "";
  for await (const chunk of stream.setEncoding("utf8")) text += String(chunk);
  session.close();
  expect(text).toBe("POST /v1/pets hello");
});

test("a client that disconnects over HTTP/2 aborts its request", async () => {
  const aborted = Promise.withResolvers<void>();
  const heard = Promise.withResolvers<void>();
  const hang: Fetch = (request) =>
    new Promise((_resolve, reject) => {
      heard.resolve();
      request.signal.addEventListener("abort", () => {
        aborted.resolve();
        reject(request.signal.reason);
      });
    });
  const origin = await listen(createHttp2Server(nodeHandler({ fetch: hang })));
  const session = connect(origin);
  session.on("error", () => undefined);
  const stream = session.request({ ":path": "/v1/pets" });
  stream.on("error", () => undefined);
  await heard.promise;
  stream.close(constants.NGHTTP2_CANCEL);
  await aborted.promise;
  session.close();
});

test("the digest of node:crypto equals Web Crypto's and is synchronous", async () => {
  const [key, data] = [utf8("key"), utf8("data")];
  const [hash, mac] = [nodeDigest.sha256(data), nodeDigest.hmac(key, data)];
  if (hash instanceof Promise || mac instanceof Promise) throw new Error("not at once");
  expect(hex(hash)).toBe(hex(await webDigest.sha256(data)));
  expect(hex(mac)).toBe(hex(await webDigest.hmac(key, data)));
});
