import { expect, test } from "bun:test";
import type { ClientHttp2Session } from "node:http2";

import type { TlsFetch } from "../../../domains/tls/answer-request.ts";
import { until } from "../../helpers/dns/until.ts";
import { presentedFor } from "../../helpers/presented.ts";
import { converse, http2Request, http2Session, shakeHands } from "../../helpers/tls-client.ts";
import { startFront } from "../../helpers/tls-front.ts";

async function one(fetch: TlsFetch) {
  const served = await startFront({ fetch });
  served.live.set("one.test", await presentedFor("one", "one.test"));
  return served;
}

const http1 = async (port: number, request: string): Promise<string> =>
  converse(await shakeHands(port, { serverName: "one.test" }), request);

async function over2<Value>(
  port: number,
  ask: (session: ClientHttp2Session) => Promise<Value>,
): Promise<Value> {
  const session = await http2Session(port, "one.test");
  try {
    return await ask(session);
  } finally {
    session.destroy();
  }
}

const BIG = 8 * 1024 * 1024;

test("a large upload arrives completely over HTTP/2", async () => {
  await using served = await one(async (request) => {
    return new Response(String((await request.bytes()).length));
  });
  const { body } = await over2(served.port, (session) =>
    http2Request(session, { ":path": "/", ":method": "POST" }, new Uint8Array(BIG)),
  );
  expect(body).toBe(String(BIG));
});

test("a large upload arrives completely over HTTP/1.1", async () => {
  await using served = await one(async (request) => {
    return new Response(String((await request.bytes()).length));
  });
  const head = `POST / HTTP/1.1\r\nhost: one.test\r\nconnection: close\r\ncontent-length: ${BIG}\r\n\r\n`;
  expect(await http1(served.port, head + "x".repeat(BIG))).toEndWith(String(BIG));
});

test("an unread upload is paused, not buffered", async () => {
  const answer = Promise.withResolvers<Response>();
  await using served = await one(() => answer.promise);
  await over2(served.port, async (session) => {
    const stream = session.request({ ":path": "/", ":method": "POST" }, { endStream: false });
    stream.on("error", () => undefined);
    stream.write(new Uint8Array(BIG));
    await until(() => served.front.pending > 0);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(stream.writableLength).toBeGreaterThan(BIG / 2);
    answer.resolve(new Response());
  });
});

test("a large response arrives completely over both versions", async () => {
  await using served = await one(() => new Response("y".repeat(BIG)));
  const { body } = await over2(served.port, (session) => http2Request(session, { ":path": "/" }));
  expect(body).toHaveLength(BIG);
  const text = await http1(
    served.port,
    "GET / HTTP/1.1\r\nhost: one.test\r\nconnection: close\r\n\r\n",
  );
  // It may be chunked, with lengths in between.
  expect(text.slice(text.indexOf("\r\n\r\n")).replaceAll(/[^y]/g, "")).toHaveLength(BIG);
});

test("a response that the client does not read is not produced", async () => {
  let made = 0;
  await using served = await one(() => {
    const pull = (body: ReadableStreamDefaultController<Uint8Array>): void => {
      made += 65_536;
      body.enqueue(new Uint8Array(65_536));
    };
    return new Response(new ReadableStream({ pull }));
  });
  await over2(served.port, async (session) => {
    const stream = session.request({ ":path": "/" });
    stream.on("error", () => undefined);
    await new Promise((resolve) => stream.once("response", resolve));
    await new Promise((resolve) => setTimeout(resolve, 100));
  });
  expect(made).toBeLessThan(BIG);
});

test.each(["h2", "http/1.1"] as const)("events arrive one by one over %s", async (protocol) => {
  const next = new TransformStream<Uint8Array, Uint8Array>();
  const writer = next.writable.getWriter();
  await using served = await one(
    () => new Response(next.readable, { headers: { "content-type": "text/event-stream" } }),
  );
  const seen: string[] = [];
  const say = async (text: string): Promise<void> => {
    await writer.write(new TextEncoder().encode(text));
    await until(() => seen.join("").includes(text));
  };
  const hear = (chunk: unknown): void => void seen.push(String(chunk));
  if (protocol === "h2") {
    await over2(served.port, async (session) => {
      session
        .request({ ":path": "/" })
        .on("data", hear)
        .on("error", () => undefined);
      await say("data: 1\n\n");
      await say("data: 2\n\n");
    });
  } else {
    const socket = await shakeHands(served.port, { serverName: "one.test" });
    socket.on("data", hear);
    socket.write("GET / HTTP/1.1\r\nhost: one.test\r\n\r\n");
    await say("data: 1\n\n");
    await say("data: 2\n\n");
    socket.destroy();
  }
});

