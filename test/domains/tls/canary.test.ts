import { expect, test } from "bun:test";
import http from "node:http";
import { connect as connectHttp2, createSecureServer } from "node:http2";
import { createServer as createHttpsServer } from "node:https";
import { connect, createServer, type AddressInfo, type Server } from "node:net";
import { createSecureContext, createServer as createTlsServer } from "node:tls";
import { join } from "node:path";

import { until } from "../../helpers/dns/until.ts";
import { CONTINUATION, frame, requestFrame, SETTINGS } from "../../helpers/http2-frames.ts";
import { opensslHandshake } from "../../helpers/openssl.ts";
import { presentedFor } from "../../helpers/presented.ts";
import { http2Request, presentedTo, shakeHands } from "../../helpers/tls-client.ts";
import { folders } from "../../helpers/folders.ts";

const { folder } = folders();

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

/** A server with one certificate, and the names that clients asked it for. */
async function serverOfOne() {
  const requested: string[] = [];
  const context = createSecureContext(await pem("one"));
  const server = createSecureServer({
    allowHTTP1: true,
    SNICallback: (name, done) => {
      requested.push(name);
      done(null, context);
    },
  });
  return { server, requested };
}

test("this is the Bun version of the measurements", () => {
  expect(Bun.version).toBe("1.4.5");
});

test("node:http2 requests the certificate by name in every full handshake", async () => {
  const { server, requested } = await serverOfOne();
  await listening(server, async (port) => {
    expect(await presentedTo(port, { serverName: "one.test" })).toBe("one");
    expect(await presentedTo(port, { serverName: "two.test", protocols: ["h2"] })).toBe("one");
  });
  expect(requested).toEqual(["one.test", "two.test"]);
});

test.each(["-tls1_2", "-tls1_3"])(
  "node:http2 requests the certificate on resumption too (%s)",
  async (version) => {
    const { server, requested } = await serverOfOne();
    server.on("request", (_message, target) => target.end());
    const directory = await folder();
    const args = [version, "-servername", "one.test", "-alpn", "http/1.1"];
    const request = "GET / HTTP/1.1\r\nhost: one.test\r\nconnection: close\r\n\r\n";
    const session = join(directory, "session");
    await listening(server, async (port) => {
      await opensslHandshake(port, [...args, "-sess_out", session], request);
      const again = await opensslHandshake(port, [...args, "-sess_in", session], request);
      expect(again.resumed).toBe(true);
    });
    expect(requested).toEqual(["one.test", "one.test"]);
  },
);

