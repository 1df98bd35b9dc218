import { expect, test } from "bun:test";
import { join } from "node:path";

import { until } from "../../helpers/dns/until.ts";
import { opensslHandshake } from "../../helpers/openssl.ts";
import { presentedFor } from "../../helpers/presented.ts";
import {
  converse,
  http2Request,
  http2Session,
  presentedTo,
  shakeHands,
} from "../../helpers/tls-client.ts";
import { startFront, type StartedFront } from "../../helpers/tls-front.ts";
import { folders } from "../../helpers/folders.ts";

const { folder } = folders();

const REQUEST = "GET / HTTP/1.1\r\nhost: one.test\r\nconnection: close\r\n\r\n";

function remove({ live, front }: StartedFront, name: string): void {
  live.delete(name);
  front.closeName(name);
}

test("a name is served as soon as it has a certificate", async () => {
  await using served = await startFront();
  await expect(presentedTo(served.port, { serverName: "one.test" })).rejects.toThrow();
  served.live.set("one.test", await presentedFor("one", "one.test"));
  await expect(await presentedTo(served.port, { serverName: "one.test" })).toBe("one");
});

test("a replaced certificate takes effect with the next handshake, without closing connections", async () => {
  await using served = await startFront();
  served.live.set("one.test", await presentedFor("old", "one.test"));
  const session = await http2Session(served.port, "one.test");
  served.live.set("one.test", await presentedFor("new", "one.test"));
  expect(await presentedTo(served.port, { serverName: "one.test" })).toBe("new");
  expect((await http2Request(session, { ":path": "/" })).status).toBe(200);
  session.destroy();
});

test("removing a wildcard removes all its names, and no others", async () => {
  await using served = await startFront();
  const open = (serverName: string) => shakeHands(served.port, { serverName });
  served.live.set("*.wild.test", await presentedFor("wild", "*.wild.test"));
  served.live.set("one.test", await presentedFor("one", "one.test"));
  const [under, other] = await Promise.all([open("a.wild.test"), open("one.test")]);
  expect(String(under.getPeerCertificate().subject.CN)).toBe("wild");
  const closed = converse(under, "");
  remove(served, "*.wild.test");
  await closed;
  await expect(presentedTo(served.port, { serverName: "a.wild.test" })).rejects.toThrow();
  expect(await converse(other, REQUEST)).toContain("200 OK");
});

test("an HTTP/2 connection of a removed name gets GOAWAY, and its request is aborted", async () => {
  let aborted = false;
  await using served = await startFront({
    fetch: (request) => {
      request.signal.addEventListener("abort", () => (aborted = true));
      return new Response(new ReadableStream({ start: (body) => body.enqueue(Uint8Array.of(65)) }));
    },
  });
  served.live.set("one.test", await presentedFor("one", "one.test"));
  const session = await http2Session(served.port, "one.test");
  const seen: string[] = [];
  session.on("goaway", () => seen.push("goaway"));
  const closed = new Promise<void>((resolve) => {
    session.on("close", () => resolve());
  });
  const stream = session.request({ ":path": "/" });
  stream.on("error", () => undefined);
  await new Promise((resolve) => stream.once("data", resolve));
  remove(served, "one.test");
  await closed;
  expect(seen).toEqual(["goaway"]);
  await until(() => aborted);
});

test("HTTP/1.1 connections of a removed name are closed, busy or idle; those of other names stay", async () => {
  await using served = await startFront({
    fetch: () =>
      new Response(new ReadableStream({ start: (body) => body.enqueue(Uint8Array.of(65)) })),
  });
  served.live.set("one.test", await presentedFor("one", "one.test"));
  served.live.set("two.test", await presentedFor("two", "two.test"));
  const [busy, idle, other] = await Promise.all(
    ["one.test", "one.test", "two.test"].map((serverName) =>
      shakeHands(served.port, { serverName }),
    ),
  );
  if (busy === undefined || idle === undefined || other === undefined) throw new Error("three");
  const ends = [busy, idle].map((socket) => converse(socket, ""));
  busy.write("GET / HTTP/1.1\r\nhost: one.test\r\n\r\n");
  await new Promise((resolve) => busy.once("data", resolve));
  remove(served, "one.test");
  await Promise.all(ends);
  other.write("GET / HTTP/1.1\r\nhost: two.test\r\n\r\n");
  await expect(String(await new Promise((resolve) => other.once("data", resolve)))).toContain(
    "200 OK",
  );
  other.destroy();
});

test("a connection still in its handshake is closed when its name is removed", async () => {
  const lookup = Promise.withResolvers<void>();
  const presented = await presentedFor("one", "one.test");
  const certificate = Promise.withResolvers<typeof presented>();
  await using served = await startFront({
    certificateFor: (id) => ({
      id,
      load: () => {
        lookup.resolve();
        return certificate.promise;
      },
    }),
  });
  const shaken = shakeHands(served.port, { serverName: "one.test" });
  await lookup.promise;
  served.front.closeName("one.test");
  certificate.resolve(presented);
  await expect(shaken).rejects.toThrow();
});

test.each(["-tls1_2", "-tls1_3"])(
  "a session is resumed while its name is served, and not afterwards (%s)",
  async (version) => {
    await using served = await startFront();
    const file = join(await folder(), "session");
    const args = [version, "-servername", "one.test", "-alpn", "http/1.1"];
    served.live.set("one.test", await presentedFor("one", "one.test"));
    await opensslHandshake(served.port, [...args, "-sess_out", file], REQUEST);
    const again = await opensslHandshake(served.port, [...args, "-sess_in", file], REQUEST);
    expect(again.resumed).toBe(true);
    expect(again.output).toContain("200 OK");
    remove(served, "one.test");
    const after = await opensslHandshake(served.port, [...args, "-sess_in", file], REQUEST);
    expect(after.resumed).toBe(false);
    expect(after.output).not.toContain("200 OK");
    expect(after.alert).toBe(112);
  },
);

test("a removed name's session does not serve it under another name", async () => {
  await using served = await startFront();
  const file = join(await folder(), "session");
  served.live.set("one.test", await presentedFor("one", "one.test"));
  served.live.set("two.test", await presentedFor("two", "two.test"));
  await opensslHandshake(served.port, ["-servername", "one.test", "-sess_out", file], REQUEST);
  remove(served, "one.test");
  const { output } = await opensslHandshake(
    served.port,
    ["-servername", "two.test", "-sess_in", file],
    REQUEST,
  );
  expect(output).toContain("421 Misdirected Request");
});
