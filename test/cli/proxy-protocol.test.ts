import { describe, expect, test } from "bun:test";

import { connect } from "node:net";
import { connect as connectTls } from "node:tls";

import { systemClock } from "../../lib/base/clock.ts";
import { listen } from "../../server/listeners/listener.ts";
import { clientAddressOf, parseProxyHeader } from "../../server/listeners/proxy-protocol.ts";
import { presentedFor } from "../helpers/presented.ts";
import { startFront } from "../helpers/tls-front.ts";
import { ampleHoldings } from "../helpers/holdings.ts";

const ascii = (text: string): Uint8Array => Buffer.from(text, "latin1");
const SIGNATURE = "\r\n\r\n\0\r\nQUIT\n";

/** A header of version 2, with any command, family and content. */
function binary(command: number, family: number, content: Uint8Array): Uint8Array {
  const head = Buffer.from([command, family, content.length >> 8, content.length & 255]);
  return Buffer.concat([ascii(SIGNATURE), head, content]);
}

const IPV4 = Buffer.from([203, 0, 113, 7, 192, 0, 2, 1, 0xc0, 0x00, 0x01, 0xbb]);
const IPV6 = Buffer.from(
  "20010db800000000000000000000000720010db8000000000000000000000001c00001bb",
  "hex",
);

/** Expects that a header means that address, and that each part of it is not enough. */
function expectAddress(header: Uint8Array, address: string | undefined): void {
  expect(parseProxyHeader(Buffer.concat([header, ascii("GET /")]))).toEqual({
    address,
    length: header.length,
  });
  for (let length = 0; length < header.length; length++) {
    expect(parseProxyHeader(header.subarray(0, length))).toBe("partial");
  }
}

describe("the PROXY protocol", () => {
  test.each([
    ["PROXY TCP4 203.0.113.7 192.0.2.1 49152 443\r\n", "203.0.113.7"],
    ["PROXY TCP6 2001:db8::7 2001:db8::1 49152 443\r\n", "2001:db8::7"],
    ["PROXY UNKNOWN\r\n", undefined],
    ["PROXY UNKNOWN ffff::1 ffff::2 1 2\r\n", undefined],
  ])("version 1: %j", (line, address) => {
    expectAddress(ascii(line), address);
  });

  test.each([
    ["TCP over IPv4", binary(0x21, 0x11, IPV4), "203.0.113.7"],
    ["TCP over IPv6", binary(0x21, 0x21, IPV6), "2001:db8::7"],
    [
      "with further values",
      binary(0x21, 0x11, Buffer.concat([IPV4, Buffer.alloc(508)])),
      "203.0.113.7",
    ],
    ["of the proxy itself", binary(0x20, 0x00, Buffer.alloc(0)), undefined],
    ["of an unknown family", binary(0x21, 0x00, Buffer.alloc(0)), undefined],
  ])("version 2, %s", (_name, header, address) => {
    expectAddress(header, address);
  });

  test.each([
    ["a request", ascii("GET / HTTP/1.1\r\n")],
    ["TLS", Uint8Array.of(22, 3, 1)],
    ["another family", ascii("PROXY UDP4 203.0.113.7 192.0.2.1 1 2\r\n")],
    ["an address of the other family", ascii("PROXY TCP4 2001:db8::7 2001:db8::1 1 2\r\n")],
    ["no ports", ascii("PROXY TCP4 203.0.113.7 192.0.2.1\r\n")],
    ["a large port", ascii("PROXY TCP4 203.0.113.7 192.0.2.1 1 65536\r\n")],
    ["too much", ascii("PROXY TCP4 203.0.113.7 192.0.2.1 1 2 3\r\n")],
    ["an endless line", ascii(`PROXY TCP4 ${"1".repeat(200)}`)],
    ["an endless line without an end", ascii(`PROXY UNKNOWN ${"1".repeat(93)}`)],
    ["version 3", binary(0x31, 0x11, IPV4)],
    ["an unknown command", binary(0x22, 0x11, IPV4)],
    ["UDP", binary(0x21, 0x12, IPV4)],
    ["too few addresses", binary(0x21, 0x11, IPV4.subarray(1))],
    ["too many bytes", binary(0x21, 0x11, Buffer.alloc(521))],
  ])("refuses %s", (_name, bytes) => {
    expect(parseProxyHeader(bytes)).toBeUndefined();
  });
});

