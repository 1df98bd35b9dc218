import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { blobResponse } from "../../../lib/base/blob-response.ts";
import { startPlainHttp2 } from "../../../server/listeners/plain-http2.ts";
import { presentedFor } from "../../helpers/presented.ts";
import { converse, http2Request, http2Session, shakeHands } from "../../helpers/tls-client.ts";
import { startFront, useEngine } from "../../helpers/tls-front.ts";

beforeAll(() => useEngine(startPlainHttp2));
afterAll(() => useEngine(undefined));

const bodies: Readonly<Record<string, readonly string[]>> = {
  "/short": ["short"],
  "/parts": ["sho", "rt"],
  "/long": ["longer than ten"],
  "/more": ["longer th", "an ten"],
};

function respond({ url }: Request): Response {
  const parts = bodies[new URL(url).pathname];
  if (parts === undefined) return blobResponse("NEXT", {});
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const part of parts) controller.enqueue(Buffer.from(part));
      controller.close();
    },
  });
  return new Response(stream, { headers: { "content-length": "10" } });
}

async function one(fetch: (request: Request) => Response) {
  const served = await startFront({ fetch });
  served.live.set("one.test", await presentedFor("one", "one.test"));
  return served;
}

describe.each(Object.keys(bodies))("a body of another length than announced: %s", (path) => {
  test("cuts a connection of HTTP/1.1", async () => {
    await using served = await one(respond);
    const socket = await shakeHands(served.port, { serverName: "one.test" });
    const head = (target: string) => `GET ${target} HTTP/1.1\r\nhost: one.test\r\n\r\n`;
    const received = await converse(socket, head(path) + head("/next"));
    expect(received).not.toContain("NEXT");
    expect((received.split("\r\n\r\n")[1] ?? "").length).toBeLessThan(10);
  });

  test.each([
    ["the runtime's engine", startPlainHttp2],
    ["node:http2", undefined],
  ])("is cut short over HTTP/2, or announced as it is: %s", async (_, engine) => {
    useEngine(engine);
    await using served = await one(respond);
    const session = await http2Session(served.port, "one.test");
    const stream = session.request({ ":path": path });
    let announced = "";
    let length = 0;
    stream.on("response", (head) => (announced = String(head["content-length"])));
    stream.on("data", (part: Buffer) => (length += part.length));
    stream.on("error", () => undefined);
    await new Promise((resolve) => void stream.once("close", resolve));
    // The runtime's engine announces what it sends; node:http2 resets the stream, with or without a head.
    expect(["", "10", String(length)]).toContain(announced);
    if (announced === "" || announced === "10") expect(length).toBeLessThan(10);
    expect((await http2Request(session, { ":path": "/next" })).body).toBe("NEXT");
    session.destroy();
    useEngine(startPlainHttp2);
  });
});

test.each(["Transfer-Encoding: \u00a0chunked", "Content-Length: 5\u00a0"])(
  "%j is 400: only spaces and tabs surround a value",
  async (field) => {
    let asked = 0;
    await using served = await one(() => {
      asked++;
      return new Response();
    });
    const socket = await shakeHands(served.port, { serverName: "one.test" });
    const head = Buffer.from(
      `POST / HTTP/1.1\r\nhost: one.test\r\n${field}\r\n\r\nhello`,
      "latin1",
    );
    const received = await new Promise<string>((resolve) => {
      const parts: string[] = [];
      socket.on("data", (part) => parts.push(String(part)));
      socket.on("error", () => undefined);
      socket.on("close", () => resolve(parts.join("")));
      socket.write(head);
    });
    expect(received).toStartWith("HTTP/1.1 400 ");
    expect(asked).toBe(0);
  },
);
