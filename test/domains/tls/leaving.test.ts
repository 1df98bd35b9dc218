import { afterAll, describe, expect, test } from "bun:test";

import { blobResponse } from "../../../lib/base/blob-response.ts";
import { startPlainHttp2 } from "../../../server/listeners/plain-http2.ts";
import { until } from "../../helpers/dns/until.ts";
import { presentedFor } from "../../helpers/presented.ts";
import { http2Session, shakeHands } from "../../helpers/tls-client.ts";
import { startFront, useEngine } from "../../helpers/tls-front.ts";

afterAll(() => useEngine(undefined));

const encoder = new TextEncoder();
let beats = 0;
let over = 0;

/** Sends an event every few milliseconds, whether or not the client is there. */
function events(): Response {
  let timer: NodeJS.Timeout | undefined;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      timer = setInterval(() => {
        beats++;
        controller.enqueue(encoder.encode(`data: ${beats}\n\n`));
      }, 2);
    },
    cancel: () => {
      clearInterval(timer);
      over++;
    },
  });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}

/** Waits before each part, so that the client leaves during the wait. */
function slow(): Response {
  const body = new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        await Bun.sleep(5);
        controller.enqueue(new Uint8Array(40_000));
      },
      cancel: () => void over++,
    },
    { highWaterMark: 0 },
  );
  return new Response(body);
}

const bodies = {
  events,
  slow,
  file: () => blobResponse(new Blob([new Uint8Array(20_000_000)]), {}),
  text: () => new Response("y".repeat(20_000_000)),
};

const visits: Readonly<Record<string, (port: number) => Promise<() => void>>> = {
  "HTTP/2, resetting the stream": async (port) => {
    const session = await http2Session(port, "one.test");
    const stream = session.request({ ":path": "/" });
    stream.on("error", () => undefined);
    await new Promise((resolve) => stream.once("data", resolve));
    return () => stream.close(8);
  },
  "HTTP/2, closing the connection": async (port) => {
    const session = await http2Session(port, "one.test");
    const stream = session.request({ ":path": "/" });
    stream.on("error", () => undefined);
    await new Promise((resolve) => stream.once("data", resolve));
    return () => session.destroy();
  },
  "HTTP/1.1": async (port) => {
    const socket = await shakeHands(port, { serverName: "one.test" });
    socket.on("error", () => undefined);
    socket.write("GET / HTTP/1.1\r\nhost: one.test\r\n\r\n");
    await new Promise((resolve) => socket.once("data", resolve));
    return () => socket.destroy();
  },
  "HTTP/1.1 with TE": async (port) => {
    const socket = await shakeHands(port, { serverName: "one.test" });
    socket.on("error", () => undefined);
    socket.write("GET / HTTP/1.1\r\nhost: one.test\r\nte: trailers\r\n\r\n");
    await new Promise((resolve) => socket.once("data", resolve));
    return () => socket.destroy();
  },
};

describe.each([
  ["the program's engine", startPlainHttp2],
  ["the library's engine", undefined],
])("with %s", (_engine, plainHttp2) => {
  describe.each(Object.entries(visits))("a client that leaves over %s", (_how, visit) => {
    test.each(Object.entries(bodies))(
      "during a response of kind %s logs no error",
      async (kind, body) => {
        useEngine(plainHttp2);
        const logged: unknown[] = [];
        const log = { error: (...said: unknown[]) => void logged.push(said) };
        await using served = await startFront({ fetch: () => body(), log: log as never });
        served.live.set("one.test", await presentedFor("one", "one.test"));
        const before = over;
        const leave = await visit(served.port);
        leave();
        await until(() => served.front.pending === 0);
        if (kind === "events" || kind === "slow") await until(() => over > before);
        // What the body does after that has had its turn.
        const from = beats;
        await Bun.sleep(kind === "slow" ? 15 : 5);
        if (kind === "events") expect(beats).toBe(from);
        expect(logged).toEqual([]);
      },
    );
  });
});
