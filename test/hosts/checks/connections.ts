import { deepEqual, equal, match, notEqual, ok } from "node:assert/strict";

import { eventually, settle, type Check, type Place } from "../check.ts";
import { converse, open, sendRaw } from "../raw-http.ts";

const authorizationOf = ({ token }: Place): string => `Authorization: Bearer ${token}`;

/** Connections: how they end, who waits for whom, and what happens when a side leaves. */
export const connections: readonly Check[] = [
  {
    name: "Connection: close closes the connection after a whole response",
    async run(place) {
      const { status, headers, text } = await place.raw([
        `GET ${place.api}/pets HTTP/1.1`,
        "Host: localhost",
        authorizationOf(place),
      ]);
      equal(status, 200);
      const length = new Map(headers).get("content-length");
      // Without a length the body is in chunks, which end with an empty one.
      if (length === undefined) match(text, /0\r\n\r\n$/);
      else equal(Buffer.byteLength(text, "latin1"), Number(length));
    },
  },
  {
    name: "pipelined requests are answered in their order",
    async run(place) {
      const get = (resource: string, ...more: readonly string[]): string =>
        [
          `GET ${place.api}/${resource} HTTP/1.1`,
          "Host: localhost",
          authorizationOf(place),
          ...more,
          "",
          "",
        ].join("\r\n");
      const said = await converse(
        place.origin,
        get("pets") + get("nowhere") + get("rate-limit", "Connection: close"),
      );
      const statuses = [...said.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status);
      deepEqual(statuses, ["200", "404", "200"]);
    },
  },
  {
    name: "a client that disconnects aborts its request",
    at: ["plain", "root", "parsed", "before", "dressed", "compressed"],
    async run({ facts, probe }) {
      const before = await facts();
      const leave = new AbortController();
      const hanging = probe("hang", { signal: leave.signal }).catch(() => "left");
      await eventually(facts, (now) => now.hanging === before.hanging + 1);
      leave.abort();
      equal(await hanging, "left");
      await eventually(facts, (now) => now.aborted === before.aborted + 1);
    },
  },
  {
    name: "the first part of a stream arrives before the second exists",
    at: ["plain", "root", "parsed", "before", "parameter"],
    // nginx keeps parts until it has enough, unless it is set otherwise: that is checked apart.
    proxied: false,
    run: (place) => arrivesInParts(place),
  },
  {
    name: "a slow reader slows the service, and disconnecting stops it",
    at: ["plain", "parsed"],
    proxied: false,
    run: (place) => slowsDown(place),
  },
  {
    name: "an exception becomes a 500 without details",
    at: ["plain"],
    proxied: false,
    async run({ probe }) {
      const failed = await probe("throw");
      equal(failed.status, 500);
      ok(!(await failed.text()).includes("secret detail"), "shows the exception");
    },
  },
  {
    name: "a failed stream does not look complete",
    at: ["plain"],
    proxied: false,
    async run({ probe }) {
      const whole = await probe("broken")
        .then((response) => response.text())
        .catch(() => "broken off");
      equal(whole, "broken off");
    },
  },
  {
    name: "on SIGTERM a begun request is answered, and the host ends",
    at: ["plain"],
    proxied: false,
    ends: true,
    async run(place) {
      const { running, origin, api, token } = place;
      const body = JSON.stringify({ name: "Last", categoryId: 1 });
      const socket = open(origin);
      let said = "";
      let left = false;
      const closed = new Promise<void>((resolve) => {
        socket.on("close", () => {
          left = true;
          resolve();
        });
      });
      socket.on("error", () => undefined);
      socket.on("data", (part) => {
        said += String(part);
      });
      const head = [
        `POST ${api}/pets HTTP/1.1`,
        "Host: localhost",
        "Content-Type: application/json",
        `Content-Length: ${body.length}`,
        `Authorization: Bearer ${token}`,
        "",
        body.slice(0, 5),
      ].join("\r\n");
      await new Promise<void>((resolve) => void socket.write(head, () => resolve()));
      // The host has the head when it answers a later request.
      await sendRaw(origin, [`GET ${api}/openapi.json HTTP/1.1`, "Host: localhost"]);
      await running.signal("SIGTERM");
      await eventually(() => isRefused(origin), Boolean);
      socket.write(body.slice(5));
      await eventually(
        () => left || said.includes("\r\n\r\n"),
        (over) => over,
      );
      match(said, /^HTTP\/1\.1 201/);
      const code = await running.ended();
      await closed;
      ok([0, 143].includes(code), `It ended with ${code}.`);
    },
  },
];

/** The response of a stream reaches its reader before the service has produced all of it. */
export async function arrivesInParts({ probe }: Place): Promise<void> {
  const reader = (await probe("stream")).body?.pipeThrough(new TextDecoderStream()).getReader();
  equal((await reader?.read())?.value, "one,");
  await probe("release");
  equal((await reader?.read())?.value, "two");
  equal((await reader?.read())?.done, true);
}

/** The service produces no more than the buffers in between hold, and nothing once the reader has left. */
export async function slowsDown({ facts, probe }: Place): Promise<void> {
  const before = await facts();
  const leave = new AbortController();
  const flood = await probe("flood", { signal: leave.signal });
  const reader = flood.body?.getReader();
  notEqual((await reader?.read())?.value, undefined);
  const { produced } = await eventually(facts, async ({ produced: made }) => {
    await settle();
    return (await facts()).produced === made;
  });
  // Far less than a writer without backpressure would produce.
  ok(produced - before.produced < 1_000, `It produced ${produced - before.produced} parts.`);
  leave.abort();
  await eventually(facts, ({ cancelled }) => cancelled === before.cancelled + 1);
}

function isRefused(origin: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = open(origin);
    socket.on("connect", () => {
      socket.destroy();
      resolve(false);
    });
    socket.on("error", () => resolve(true));
  });
}
