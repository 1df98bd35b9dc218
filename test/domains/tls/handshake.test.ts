import { expect, test } from "bun:test";
import { connect, createServer, type AddressInfo } from "node:net";

import { clientHello, inRecords } from "../../helpers/client-hello.ts";
import { until } from "../../helpers/dns/until.ts";
import { opensslHandshake } from "../../helpers/openssl.ts";
import { presentedFor } from "../../helpers/presented.ts";
import { converse, presentedTo, shakeHands } from "../../helpers/tls-client.ts";
import { startFront } from "../../helpers/tls-front.ts";

const UNRECOGNIZED_NAME = 112;
const NO_APPLICATION_PROTOCOL = 120;
const INTERNAL_ERROR = 80;

/** A front that serves one.test. */
async function one(...options: Parameters<typeof startFront>) {
  const served = await startFront(...options);
  served.live.set("one.test", await presentedFor("one", "one.test"));
  return served;
}

test.each(["-tls1_2", "-tls1_3"])("%s is supported", async (version) => {
  await using served = await one();
  const { subject } = await opensslHandshake(served.port, ["-servername", "one.test", version]);
  expect(subject).toBe("one");
});

test.each(["-tls1", "-tls1_1"])("%s is refused", async (version) => {
  await using served = await one();
  const args = ["-servername", "one.test", version, "-cipher", "ALL:@SECLEVEL=0"];
  const { subject, alert, version: spoken } = await opensslHandshake(served.port, args);
  expect({ subject, spoken }).toEqual({ subject: undefined, spoken: undefined });
  expect(alert).toBe(70);
});

const AEAD = [
  "ECDHE-ECDSA-AES128-GCM-SHA256",
  "ECDHE-ECDSA-AES256-GCM-SHA384",
  "ECDHE-ECDSA-CHACHA20-POLY1305",
];

test.each(AEAD)("TLS 1.2 supports %s", async (cipher) => {
  await using served = await one();
  const args = ["-servername", "one.test", "-tls1_2", "-cipher", cipher];
  expect((await opensslHandshake(served.port, args)).subject).toBe("one");
});

test("TLS 1.2 supports only AEAD suites with forward secrecy", async () => {
  await using served = await one();
  const others = ["ALL", "COMPLEMENTOFALL", ...AEAD.map((suite) => `!${suite}`), "@SECLEVEL=0"];
  const args = ["-servername", "one.test", "-tls1_2", "-cipher", others.join(":")];
  const { subject, version, alert } = await opensslHandshake(served.port, args);
  expect({ subject, version, alert }).toEqual({
    subject: undefined,
    version: undefined,
    alert: 40,
  });
});

test("a challenge follows the same rules", async () => {
  await using served = await one();
  served.challenged.set("one.test", await presentedFor("challenge", "one.test"));
  const ask = (cipher: string) =>
    opensslHandshake(served.port, [
      "-servername",
      "one.test",
      "-alpn",
      "acme-tls/1",
      "-tls1_2",
      "-cipher",
      cipher,
    ]);
  expect((await ask("ECDHE-ECDSA-AES128-GCM-SHA256")).subject).toBe("challenge");
  expect((await ask("ECDHE-ECDSA-AES128-SHA:ECDHE-ECDSA-AES256-SHA:@SECLEVEL=0")).alert).toBe(40);
});

test("an unknown name is reported to the client", async () => {
  await using served = await one();
  const { subject, alert } = await opensslHandshake(served.port, ["-servername", "other.test"]);
  expect({ subject, alert }).toEqual({ subject: undefined, alert: UNRECOGNIZED_NAME });
});

test("a client without a server name gets no certificate, without a lookup", async () => {
  await using served = await one();
  const { subject, alert } = await opensslHandshake(served.port, ["-noservername"]);
  expect({ subject, alert }).toEqual({ subject: undefined, alert: UNRECOGNIZED_NAME });
  expect(served.lookups).toEqual([]);
});

test("HTTP/2 is preferred, whatever the client's order", async () => {
  await using served = await one();
  const args = ["-servername", "one.test", "-alpn", "http/1.1,h2"];
  expect((await opensslHandshake(served.port, args)).protocol).toBe("h2");
});

test("a client without a common protocol gets an alert", async () => {
  await using served = await one();
  const args = ["-servername", "one.test", "-alpn", "smtp"];
  const { subject, alert } = await opensslHandshake(served.port, args);
  expect({ subject, alert }).toEqual({ subject: undefined, alert: NO_APPLICATION_PROTOCOL });
});

test("a client without ALPN is served over HTTP/1.1", async () => {
  await using served = await one();
  const request = "GET / HTTP/1.1\r\nhost: one.test\r\nconnection: close\r\n\r\n";
  const { output } = await opensslHandshake(served.port, ["-servername", "one.test"], request);
  expect(output).toContain("HTTP/1.1 200 OK");
});

