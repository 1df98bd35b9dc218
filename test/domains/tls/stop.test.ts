import { expect, test } from "bun:test";
import { createServer, type AddressInfo } from "node:net";

import { createTlsFront } from "../../../domains/tls/front.ts";
import { manualClock } from "../../helpers/clock.ts";
import { until } from "../../helpers/dns/until.ts";
import { presentedFor } from "../../helpers/presented.ts";
import { converse, http2Request, http2Session, shakeHands } from "../../helpers/tls-client.ts";
import { startFront } from "../../helpers/tls-front.ts";

const REQUEST = "GET / HTTP/1.1\r\nhost: one.test\r\n\r\n";

/** A front whose answers come when they are let go. */
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

test("what is under way over HTTP/1.1 is answered whole, and the connection ends with it", async () => {
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

test("what is under way over HTTP/2 is answered whole, and the client is told to go away", async () => {
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

test("connections without a request end at once", async () => {
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

test("new connections are refused while the last requests are answered", async () => {
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

test("a client that never hangs up does not keep us", async () => {
  await using served = await held();
  const session = await http2Session(served.port, "one.test");
  const stream = session.request({ ":path": "/" }, { endStream: false });
  stream.on("error", () => undefined);
  await until(() => served.front.pending === 1);
  const stopped = served.front.stop();
  // Nobody reads the answer, so its stream stays open.
  served.letGo();
  await until(() => served.front.pending === 0 || stream.readableLength > 0);
  let over = false;
  void stopped.then(() => (over = true));
  for (; !over; await Bun.sleep(5)) served.clock.advance(300_000);
});

test("to end breaks off what is under way", async () => {
  await using served = await held();
  const socket = await shakeHands(served.port, { serverName: "one.test" });
  const text = converse(socket, REQUEST);
  await until(() => served.front.pending === 1);
  await served.front.end();
  expect(await text).toBe("");
  await until(() => served.front.connections === 0);
  expect(served.front.pending).toBe(0);
});

test("stopping what never listened is no fault", async () => {
  const served = await held();
  await served.front.stop();
  await served.front.stop();
  await served.front.end();
});

test("a port that is taken is told of", async () => {
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
