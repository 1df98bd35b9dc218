import { networkInterfaces } from "node:os";

import { describe, expect, test } from "bun:test";

import type { OutsideRequest } from "../../../domains/outside/outside-check.ts";
import { manualClock } from "../../helpers/clock.ts";
import { redirecting, saying, startOutside, us } from "../../helpers/outside.ts";
import { rejection } from "../../helpers/rejection.ts";

const { signal } = new AbortController();
const hasIpv6 = Object.values(networkInterfaces()).some((all) =>
  all?.some(({ address }) => address === "::1"),
);
const NAME = "pets.shelter.org";

function asking(changes: Partial<OutsideRequest> = {}): OutsideRequest {
  return { name: NAME, addresses: ["127.0.0.1"], proxied: false, ...changes };
}

describe("a check from outside", () => {
  test("recognizes this service by name at the given address", async () => {
    await using outside = await startOutside();
    expect(await outside.look(asking(), signal)).toEqual({ kind: "us", circles: false });
    expect(outside.visits).toMatchObject([
      { secure: false, host: `${NAME}:${outside.ports.plain}` },
    ]);
  });

  test("follows a proxy's redirect to HTTPS at the same address", async () => {
    await using outside = await startOutside((visit, { secure }) =>
      visit.secure ? us(visit) : redirecting(`https://${NAME}:${secure}${visit.target}`),
    );
    expect(await outside.look(asking(), signal)).toEqual({ kind: "us", circles: false });
    expect(outside.visits.map(({ secure }) => secure)).toEqual([false, true]);
  });

  test("distinguishes another server from this service", async () => {
    await using outside = await startOutside(() => new Response("parked", { status: 200 }));
    expect(await outside.look(asking(), signal)).toEqual({ kind: "other", status: 200 });
    await using missing = await startOutside(() => new Response("none", { status: 404 }));
    expect(await missing.look(asking(), signal)).toEqual({ kind: "other", status: 404 });
  });

  test("is not fooled by a server that repeats the request", async () => {
    await using outside = await startOutside(({ target }) => new Response(target));
    expect(await outside.look(asking(), signal)).toEqual({ kind: "other", status: 200 });
  });

  test("is not fooled by an old answer", async () => {
    let kept: string | undefined;
    await using outside = await startOutside(async (visit) => {
      kept ??= await (await us(visit)).text();
      return new Response(kept);
    });
    expect(await outside.look(asking(), signal)).toMatchObject({ kind: "us" });
    expect(await outside.look(asking(), signal)).toEqual({ kind: "other", status: 200 });
  });

  test("detects a redirect loop between HTTP and HTTPS", async () => {
    await using outside = await startOutside((visit, { plain, secure }) =>
      redirecting(
        visit.secure
          ? `http://${NAME}:${plain}${visit.target}`
          : `https://${NAME}:${secure}${visit.target}`,
      ),
    );
    expect(await outside.look(asking(), signal)).toEqual({ kind: "circle" });
    expect(outside.visits).toHaveLength(2);
  });

  test("detects the loop of a proxy that terminates HTTPS in front of a host that redirects to it", async () => {
    await using outside = await startOutside((visit) => us(visit, "redirected"));
    const proxied = asking({ proxied: true });
    expect(await outside.look(proxied, signal)).toEqual({ kind: "us", circles: true });
    // Plain HTTP alone works.
    expect(await outside.look(asking(), signal)).toEqual({ kind: "us", circles: false });
  });

  test("gives up after three redirects", async () => {
    await using outside = await startOutside(({ target }) => redirecting(`${target}x`));
    expect(await outside.look(asking(), signal)).toEqual({ kind: "circle" });
    expect(outside.visits).toHaveLength(4);
  });
});

describe("a redirect", () => {
  test.each([
    ["to another name", "http://www.shelter.org:PORT/"],
    ["to an address", "http://169.254.169.254:PORT/latest/meta-data/"],
    ["to a decimal address", "http://2852039166:PORT/"],
    ["to localhost", "http://localhost:PORT/"],
    ["to another port", `http://${NAME}:22/`],
    ["by HTTPS to the port of HTTP", `https://${NAME}:PORT/`],
    ["to a name with a password", `http://user:password@${NAME}:PORT/`],
    ["to a name before an at sign", `http://${NAME}@127.0.0.1:PORT/`],
    ["to a name with a user", `http://user@${NAME}:PORT/`],
    ["to another scheme", `ftp://${NAME}:PORT/`],
    ["to a file", "file:///etc/passwd"],
    ["to a backslash", "http:\\\\127.0.0.1:PORT\\"],
    ["to nowhere", "http://"],
  ])("%s is not followed", async (_name, location) => {
    await using outside = await startOutside((_visit, { plain }) =>
      redirecting(location.replace("PORT", String(plain))),
    );
    expect(await outside.look(asking(), signal)).toMatchObject({ kind: "other", status: 301 });
    expect(outside.visits).toHaveLength(1);
  });

  test("is shown without control characters", async () => {
    await using stranger = await saying(
      "HTTP/1.1 302 Found\r\nLocation: http://x/\u001b[2J\r\nContent-Length: 0\r\n\r\n",
    );
    const ports = { plain: stranger.port, secure: 1 };
    await using outside = await startOutside(undefined, { ports });
    expect(await outside.look(asking(), signal)).toEqual({ kind: "other", status: 302 });
  });
});

