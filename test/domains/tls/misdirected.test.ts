import { expect, test } from "bun:test";

import { presentedFor } from "../../helpers/presented.ts";
import { converse, http2Request, http2Session, shakeHands } from "../../helpers/tls-client.ts";
import { startFront } from "../../helpers/tls-front.ts";

/** Requests another host over a connection to one.test, whose certificate also covers two.test and *.wild.test. */
async function ask(host: string, sameProject: boolean) {
  const comparisons: string[] = [];
  await using served = await startFront({
    fetch: ({ url }) => new Response(new URL(url).host),
    sameProject: (serverName, other) => {
      comparisons.push(`${serverName} ${other}`);
      return sameProject;
    },
  });
  served.live.set("one.test", await presentedFor("one", "one.test", "two.test", "*.wild.test"));
  const session = await http2Session(served.port, "one.test");
  const answer = await http2Request(session, { ":path": "/", ":authority": host });
  session.destroy();
  return { ...answer, comparisons };
}

test.each(["two.test", "a.wild.test", "TWO.test", "two.test:8443", "two.test."])(
  "%p is served: the certificate covers it, and it belongs to the same project",
  async (host) => {
    const { status, comparisons } = await ask(host, true);
    expect(status).toBe(200);
    expect(comparisons).toEqual([`one.test ${host.startsWith("a") ? host : "two.test"}`]);
  },
);

test("another project's host is misdirected even if the certificate covers it", async () => {
  const { status, body } = await ask("two.test", false);
  expect(status).toBe(421);
  expect(body).not.toContain("two.test");
});

test.each(["three.test", "wild.test", "a.b.wild.test", "127.0.0.1", "localhost"])(
  "%p is misdirected: the certificate does not cover it",
  async (host) => {
    const { status, comparisons } = await ask(host, true);
    expect(status).toBe(421);
    expect(comparisons).toEqual([]);
  },
);

test.each(["one.test", "ONE.test", "one.test:443", "one.test."])(
  "%p is the server name of the handshake",
  async (host) => {
    const { status, comparisons } = await ask(host, false);
    expect(status).toBe(200);
    expect(comparisons).toEqual([]);
  },
);

test.each(["one.test/evil", "one.test@evil.test", "a b", "["])(
  "%p is not a host and not served",
  async (host) => {
    let served = 0;
    await using started = await startFront({
      fetch: () => {
        served++;
        return new Response();
      },
    });
    started.live.set("one.test", await presentedFor("one", "one.test"));
    const socket = await shakeHands(started.port, { serverName: "one.test" });
    const request = `GET / HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`;
    expect(await converse(socket, request)).toMatch(/^HTTP\/1\.1 4\d\d |^$/);
    expect(served).toBe(0);
  },
);

test("an HTTP/1.0 request without a host is for the server name of the handshake", async () => {
  await using served = await startFront();
  served.live.set("one.test", await presentedFor("one", "one.test"));
  const socket = await shakeHands(served.port, { serverName: "one.test" });
  expect(await converse(socket, "GET /dogs HTTP/1.0\r\n\r\n")).toContain(
    '"url":"https://one.test/dogs"',
  );
});