/** Sends bytes to a port, and returns all that comes back. */
async function exchange(port: number, ...parts: readonly (string | Uint8Array)[]): Promise<string> {
  const socket = connect({ port, host: "127.0.0.1" });
  let received = "";
  socket.on("data", (bytes) => {
    received += bytes.toString("latin1");
  });
  const closed = new Promise<void>((resolve) => {
    socket.once("close", () => resolve());
    socket.once("error", () => resolve());
  });
  for (const part of parts) {
    socket.write(part);
    await Bun.sleep(20);
  }
  await closed;
  return received;
}

const GET = "GET / HTTP/1.1\r\nhost: pets.test\r\nconnection: close\r\n\r\n";
const FROM = "PROXY TCP4 203.0.113.7 192.0.2.1 49152 443\r\n";

describe("a listener behind proxies", () => {
  const open = (trusted: boolean) =>
    listen(
      { host: "127.0.0.1", port: 0 },
      "listen",
      (request, server) => new Response(`client ${server.requestIP(request)?.address}`),
      {
        holdings: ampleHoldings,
        onError: () => undefined,
        proxies: { trusted: () => trusted, clock: systemClock },
      },
    );

  test("knows the client from the header, in any number of parts", async () => {
    const listener = await open(true);
    const { port } = listener.endpoint;
    expect(await exchange(port, FROM + GET)).toContain("client 203.0.113.7");
    expect(await exchange(port, FROM.slice(0, 9), FROM.slice(9), GET)).toContain("203.0.113.7");
    expect(await exchange(port, binary(0x21, 0x21, IPV6), GET)).toContain("client 2001:db8::7");
    expect(await exchange(port, binary(0x20, 0, Buffer.alloc(0)), GET)).toContain("127.0.0.1");
    const direct = await fetch(listener.direct);
    expect(await direct.text()).toBe("client 127.0.0.1");
    await listener.end();
  });

  test("closes connections of proxies without a header at once, and with half of one after a second", async () => {
    const listener = await open(true);
    const { port } = listener.endpoint;
    expect(await exchange(port, GET)).toBe("");
    const startedAt = performance.now();
    expect(await exchange(port, FROM.slice(0, 9))).toBe("");
    expect(performance.now() - startedAt).toBeGreaterThan(900);
    await listener.end();
  });

  test("takes a header of anyone else for a malformed request", async () => {
    const listener = await open(false);
    const { port } = listener.endpoint;
    expect(await exchange(port, GET)).toContain("client 127.0.0.1");
    const spoofed = await exchange(port, FROM + GET);
    expect(spoofed).not.toContain("client");
    await listener.end();
  });
});

test("the listener for HTTPS reads the header before the handshake", async () => {
  const proxies = { trusted: () => true, clock: systemClock };
  await using started = await startFront({
    clientAddress: (socket) => clientAddressOf(socket, proxies),
  });
  started.live.set("one.test", await presentedFor("one", "one.test"));
  const raw = connect({ port: started.port, host: "127.0.0.1" });
  raw.write(FROM);
  const tls = connectTls({ socket: raw, servername: "one.test", rejectUnauthorized: false });
  let received = "";
  tls.on("data", (bytes) => {
    received += bytes.toString();
  });
  tls.write(GET.replace("pets.test", "one.test"));
  await new Promise<void>((resolve) => tls.once("close", () => resolve()));
  expect(received).toContain('"remoteAddress":"203.0.113.7"');

  const unannounced = connect({ port: started.port, host: "127.0.0.1" });
  const refused = connectTls({
    socket: unannounced,
    servername: "one.test",
    rejectUnauthorized: false,
  });
  let shaken = false;
  refused.once("secureConnect", () => {
    shaken = true;
  });
  refused.on("error", () => undefined);
  await new Promise<void>((resolve) => unannounced.once("close", () => resolve()));
  expect(shaken).toBe(false);
});