test("node:tls negotiates the protocol after choosing the certificate, which therefore cannot depend on it", async () => {
  const requested: string[] = [];
  const context = createSecureContext(await pem("one"));
  const server = createTlsServer({
    SNICallback: (name, done) => {
      requested.push(name);
      done(null, context);
    },
    ALPNCallback: ({ protocols }) => {
      requested.push(...protocols);
      return "acme-tls/1";
    },
  });
  await listening(server, async (port) => {
    const socket = await shakeHands(port, { serverName: "one.test", protocols: ["acme-tls/1"] });
    expect(socket.alpnProtocol).toBe("acme-tls/1");
    socket.destroy();
  });
  expect(requested).toEqual(["one.test", "acme-tls/1"]);
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
  let requested = 0;
  const context = createSecureContext(await pem("one"));
  const server = createHttpsServer({
    ...(await pem("standard")),
    SNICallback: (_name, done) => {
      requested++;
      done(null, context);
    },
  });
  await listening(server, async (port) => {
    expect(await presentedTo(port, { serverName: "one.test" })).toBe("standard");
  });
  expect(requested).toBe(0);
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

/** A `Bun.serve` for HTTP/2 without TLS in the abstract namespace, as the HTTPS of the program uses it. */
async function plainHttp2<Value>(
  fetch: (request: Request) => Response | Promise<Response>,
  act: (path: string) => Promise<Value>,
): Promise<Value> {
  const unix = `\0canary-${crypto.randomUUID()}`;
  const options = { unix, http2: true, idleTimeout: 0, fetch };
  const server = Bun.serve(options as unknown as Bun.Serve.Options<undefined>);
  try {
    return await act(unix);
  } finally {
    await server.stop(true);
  }
}

function sessionAt(path: string, settings = {}) {
  const session = connectHttp2("http://one.test", {
    createConnection: () => connect({ path }),
    settings,
  });
  session.on("error", () => undefined);
  return session;
}

test("Bun.serve speaks HTTP/2 without TLS over an abstract socket, but normalizes paths and uses http URLs", async () => {
  const requested = await plainHttp2(
    ({ url }) => new Response(url),
    async (path) => {
      const session = sessionAt(path);
      const { body } = await http2Request(session, { ":path": "/a/../b\\c" });
      session.destroy();
      return body;
    },
  );
  expect(requested).toBe("http://one.test/b/c");
});

test("Bun.serve accepts headers that end in a CONTINUATION frame", async () => {
  const field = Buffer.from("\x10\x03x-a\x011", "latin1");
  const headers = requestFrame(1, "one.test", "/");
  headers[4] = 1;
  const names = await plainHttp2(
    ({ headers: seen }) => new Response(seen.get("x-a")),
    async (path) => {
      const socket = connect({ path });
      const preface = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
      const rest = [frame(SETTINGS, 0, 0), headers, frame(CONTINUATION, 4, 1, field)];
      socket.write(Buffer.concat([preface, ...rest]));
      let received = "";
      socket.on("data", (chunk) => (received += String(chunk)));
      await until(() => received.endsWith("\0\x01\0\x01\0\0\0\x011"));
      socket.destroy();
      return received;
    },
  );
  expect(names).toEndWith("1");
});

test("Bun.serve has the header limit of node:http, which can be set", async () => {
  const before = http.maxHeaderSize;
  const limit: { maxHeaderSize: number } = http;
  limit.maxHeaderSize = 40_000;
  const ask = (path: string, size: number) => {
    const session = sessionAt(path);
    return http2Request(session, { ":path": "/", "x-a": "a".repeat(size) })
      .then(({ status }) => status)
      .finally(() => session.destroy());
  };
  await plainHttp2(
    () => new Response(),
    async (path) => {
      expect([await ask(path, 30_000), await ask(path, 45_000)]).toEqual([200, 431]);
    },
  );
  limit.maxHeaderSize = before;
});

test("Bun.serve reads one chunk of a body while the window is closed, and cancels the body with its stream", async () => {
  let pulled = 0;
  let cancelled = 0;
  let aborted = 0;
  const body = () =>
    new ReadableStream<Uint8Array>(
      {
        pull: (controller) => {
          pulled++;
          controller.enqueue(new Uint8Array(32_768));
        },
        cancel: () => void cancelled++,
      },
      { highWaterMark: 0 },
    );
  await plainHttp2(
    (request) => {
      const copy = new Request("https://one.test/", request);
      copy.signal.addEventListener("abort", () => void aborted++);
      return new Response(body());
    },
    async (path) => {
      const session = sessionAt(path, { initialWindowSize: 0 });
      const stream = session.request({ ":path": "/" });
      stream.on("error", () => undefined);
      await new Promise((resolve) => stream.once("response", resolve));
      await Bun.sleep(50);
      expect(pulled).toBe(1);
      stream.close(8);
      await until(() => cancelled === 1 && aborted === 1);
      session.destroy();
    },
  );
});

test("Bun.serve ends a request whose body was not read without an error, after the response", async () => {
  await plainHttp2(
    () => new Response("enough"),
    async (path) => {
      const session = sessionAt(path);
      const stream = session.request({ ":path": "/", ":method": "POST" }, { endStream: false });
      stream.write(new Uint8Array(10));
      let text = "";
      stream.on("data", (chunk) => (text += String(chunk)));
      await new Promise((resolve) => stream.once("close", resolve));
      expect([text, stream.rstCode]).toEqual(["enough", 0]);
      session.destroy();
    },
  );
});
