import { describe, expect, test } from "bun:test";

import type { TlsFrontOptions } from "../../../domains/tls/front.ts";
import { blobResponse, mayBeKept } from "../../../lib/base/blob-response.ts";
import { manualClock } from "../../helpers/clock.ts";
import { until } from "../../helpers/dns/until.ts";
import { presentedFor } from "../../helpers/presented.ts";
import { converse, shakeHands } from "../../helpers/tls-client.ts";
import { startFront } from "../../helpers/tls-front.ts";

async function one(fetch: TlsFrontOptions["fetch"], options: Partial<TlsFrontOptions> = {}) {
  const served = await startFront({ fetch, ...options });
  served.live.set("one.test", await presentedFor("one", "one.test", "two.test"));
  const connect = () => shakeHands(served.port, { serverName: "one.test" });
  return { ...served, connect };
}

const GET = "GET / HTTP/1.1\r\nhost: one.test\r\n\r\n";
const CLOSE = "GET /last HTTP/1.1\r\nhost: one.test\r\nconnection: close\r\n\r\n";

type Connection = Awaited<ReturnType<typeof shakeHands>>;

/** Sends text and resolves with the response as soon as it is whole, or with what came until the end. */
function ask(socket: Connection, text: string, head = false): Promise<string> {
  return new Promise((resolve) => {
    let received = "";
    const done = (): void => {
      socket.off("data", read);
      socket.off("close", done);
      resolve(received);
    };
    const read = (chunk: Buffer): void => {
      received += chunk.toString("latin1");
      received = received.replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, "");
      if (isWhole(received, head)) done();
    };
    socket.on("error", () => undefined);
    socket.on("data", read);
    socket.once("close", done);
    if (socket.destroyed) done();
    else socket.write(text, "latin1");
  });
}

function isWhole(text: string, head: boolean): boolean {
  const bodyAt = text.indexOf("\r\n\r\n") + 4;
  if (bodyAt < 4) return false;
  if (head || /^HTTP\/1\.1 (?:204|304) /.test(text)) return true;
  const length = /\r\ncontent-length: (\d+)\r\n/i.exec(text)?.[1];
  return length === undefined ? text.endsWith("0\r\n\r\n") : text.length >= bodyAt + Number(length);
}

test("responses are sent in the order of their requests", async () => {
  const slow = Promise.withResolvers<void>();
  await using served = await one(async (request) => {
    if (request.url.endsWith("/slow")) await slow.promise;
    return new Response(`<${new URL(request.url).pathname} ${await request.text()}>`);
  });
  const socket = await served.connect();
  const text = converse(socket, "GET /slow HTTP/1.1\r\nhost: one.test\r\n\r\n");
  await until(() => served.front.pending === 1);
  socket.write("POST /post HTTP/1.1\r\nhost: one.test\r\ncontent-length: 4\r\n\r\nbody");
  await Bun.sleep(20);
  socket.write(GET + CLOSE);
  await Bun.sleep(20);
  slow.resolve();
  expect([...(await text).matchAll(/<(.*?)>/g)].map(([, answer]) => answer)).toEqual([
    "/slow ",
    "/post body",
    "/ ",
    "/last ",
  ]);
});

test("a request that arrives in pieces is answered", async () => {
  await using served = await one(({ url }) => new Response(url));
  const socket = await served.connect();
  const text = converse(socket, "");
  for (const letter of CLOSE) {
    socket.write(letter);
    await Bun.sleep(0);
  }
  expect(await text).toEndWith("https://one.test/last");
});

test.each([
  ["a large file", () => blobResponse(new Blob(["y".repeat(3_000_000)]), {})],
  ["a large text", () => blobResponse("y".repeat(3_000_000), {})],
  ["a stream", () => new Response(new Blob(["y".repeat(3_000_000)]).stream())],
])("%s arrives completely, and the connection continues", async (_what, body) => {
  await using served = await one(body);
  const socket = await served.connect();
  for (let round = 0; round < 3; round++) {
    const answer = await ask(socket, GET);
    expect(answer.slice(answer.indexOf("\r\n\r\n")).replaceAll(/[^y]/g, "")).toHaveLength(
      3_000_000,
    );
  }
  socket.destroy();
});

test("a client that does not read its response is disconnected in time, and little is buffered until then", async () => {
  const clock = manualClock(Date.now());
  await using served = await one(() => blobResponse(new Blob(["y".repeat(50_000_000)]), {}), {
    clock,
  });
  const socket = await served.connect();
  socket.on("error", () => undefined);
  socket.pause();
  socket.write(GET);
  await until(() => served.front.heldBytes > 0);
  await Bun.sleep(100);
  expect(served.front.heldBytes).toBeLessThan(400_000);
  for (; served.front.connections > 0; await Bun.sleep(5)) clock.advance(60_000);
  expect(served.front.heldBytes).toBe(0);
  socket.destroy();
});