test("the handshake waits for a certificate that has to be loaded", async () => {
  const presented = await presentedFor("one", "one.test");
  await using served = await startFront({
    certificateFor: (id) => ({ id, load: async () => presented }),
  });
  expect(await presentedTo(served.port, { serverName: "one.test" })).toBe("one");
});

test("a failed load ends the handshake, and the next one retries", async () => {
  const presented = await presentedFor("one", "one.test");
  let broken = true;
  await using served = await startFront({
    certificateFor: (id) => ({
      id,
      load: async () => {
        if (broken) throw new Error("the database is away");
        return presented;
      },
    }),
  });
  const args = ["-servername", "one.test"];
  expect((await opensslHandshake(served.port, args)).alert).toBe(INTERNAL_ERROR);
  broken = false;
  expect((await opensslHandshake(served.port, args)).subject).toBe("one");
});

test("a certificate with another one's key ends the handshake", async () => {
  await using served = await one();
  const { privateKeyPem } = await presentedFor("other", "one.test");
  served.live.set("one.test", { ...(await presentedFor("bad", "one.test")), privateKeyPem });
  const { subject, alert } = await opensslHandshake(served.port, ["-servername", "one.test"]);
  expect({ subject, alert }).toEqual({ subject: undefined, alert: INTERNAL_ERROR });
});

test.each([
  ["HTTP in the clear", new TextEncoder().encode("GET / HTTP/1.1\r\nhost: one.test\r\n\r\n")],
  ["a hello without end", inRecords(Uint8Array.of(1, 0, 0x40, 0, ...new Uint8Array(20_000)))],
])("%s is cut off without an answer", async (_what, bytes) => {
  await using served = await one();
  const answer = await new Promise<number>((resolve) => {
    let length = 0;
    const socket = connect(served.port, "127.0.0.1", () => socket.write(bytes));
    socket.on("data", (chunk) => (length += chunk.length));
    socket.on("error", () => undefined);
    socket.on("close", () => resolve(length));
  });
  expect(answer).toBe(0);
});

test("a ClientHello may arrive byte by byte", async () => {
  await using served = await one();
  const bytes = inRecords(clientHello({ serverName: "other.test" }));
  const socket = connect(served.port, "127.0.0.1").setNoDelay(true);
  const answer = new Promise((resolve) => socket.once("data", resolve));
  for (const byte of bytes) {
    await new Promise((sent) => socket.write(Uint8Array.of(byte), sent));
  }
  expect(await answer).toEqual(Buffer.of(21, 3, 3, 0, 2, 2, UNRECOGNIZED_NAME));
});

test("a handshake with a split ClientHello succeeds", async () => {
  await using served = await one();
  // A relay passes the first bytes on in pieces of a hundred.
  const between = createServer((client) => {
    const front = connect(served.port, "127.0.0.1").setNoDelay(true);
    front.pipe(client);
    client.once("data", (chunk) => {
      const hello = Buffer.from(chunk);
      client.pause();
      const pass = async (): Promise<void> => {
        for (let at = 0; at < hello.length; at += 100) {
          front.write(hello.subarray(at, at + 100));
          await Bun.sleep(2);
        }
        client.pipe(front);
      };
      void pass();
    });
    for (const socket of [client, front]) socket.on("error", () => undefined);
  });
  await new Promise<void>((resolve) => {
    between.listen(0, "127.0.0.1", resolve);
  });
  const { port } = between.address() as AddressInfo;
  expect(await presentedTo(port, { serverName: "one.test" })).toBe("one");
  between.close();
});

test("ten thousand handshakes for unknown names load no certificate and leave nothing behind", async () => {
  await using served = await one();
  const { port, lookups, front } = served;
  const flood = async (from: number): Promise<void> => {
    for (let index = from; index < 10_000; index += 50) {
      const hello = inRecords(clientHello({ serverName: `n${index}.test` }));
      await new Promise<void>((resolve) => {
        const socket = connect(port, "127.0.0.1", () => socket.write(hello));
        socket.once("data", () => socket.destroy());
        socket.on("error", () => undefined);
        socket.on("close", () => resolve());
      });
    }
  };
  await Promise.all(Array.from({ length: 50 }, (_, from) => flood(from)));
  expect(lookups).toHaveLength(10_000);
  expect(await presentedTo(port, { serverName: "one.test" })).toBe("one");
  await until(() => front.connections === 0);
});

test("a connection looks its name up once, whatever the number of requests", async () => {
  await using served = await one();
  const request = "GET / HTTP/1.1\r\nhost: one.test\r\n\r\n";
  const socket = await shakeHands(served.port, { serverName: "one.test" });
  await converse(socket, `${request}${request.replace("host", "connection: close\r\nhost")}`);
  expect(served.lookups).toEqual(["one.test"]);
});
