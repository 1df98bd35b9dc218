import { expect, test } from "bun:test";

import { presentedFor } from "../../helpers/presented.ts";
import {
  converse,
  http2Request,
  http2Session,
  presentedTo,
  shakeHands,
} from "../../helpers/tls-client.ts";
import { startFront } from "../../helpers/tls-front.ts";

test("every name gets its own certificate", async () => {
  await using served = await startFront();
  const { port, live } = served;
  live.set("one.test", await presentedFor("one", "one.test"));
  live.set("two.test", await presentedFor("two", "two.test"));
  await expect(await presentedTo(port, { serverName: "one.test" })).toBe("one");
  expect(await presentedTo(port, { serverName: "two.test" })).toBe("two");
});

test("the letter case of a server name does not matter", async () => {
  await using served = await startFront();
  served.live.set("one.test", await presentedFor("one", "one.test"));
  expect(await presentedTo(served.port, { serverName: "ONE.Test" })).toBe("one");
});

test("an unknown name gets no handshake", async () => {
  await using served = await startFront();
  served.live.set("one.test", await presentedFor("one", "one.test"));
  await expect(shakeHands(served.port, { serverName: "other.test" })).rejects.toThrow();
});

test("a request over HTTP/1.1 is answered, with the client's address and the server name", async () => {
  await using served = await startFront();
  served.live.set("one.test", await presentedFor("one", "one.test"));
  const socket = await shakeHands(served.port, { serverName: "one.test" });
  const text = await converse(
    socket,
    "GET /dogs?page=2 HTTP/1.1\r\nhost: one.test\r\nconnection: close\r\n\r\n",
  );
  expect(text).toStartWith("HTTP/1.1 200 OK\r\n");
  expect(text).toContain(
    '{"url":"https://one.test/dogs?page=2","method":"GET","remoteAddress":"127.0.0.1","serverName":"one.test"}',
  );
});

test("a request over HTTP/2 is answered, with the client's address and the server name", async () => {
  await using served = await startFront();
  served.live.set("one.test", await presentedFor("one", "one.test"));
  const session = await http2Session(served.port, "one.test");
  const { status, body } = await http2Request(session, { ":path": "/dogs?page=2" });
  session.destroy();
  expect(status).toBe(200);
  expect(JSON.parse(body)).toEqual({
    url: `https://one.test:${served.port}/dogs?page=2`,
    method: "GET",
    remoteAddress: "127.0.0.1",
    serverName: "one.test",
  });
});

test("a log that throws changes nothing for clients, whose handshakes are refused when finding a certificate fails", async () => {
  const fail = (): never => {
    throw new Error("the log is broken");
  };
  await using served = await startFront({
    log: { debug: fail, info: fail, warn: fail, error: fail },
    certificateFor: () => {
      throw new Error("the store is broken");
    },
  });
  const refused = await shakeHands(served.port, { serverName: "one.test" }).catch(
    (error: Error) => error.message,
  );
  expect(refused).toContain("INTERNAL_ERROR");
});