test.each(["h2", "http/1.1"] as const)(
  "when the client disconnects, the request is aborted over %s",
  async (protocol) => {
    const aborted = Promise.withResolvers<void>();
    await using served = await one(({ signal }) => {
      signal.addEventListener("abort", () => aborted.resolve());
      return new Promise(() => undefined);
    });
    const { port, front } = served;
    if (protocol === "h2") {
      await over2(port, async (session) => {
        const stream = session.request({ ":path": "/" });
        stream.on("error", () => undefined);
        await until(() => front.pending > 0);
        stream.destroy();
        await aborted.promise;
      });
    } else {
      const socket = await shakeHands(port, { serverName: "one.test" });
      socket.write("GET / HTTP/1.1\r\nhost: one.test\r\n\r\n");
      await until(() => front.pending > 0);
      socket.destroy();
      await aborted.promise;
    }
  },
);

test("HEAD returns headers without a body over both versions", async () => {
  await using served = await one(() => new Response("body", { headers: { "x-kind": "dog" } }));
  const { headers, body } = await over2(served.port, (session) =>
    http2Request(session, { ":path": "/", ":method": "HEAD" }),
  );
  expect(headers["x-kind"]).toBe("dog");
  expect(body).toBe("");
  const text = await http1(
    served.port,
    "HEAD / HTTP/1.1\r\nhost: one.test\r\nconnection: close\r\n\r\n",
  );
  expect(text).toContain("x-kind: dog");
  expect(text).toEndWith("\r\n\r\n");
});

test("connection-specific headers are not sent over HTTP/2", async () => {
  await using served = await one(
    () =>
      new Response("", {
        headers: { connection: "close", "keep-alive": "timeout=5", "x-kind": "dog" },
      }),
  );
  const { headers } = await over2(served.port, (session) =>
    http2Request(session, { ":path": "/" }),
  );
  expect(headers).toMatchObject({ "x-kind": "dog" });
  expect(headers).not.toContainAnyKeys(["connection", "keep-alive", "transfer-encoding"]);
});

test("cookies stay separate over both versions", async () => {
  await using served = await one(() => {
    const headers = new Headers();
    headers.append("set-cookie", "a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT");
    headers.append("set-cookie", "b=2");
    return new Response("", { headers });
  });
  const { headers } = await over2(served.port, (session) =>
    http2Request(session, { ":path": "/" }),
  );
  expect(headers["set-cookie"]).toEqual(["a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT", "b=2"]);
  const text = await http1(
    served.port,
    "GET / HTTP/1.1\r\nhost: one.test\r\nconnection: close\r\n\r\n",
  );
  expect(text.match(/set-cookie: /gi)).toHaveLength(2);
});

test("pseudo-headers of HTTP/2 are not headers of the request", async () => {
  await using served = await one(({ headers }) => Response.json([...headers.keys()]));
  const { body } = await over2(served.port, (session) =>
    http2Request(session, { ":path": "/", "x-kind": "dog" }),
  );
  expect(JSON.parse(body)).toEqual(["x-kind"]);
});

test("trailers of a request are ignored", async () => {
  await using served = await one(async (request) => new Response(await request.text()));
  const text = await http1(
    served.port,
    "POST / HTTP/1.1\r\nhost: one.test\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n" +
      "3\r\ndog\r\n0\r\nx-trailer: 1\r\n\r\n",
  );
  expect(text).toContain("200 OK");
  expect(text).toContain("dog");
});

test("an exception becomes a 500 without details, and the connection continues", async () => {
  let broken = true;
  await using served = await one(() => {
    if (broken) throw new Error("the secret reason");
    return new Response("well");
  });
  await over2(served.port, async (session) => {
    const { status, body } = await http2Request(session, { ":path": "/" });
    expect(status).toBe(500);
    expect(body).not.toContain("secret");
    broken = false;
    expect((await http2Request(session, { ":path": "/" })).status).toBe(200);
  });
});
