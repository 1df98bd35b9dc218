import { expect, test } from "bun:test";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";

import { createTlsFront } from "../../../domains/tls/front.ts";
import { manualClock } from "../../helpers/clock.ts";
import { until } from "../../helpers/dns/until.ts";
import { presentedFor } from "../../helpers/presented.ts";
import { converse, http2Request, http2Session, shakeHands } from "../../helpers/tls-client.ts";
import { startFront } from "../../helpers/tls-front.ts";

const REQUEST = "GET / HTTP/1.1\r\nhost: one.test\r\n\r\n";

/** A front whose responses wait for the test. */
async function held() {
  const answer = Promise.withResolvers<void>();
  const clock = manualClock(Date.now());
  const served = await startFront({
    clock,
    fetch: async () => {
      await answer.promise;
      return new Response("z".repeat(1_000_000));
    },
  });
  served.live.set("one.test", await presentedFor("one", "one.test"));
  return { ...served, clock, letGo: answer.resolve };
}

test("a running HTTP/1.1 request is completed, and its connection closed", async () => {
  await using served = await held();
  const socket = await shakeHands(served.port, { serverName: "one.test" });
  const text = converse(socket, REQUEST);
  await until(() => served.front.pending === 1);
  const stopped = served.front.stop();
  served.letGo();
  expect((await text).replaceAll(/[^z]/g, "")).toHaveLength(1_000_000);
  await stopped;
  expect(served.front.connections).toBe(0);
});

test("a running HTTP/2 request is completed, and the client gets GOAWAY", async () => {
  await using served = await held();
  const session = await http2Session(served.port, "one.test");
  const gone = new Promise((resolve) => session.once("goaway", resolve));
  const answered = http2Request(session, { ":path": "/" });
  await until(() => served.front.pending === 1);
  const stopped = served.front.stop();
  await gone;
  served.letGo();
  expect((await answered).body).toHaveLength(1_000_000);
  await stopped;
  expect(served.front.connections).toBe(0);
});

test("connections without a request are closed at once", async () => {
  await using served = await held();
  const [first, second] = await Promise.all([
    shakeHands(served.port, { serverName: "one.test" }),
    http2Session(served.port, "one.test"),
  ]);
  const closed = [converse(first, ""), new Promise((resolve) => second.once("close", resolve))];
  await until(() => served.front.connections === 2);
  await served.front.stop();
  await Promise.all(closed);
});

const silent: Readonly<Record<string, (port: number) => Promise<Socket>>> = {
  "sends nothing": async (port) => connect({ port, host: "127.0.0.1", allowHalfOpen: true }),
  "sends the beginning of a hello": async (port) => {
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    socket.write(Uint8Array.of(22, 3, 1, 0, 200, 1, 0, 0));
    return socket;
  },
  "has sent no request": async (port) => (await shakenBelow(port, "http/1.1")).raw,
  "has sent a part of a request": async (port) => {
    const { raw, tls } = await shakenBelow(port, "http/1.1");
    tls.write(REQUEST.slice(0, 20));
    return raw;
  },
  "has got an answer": async (port) => {
    const { raw, tls } = await shakenBelow(port, "http/1.1");
    tls.write(REQUEST);
    await new Promise((resolve) => tls.once("data", resolve));
    return raw;
  },
  "speaks HTTP/2": async (port) => {
    const { raw, tls } = await shakenBelow(port, "h2");
    tls.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\u0004\0\0\0\0\0");
    await new Promise((resolve) => tls.once("data", resolve));
    return raw;
  },
};

/** Returns a TLS connection, and that below it, which its client does not close. */
async function shakenBelow(port: number, protocol: string) {
  const raw = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  const options = { servername: "one.test", rejectUnauthorized: false, ALPNProtocols: [protocol] };
  const tls = connectTls({ socket: raw, ...options });
  tls.on("error", () => undefined);
  await new Promise((resolve) => tls.once("secureConnect", resolve));
  return { raw, tls };
}

test.each(Object.entries(silent))(
  "a client that %s, and neither reads nor closes, delays stopping by at most a second",
  async (_what, visit) => {
    const clock = manualClock(Date.now());
    await using served = await startFront({
      clock,
      fetch: () => new Response("short"),
    });
    served.live.set("one.test", await presentedFor("one", "one.test"));
    const sockets = await Promise.all([1, 2, 3].map(() => visit(served.port)));
    await until(() => served.front.connections === 3 && served.front.pending === 0);
    for (const socket of sockets) socket.on("error", () => undefined).pause();
    const stopped = served.front.stop();
    clock.advance(1_000);
    await stopped;
    expect(served.front.connections).toBe(0);
    for (const socket of sockets) socket.destroy();
  },
);

test("new connections are refused while the last requests are completed", async () => {
  await using served = await held();
  const socket = await shakeHands(served.port, { serverName: "one.test" });
  socket.write(REQUEST);
  await until(() => served.front.pending === 1);
  const stopped = served.front.stop();
  await expect(shakeHands(served.port, { serverName: "one.test" })).rejects.toThrow();
  served.letGo();
  socket.resume();
  await stopped;
});

test("a client that never closes its connection does not prevent stopping", async () => {
  await using served = await held();
  const session = await http2Session(served.port, "one.test");
  const stream = session.request({ ":path": "/" }, { endStream: false });
  stream.on("error", () => undefined);
  await until(() => served.front.pending === 1);
  const stopped = served.front.stop();
  // The response is not read, so its stream stays open.
  served.letGo();
  await until(() => served.front.pending === 0 || stream.readableLength > 0);
  let over = false;
  void stopped.then(() => (over = true));
  for (; !over; await Bun.sleep(5)) served.clock.advance(300_000);
});

test("`end` aborts running requests", async () => {
  await using served = await held();
  const socket = await shakeHands(served.port, { serverName: "one.test" });
  const text = converse(socket, REQUEST);
  await until(() => served.front.pending === 1);
  await served.front.end();
  expect(await text).toBe("");
  await until(() => served.front.connections === 0);
  expect(served.front.pending).toBe(0);
});

test("stopping before listening is allowed", async () => {
  const served = await held();
  await served.front.stop();
  await served.front.stop();
  await served.front.end();
});

test("a port in use is reported", async () => {
  const other = createServer();
  await new Promise<void>((resolve) => {
    other.listen(0, "127.0.0.1", resolve);
  });
  const { port } = other.address() as AddressInfo;
  const front = createTlsFront({
    certificateFor: () => undefined,
    challenges: { tlsAlpn01: () => undefined },
    fetch: () => new Response(),
    sameProject: () => false,
    clock: manualClock(0),
  });
  const refused = front.listen({ host: "127.0.0.1", port });
  await expect(refused).rejects.toMatchObject({ code: "EADDRINUSE" });
  other.close();
});
