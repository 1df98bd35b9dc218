import { expect, test } from "bun:test";
import { createSecureServer } from "node:http2";
import { createServer as createHttpsServer } from "node:https";
import { createServer, type AddressInfo, type Server } from "node:net";
import { createSecureContext, createServer as createTlsServer } from "node:tls";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { until } from "../../helpers/dns/until.ts";
import { opensslHandshake } from "../../helpers/openssl.ts";
import { presentedFor } from "../../helpers/presented.ts";
import { presentedTo, shakeHands } from "../../helpers/tls-client.ts";

// The reasons for the design of the TLS front. If one of these fails after an upgrade of Bun, read the comment
// above `createTlsFront`, and find out what has become simpler or has broken.

/** For createSecureContext and servers. */
async function pem(name: string): Promise<{ readonly cert: string; readonly key: string }> {
  const { chainPem, privateKeyPem } = await presentedFor(name, `${name}.test`);
  return { cert: chainPem, key: privateKeyPem };
}

async function listening<Value>(
  server: Pick<Server, "listen" | "close" | "address">,
  act: (port: number) => Promise<Value>,
): Promise<Value> {
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve());
  });
  try {
    return await act((server.address() as AddressInfo).port);
  } finally {
    server.close();
  }
}

test("this is the Bun version of the measurements", () => {
  expect(Bun.version).toBe("1.4.5");
});

test("node:http2 requests the certificate by name in every full handshake", async () => {
  const asked: string[] = [];
  const context = createSecureContext(await pem("one"));
  const server = createSecureServer({
    allowHTTP1: true,
    SNICallback: (name, done) => {
      asked.push(name);
      done(null, context);
    },
  });
  await listening(server, async (port) => {
    expect(await presentedTo(port, { serverName: "one.test" })).toBe("one");
    expect(await presentedTo(port, { serverName: "two.test", protocols: ["h2"] })).toBe("one");
  });
  expect(asked).toEqual(["one.test", "two.test"]);
});

test.each(["-tls1_2", "-tls1_3"])("node:http2 asks on resumption too (%s)", async (version) => {
  const asked: string[] = [];
  const context = createSecureContext(await pem("one"));
  const server = createSecureServer({
    allowHTTP1: true,
    SNICallback: (name, done) => {
      asked.push(name);
      done(null, context);
    },
  });
  server.on("request", (_message, target) => target.end());
  const directory = await mkdtemp(join(tmpdir(), "tls-"));
  const args = [version, "-servername", "one.test", "-alpn", "http/1.1"];
  const request = "GET / HTTP/1.1\r\nhost: one.test\r\nconnection: close\r\n\r\n";
  const session = join(directory, "session");
  await listening(server, async (port) => {
    await opensslHandshake(port, [...args, "-sess_out", session], request);
    const again = await opensslHandshake(port, [...args, "-sess_in", session], request);
    expect(again.resumed).toBe(true);
  });
  await rm(directory, { recursive: true });
  expect(asked).toEqual(["one.test", "one.test"]);
});

test("node:tls negotiates the protocol after choosing the certificate, which therefore cannot depend on it", async () => {
  const asked: string[] = [];
  const context = createSecureContext(await pem("one"));
  const server = createTlsServer({
    SNICallback: (name, done) => {
      asked.push(name);
      done(null, context);
    },
    ALPNCallback: ({ protocols }) => {
      asked.push(...protocols);
      return "acme-tls/1";
    },
  });
  await listening(server, async (port) => {
    const socket = await shakeHands(port, { serverName: "one.test", protocols: ["acme-tls/1"] });
    expect(socket.alpnProtocol).toBe("acme-tls/1");
    socket.destroy();
  });
  expect(asked).toEqual(["one.test", "acme-tls/1"]);
});

test("a node:net connection whose first bytes were read and put back can be passed to node:http2", async () => {
  const context = createSecureContext(await pem("one"));
  const secure = createSecureServer({
    allowHTTP1: true,
    SNICallback: (_name, done) => done(null, context),
  });
  const ports: (number | undefined)[] = [];
  secure.on("secureConnection", (tls) => ports.push(tls.remotePort));
  const server = createServer((socket) => {
    socket.once("data", (chunk) => {
      ports.push(socket.remotePort);
      socket.pause();
      socket.unshift(chunk);
      secure.emit("connection", socket);
    });
  });
  await listening(server, async (port) => {
    const socket = await shakeHands(port, { serverName: "one.test", protocols: ["h2"] });
    await until(() => ports.length === 2);
    expect(ports).toEqual([socket.localPort, socket.localPort]);
    socket.destroy();
  });
});

test("node:https does not request a certificate by name", async () => {
  let asked = 0;
  const context = createSecureContext(await pem("one"));
  const server = createHttpsServer({
    ...(await pem("standard")),
    SNICallback: (_name, done) => {
      asked++;
      done(null, context);
    },
  });
  await listening(server, async (port) => {
    expect(await presentedTo(port, { serverName: "one.test" })).toBe("standard");
  });
  expect(asked).toBe(0);
});

test("Bun.serve keeps its initial certificates, even after a reload", async () => {
  const named = async (name: string) => ({ serverName: `${name}.test`, ...(await pem(name)) });
  const fetch = (): Response => new Response();
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    tls: [await named("one"), await named("two")],
    fetch,
  });
  const port = server.port ?? 0;
  server.reload({ tls: [await named("one"), await named("three")], fetch });
  const of = (serverName: string): Promise<string> => presentedTo(port, { serverName });
  expect(await of("two.test")).toBe("two");
  expect(await of("three.test")).toBe("one");
  await server.stop(true);
});