test("while the front stops, each response closes its connection", async () => {
  const slow = Promise.withResolvers<void>();
  await using served = await one(async () => {
    await slow.promise;
    return new Response("last");
  });
  const socket = await served.connect();
  const text = converse(socket, GET);
  await until(() => served.front.pending === 1);
  const stopped = served.front.stop();
  slow.resolve();
  expect(await text).toContain("connection: close\r\n");
  await stopped;
});

describe("a kept response", () => {
  /** Counts the requests that reach the handler; `state.current` says whether kept responses are valid. */
  async function counted(init: ResponseInit = {}, mark = true) {
    const state = { handled: 0, current: true };
    const clock = manualClock(Date.UTC(2026, 0, 1));
    const served = await one(
      () => {
        state.handled++;
        const response = blobResponse(new Blob([`page ${state.handled}`]), init);
        return mark ? mayBeKept(response, () => state.current) : response;
      },
      { clock, sameProject: () => true },
    );
    const get = async (socket: Connection, fields = "", host = "one.test"): Promise<string> =>
      ask(socket, `GET / HTTP/1.1\r\nhost: ${host}\r\n${fields}\r\n`);
    return { ...served, state, clock, get };
  }

  test("is sent for every equal request, with the current date", async () => {
    await using served = await counted();
    const socket = await served.connect();
    for (let round = 0; round < 3; round++) await served.get(socket);
    expect(served.state.handled).toBe(2);
    const other = await served.connect();
    expect(await served.get(other)).toContain("date: Thu, 01 Jan 2026 00:00:00 GMT");
    served.clock.advance(31_000);
    expect(await served.get(socket)).toMatch(/date: Thu, 01 Jan 2026 00:00:31 GMT\r\n\r\npage 2$/);
    expect(served.state.handled).toBe(2);
    for (const one of [socket, other]) one.destroy();
  });

  test("is sent only as long as it is current", async () => {
    await using served = await counted();
    const socket = await served.connect();
    for (let round = 0; round < 3; round++) await served.get(socket);
    served.state.current = false;
    expect(await served.get(socket)).toEndWith("page 3");
    socket.destroy();
  });

  test.each([
    ["without a mark", {}, false, "", "one.test"],
    ["that is an error", { status: 404 }, true, "", "one.test"],
    ["to a request with a cookie", {}, true, "Cookie: a=b\r\n", "one.test"],
    ["to a request with a key", {}, true, "authorization: Bearer x\r\n", "one.test"],
    ["to a request for a range", {}, true, "range: bytes=0-1\r\n", "one.test"],
    ["for another host than the handshake's", {}, true, "", "two.test"],
  ] as const)("is never a response %s", async (_what, init, mark, fields, host) => {
    await using served = await counted(init, mark);
    const socket = await served.connect();
    for (let round = 0; round < 5; round++) await served.get(socket, fields, host);
    expect(served.state.handled).toBe(5);
    socket.destroy();
  });

  test("is not sent on a connection that was opened for another name", async () => {
    await using served = await counted();
    served.live.set("two.test", await presentedFor("two", "two.test"));
    const socket = await served.connect();
    for (let round = 0; round < 3; round++) await served.get(socket);
    // The text of the request is the same; the name in the handshake is not.
    const other = await shakeHands(served.port, { serverName: "two.test" });
    expect(await served.get(other)).toStartWith("HTTP/1.1 421 ");
    expect(await served.get(socket)).toEndWith("page 2");
    for (const one of [socket, other]) one.destroy();
  });

  test.each([1, 2, 3, 4, 5])(
    "is never sent for the first %d bytes of a request",
    async (length) => {
      await using served = await counted();
      const socket = await served.connect();
      for (let round = 0; round < 3; round++) {
        const text = ask(socket, GET.slice(0, length));
        await until(() => served.front.heldBytes > 0);
        socket.write(GET.slice(length));
        expect(await text).toEndWith(`page ${round + 1}`);
      }
      const other = await served.connect();
      let early = "";
      other.on("data", (chunk: Buffer) => (early += chunk.toString("latin1")));
      other.write(GET.slice(0, length));
      await until(() => served.front.heldBytes > 0);
      expect(early).toBe("");
      for (const one of [socket, other]) one.destroy();
    },
  );

  test("never contains a cookie", async () => {
    await using served = await counted({ headers: { "set-cookie": "a=b" } });
    const socket = await served.connect();
    for (let round = 0; round < 4; round++) await served.get(socket);
    expect(served.state.handled).toBe(4);
    socket.destroy();
  });

  test("is not sent while the front stops", async () => {
    await using served = await counted();
    const socket = await served.connect();
    for (let round = 0; round < 3; round++) await served.get(socket);
    const closed = new Promise((resolve) => socket.once("close", resolve));
    await served.front.stop();
    await closed;
    expect(served.front.connections).toBe(0);
  });
});
