import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";

import { installed } from "../../helpers/nested.ts";
import { opensslHandshake } from "../../helpers/openssl.ts";
import {
  converse,
  http2Request,
  http2Session,
  presentedTo,
  shakeHands,
} from "../../helpers/tls-client.ts";
import { folders } from "../../helpers/folders.ts";

const { folder } = folders();

const PROJECT = "test/node/project";
const ROOT = join(import.meta.dir, "../../..");
const lacking = await installed(PROJECT);

describe.skipIf(lacking !== undefined)(
  `on Node${lacking === undefined ? "" : ` (${lacking})`}`,
  () => {
    let port = 0;
    let tell: (line: string) => Promise<void> = async () => undefined;
    let end: () => Promise<void> = async () => undefined;

    beforeAll(async () => {
      const child = Bun.spawn(
        [
          join(ROOT, PROJECT, "node_modules/node24/bin/node"),
          join(import.meta.dir, "served-by-node.ts"),
        ],
        { stdin: "pipe", stdout: "pipe", stderr: "inherit" },
      );
      const lines = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
      let text = "";
      const heard = async (said: string): Promise<void> => {
        while (!text.includes(said)) {
          const { value, done } = await lines.read();
          if (done) throw new Error("Node ended");
          text += value;
        }
      };
      await heard("\n");
      port = Number(/listening (\d+)/.exec(text)?.[1]);
      tell = async (line) => {
        text = "";
        void child.stdin.write(`${line}\n`);
        await heard(`${line}\n`);
      };
      end = async () => {
        await child.stdin.end();
        child.kill();
        await child.exited;
      };
    });
    afterAll(() => end());

    test("names are served over both versions of HTTP", async () => {
      await tell("serve both.test both");
      const session = await http2Session(port, "both.test");
      const body = new Uint8Array(5_000_000);
      const answer = await http2Request(session, { ":path": "/a", ":method": "POST" }, body);
      session.destroy();
      expect(JSON.parse(answer.body)).toMatchObject({ length: 5_000_000, serverName: "both.test" });
      const socket = await shakeHands(port, { serverName: "both.test" });
      const request = "GET /b HTTP/1.1\r\nhost: both.test\r\nconnection: close\r\n\r\n";
      expect(await converse(socket, request)).toContain('"url":"https://both.test/b"');
    });

    test("an unknown name is reported to the client", async () => {
      expect((await opensslHandshake(port, ["-servername", "unknown.test"])).alert).toBe(112);
    });

    test("TLS 1.2 supports only AEAD suites", async () => {
      await tell("serve aead.test aead");
      const of = (cipher: string) =>
        opensslHandshake(port, ["-servername", "aead.test", "-tls1_2", "-cipher", cipher]);
      expect((await of("ECDHE-ECDSA-AES128-GCM-SHA256")).subject).toBe("aead");
      expect((await of("ECDHE-ECDSA-AES128-SHA:ECDHE-ECDSA-AES256-SHA:@SECLEVEL=0")).alert).toBe(
        40,
      );
      const { version } = await opensslHandshake(port, ["-servername", "aead.test", "-tls1_3"]);
      expect(version).toBe("TLSv1.3");
    });

    test.each([
      ["two hosts", "GET / HTTP/1.1\r\nhost: one.test\r\nhost: one.test\r\n\r\n"],
      ["no host", "GET / HTTP/1.1\r\n\r\n"],
      ["a port above 65535", "GET / HTTP/1.1\r\nhost: one.test:99999\r\n\r\n"],
      ["five numbers as a host", "GET / HTTP/1.1\r\nhost: 1.2.3.4.5\r\n\r\n"],
      [
        "an odd Transfer-Encoding",
        "POST / HTTP/1.1\r\nhost: one.test\r\ntransfer-encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
      ],
    ])("%s is 400", async (_what, request) => {
      await tell("serve one.test one");
      const socket = await shakeHands(port, { serverName: "one.test" });
      expect(await converse(socket, request)).toStartWith("HTTP/1.1 400 ");
    });

    test("pipelined requests are all answered", async () => {
      await tell("serve one.test one");
      const socket = await shakeHands(port, { serverName: "one.test" });
      const request = "GET / HTTP/1.1\r\nhost: one.test\r\n\r\n".repeat(499);
      const last = "GET / HTTP/1.1\r\nhost: one.test\r\nconnection: close\r\n\r\n";
      const text = await converse(socket, request + last);
      expect(text.match(/HTTP\/1\.1 200 /g)).toHaveLength(500);
    });

    test("a replaced certificate takes effect with the next handshake", async () => {
      await tell("serve new.test old");
      expect(await presentedTo(port, { serverName: "new.test" })).toBe("old");
      await tell("serve new.test new");
      expect(await presentedTo(port, { serverName: "new.test" })).toBe("new");
    });

    test.each(["-tls1_2", "-tls1_3"])("no session outlives its name (%s)", async (version) => {
      const file = join(await folder(), "session");
      const args = [version, "-servername", "gone.test", "-alpn", "http/1.1"];
      const request = "GET / HTTP/1.1\r\nhost: gone.test\r\nconnection: close\r\n\r\n";
      await tell("serve gone.test gone");
      await opensslHandshake(port, [...args, "-sess_out", file], request);
      const again = await opensslHandshake(port, [...args, "-sess_in", file], request);
      expect({ resumed: again.resumed, answered: again.output.includes("200 OK") }).toEqual({
        resumed: true,
        answered: true,
      });
      await tell("remove gone.test");
      const after = await opensslHandshake(port, [...args, "-sess_in", file], request);
      expect({ resumed: after.resumed, alert: after.alert }).toEqual({
        resumed: false,
        alert: 112,
      });
    });

    test("an HTTP/2 connection gets GOAWAY when its name is removed", async () => {
      await tell("serve open.test open");
      const session = await http2Session(port, "open.test");
      await http2Request(session, { ":path": "/" });
      const gone = new Promise((resolve) => session.once("goaway", resolve));
      const closed = new Promise((resolve) => session.once("close", resolve));
      await tell("remove open.test");
      await Promise.all([gone, closed]);
    });

    test.each(["-tls1_2", "-tls1_3"])(
      "the CA gets the challenge and visitors the certificate (%s)",
      async (version) => {
        await tell("serve renewed.test certificate");
        await tell("challenge renewed.test challenge");
        const of = (alpn: string) =>
          opensslHandshake(port, [version, "-servername", "renewed.test", "-alpn", alpn]);
        expect((await of("acme-tls/1")).subject).toBe("challenge");
        expect((await of("h2")).subject).toBe("certificate");
        expect((await of("acme-tls/1,http/1.1")).subject).toBe("certificate");
      },
    );

    test("another project's host is misdirected", async () => {
      await tell("serve one.test one");
      const session = await http2Session(port, "one.test");
      const { status } = await http2Request(session, { ":path": "/", ":authority": "two.test" });
      session.destroy();
      expect(status).toBe(421);
    });

    test("headers up to the limit are accepted, larger ones refused", async () => {
      await tell("serve large.test large");
      const ask = async (size: number): Promise<string> =>
        converse(
          await shakeHands(port, { serverName: "large.test" }),
          `GET / HTTP/1.1\r\nhost: large.test\r\nconnection: close\r\nx-a: ${"x".repeat(size)}\r\n\r\n`,
        );
      expect(await ask(30_000)).toStartWith("HTTP/1.1 200 ");
      expect(await ask(40_000)).toStartWith("HTTP/1.1 431 ");
    });
  },
);
