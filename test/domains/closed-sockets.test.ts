import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { readdirSync, readlinkSync } from "node:fs";
import { connect, createServer, type AddressInfo, type Server } from "node:net";

import { createHttpsClient } from "../../domains/acme/https-client.ts";
import { createAsk } from "../../domains/dns/query.ts";
import { firstKnown, recursiveResolver } from "../../domains/dns/resolver.ts";
import { sendOverTcp, sendOverUdp } from "../../domains/dns/sockets.ts";
import { pinnedGet, portOpen } from "../../domains/outside/pinned-get.ts";
import { handshakeProbe } from "../../domains/serving/probe.ts";
import type { Resolver } from "../../domains/ports/resolver.ts";
import { systemClock } from "../../lib/base/clock.ts";
import { systemRandom } from "../../lib/base/id.ts";
import { recursiveAnswer } from "../helpers/dns/answer.ts";
import { fakeServer, type ServerFault } from "../helpers/dns/server.ts";
import { zone } from "../helpers/dns/zone.ts";
import { timeUntil } from "../helpers/nodes.ts";

const TIMES = 100;

let peer: Server;
let port = 0;

beforeAll(async () => {
  // Reads everything and says nothing.
  peer = createServer((socket) => void socket.on("error", () => undefined).resume());
  await new Promise<void>((resolve) => peer.listen(0, "127.0.0.1", resolve));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  ({ port } = peer.address() as AddressInfo);
});

afterAll(() => void peer.close());

/** Returns how many sockets this process has open. */
function openSockets(): number {
  return readdirSync("/proc/self/fd").filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).startsWith("socket:");
    } catch {
      // It was closed meanwhile, as that of the directory.
      return false;
    }
  }).length;
}

/** Runs what opens sockets. Fails unless they are closed soon after it ends. */
async function expectAllClosed(run: () => Promise<void>): Promise<void> {
  const before = openSockets();
  await run();
  // A socket that was to be closed while it was opened stays open from now on.
  await opened();
  // A few belong to earlier tests.
  await timeUntil(() => openSockets() < before + TIMES / 10, 30_000);
}

/** Resolves when sockets that were begun before are open: this one was begun after them. */
async function opened(): Promise<void> {
  const datagrams = createSocket("udp4");
  await new Promise<void>((resolve) => datagrams.connect(port, "127.0.0.1", resolve));
  datagrams.close();
  const stream = connect(port, "127.0.0.1");
  await once(stream, "connect");
  stream.destroy();
}

const QUERY = new Uint8Array(12);
const client = createHttpsClient({ clock: systemClock, userAgent: "test" });
const page = { name: "x.test", address: "127.0.0.1", target: "/" };

/** Everything in domains/ that opens a socket for one exchange. */
const EXCHANGES: Readonly<Record<string, (at: number, signal: AbortSignal) => Promise<unknown>>> = {
  "a query over UDP": (at, signal) =>
    sendOverUdp({ address: "127.0.0.1", port: at }, QUERY, () => true, signal),
  "a query over TCP": (at, signal) =>
    sendOverTcp({ address: "127.0.0.1", port: at }, QUERY, () => true, signal),
  "a request of a probe": (at, signal) =>
    pinnedGet({ ...page, port: at, secure: false }, [], signal),
  "a request of a probe over TLS": (at, signal) =>
    pinnedGet({ ...page, port: at, secure: true }, [], signal),
  "a connection to see whether a port is open": (at, signal) => portOpen("127.0.0.1", at, signal),
  "a handshake with our own listener": (at, signal) =>
    handshakeProbe(() => ({ host: "127.0.0.1", port: at }), systemClock)("x.test", signal),
  "a request to a CA": (at, signal) =>
    client({ method: "GET", url: `https://127.0.0.1:${at}/` }, signal),
};

/** The moments at which an exchange is aborted. */
const MOMENTS: Readonly<Record<string, () => Promise<unknown> | undefined>> = {
  "at once": () => undefined,
  "in the next microtask": () => Promise.resolve(),
  "in the next turn of the event loop": () => new Promise(setImmediate),
  "while it waits for the answer": () => Bun.sleep(2),
};

describe.each(Object.entries(EXCHANGES))("%s leaves no socket open", (_, exchange) => {
  test.each(Object.entries(MOMENTS))("aborted %s", async (_moment, passed) => {
    await expectAllClosed(async () => {
      for (let time = 0; time < TIMES; time++) {
        const stopping = new AbortController();
        const ended = exchange(port, stopping.signal).catch(() => undefined);
        await passed();
        stopping.abort(new Error("stopped"));
        await ended;
      }
    });
  });

  test("to a closed port", async () => {
    const closed = createServer();
    await new Promise<void>((resolve) => closed.listen(0, "127.0.0.1", resolve));
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const { port: nowhere } = closed.address() as AddressInfo;
    await new Promise((resolve) => closed.close(resolve));
    await expectAllClosed(async () => {
      for (let time = 0; time < TIMES; time++) {
        await exchange(nowhere, new AbortController().signal);
      }
    });
  });
});

test.each<readonly [string, ServerFault | undefined]>([
  ["both answer", undefined],
  ["the second is silent", "drop"],
  ["the second refuses", "refused"],
  ["the second asks for TCP", "truncate"],
])("200 lookups with two resolvers leave no socket open: %s", async (_, fault) => {
  const zones = [
    zone({ apex: "shelter.org", lines: ["@ A 192.0.2.1"], servers: ["ns1.dns.test"] }),
  ];
  const serve = (fails?: ServerFault) =>
    fakeServer({
      say: ({ name, type }) => recursiveAnswer(zones, name, type),
      fault: () => fails,
    });
  const servers = [await serve(), await serve(fault)] as const;
  const ask = createAsk({ clock: systemClock, random: systemRandom });
  const [first, second] = servers;
  const resolvers = [recursiveResolver(ask, first), recursiveResolver(ask, second)] as const;
  await expectAllClosed(async () => {
    for (let lookup = 0; lookup < 200; lookup++) {
      const within = { deadlineAt: systemClock.now() + 60_000 };
      expect(await firstKnown(resolvers, "shelter.org", "A", within)).toMatchObject({
        kind: "found",
      });
    }
  });
  await Promise.all(servers.map((server) => server.close()));
});

test("200 lookups leave no socket open if another resolver knows while a query begins", async () => {
  const ask = createAsk({ clock: systemClock, random: systemRandom });
  const silent = recursiveResolver(ask, { address: "127.0.0.1", port });
  let microtasks = 0;
  const knowing: Resolver = {
    vantage: "memory",
    lookup: async () => {
      for (let passed = 0; passed < microtasks; passed++) await Promise.resolve();
      return {
        kind: "absent",
        reason: "nodata",
        ttlSeconds: 60,
        aliases: [],
        authenticated: false,
      };
    },
  };
  await expectAllClosed(async () => {
    for (let lookup = 0; lookup < 200; lookup++) {
      microtasks = lookup % 20;
      const within = { deadlineAt: systemClock.now() + 60_000 };
      await firstKnown([silent, knowing], "shelter.org", "A", within);
    }
  });
});