describe("a check from outside is hardened:", () => {
  test("it contacts no private address from DNS", async () => {
    await using outside = await startOutside(undefined, { allowPrivateNetworks: false });
    const addresses = ["127.0.0.1", "::ffff:127.0.0.1", "::1", "169.254.169.254", "2130706433"];
    expect(await outside.look(asking({ addresses }), signal)).toEqual({ kind: "unlooked" });
    expect(await outside.look(asking({ addresses: [] }), signal)).toEqual({ kind: "unlooked" });
    expect(outside.visits).toEqual([]);
  });

  test("it uses the given address, whatever the machine resolves the name to", async () => {
    await using outside = await startOutside();
    const seen = await outside.look(asking({ name: "localhost" }), signal);
    expect(seen).toMatchObject({ kind: "us" });
  });

  test("it reads at most four kilobytes", async () => {
    await using stranger = await saying(`HTTP/1.1 200 OK\r\n\r\n${"x".repeat(10_000_000)}`, {
      hangs: true,
    });
    const ports = { plain: stranger.port, secure: 1 };
    await using outside = await startOutside(undefined, { ports });
    expect(await outside.look(asking(), signal)).toEqual({ kind: "other", status: 200 });
  });

  test("a response that is not HTTP, or has an endless head, counts as a broken connection", async () => {
    for (const text of ["SSH-2.0-OpenSSH_9\r\n", `HTTP/1.1 200 OK\r\nX: ${"x".repeat(9_000)}`]) {
      await using stranger = await saying(text);
      const ports = { plain: stranger.port, secure: 1 };
      await using outside = await startOutside(undefined, { ports });
      expect(await outside.look(asking(), signal)).toEqual({ kind: "refused" });
    }
  });

  test("a closed port counts as refused", async () => {
    await using outside = await startOutside(undefined, { ports: { plain: 1, secure: 1 } });
    expect(await outside.look(asking(), signal)).toEqual({ kind: "refused" });
  });

  test("it waits five seconds for a silent server", async () => {
    await using stranger = await saying("", { hangs: true });
    const clock = manualClock(0);
    const ports = { plain: stranger.port, secure: 1 };
    await using outside = await startOutside(undefined, { ports, clock });
    const connected = new Promise((resolve) => stranger.server.once("connection", resolve));
    const seen = outside.look(asking(), signal);
    await connected;
    clock.advance(5_000);
    expect(await seen).toEqual({ kind: "timeout" });
  });

  test.skipIf(!hasIpv6)("it tries IPv6 when IPv4 does not answer (needs IPv6)", async () => {
    await using outside = await startOutside(undefined, {}, "::1");
    const addresses = ["127.0.0.1", "::1"];
    expect(await outside.look(asking({ addresses }), signal)).toMatchObject({ kind: "us" });
  });

  test("it ends when the caller aborts", async () => {
    await using stranger = await saying("", { hangs: true });
    const ports = { plain: stranger.port, secure: 1 };
    await using outside = await startOutside(undefined, { ports });
    const over = new AbortController();
    const connected = new Promise((resolve) => stranger.server.once("connection", resolve));
    const seen = rejection(outside.look(asking(), over.signal));
    await connected;
    over.abort(new Error("over"));
    expect(await seen).toMatchObject({ message: "over" });
  });

  test("the number of concurrent checks is limited, and waiting counts towards the time limit", async () => {
    await using stranger = await saying("", { hangs: true });
    const clock = manualClock(0);
    const ports = { plain: stranger.port, secure: 1 };
    await using outside = await startOutside(undefined, { ports, clock, concurrency: 1 });
    const connected = new Promise((resolve) => stranger.server.once("connection", resolve));
    const first = outside.look(asking(), signal);
    const second = outside.look(asking({ withinMs: 1_000 }), signal);
    await connected;
    clock.advance(1_000);
    expect(await second).toEqual({ kind: "unlooked" });
    clock.advance(4_000);
    expect(await first).toEqual({ kind: "timeout" });
  });
});
