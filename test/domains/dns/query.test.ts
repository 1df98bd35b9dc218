import { afterEach, describe, expect, test } from "bun:test";

import { createServer, type AddressInfo, type Server } from "node:net";

import { systemRandom } from "../../../lib/base/id.ts";
import { createAsk, type AskOptions, type Reply } from "../../../domains/dns/query.ts";
import { manualClock } from "../../helpers/clock.ts";
import { zoneServers } from "../../helpers/dns/servers.ts";
import { until } from "../../helpers/dns/until.ts";

const servers = zoneServers();
afterEach(() => servers.closeAll());

const lines = ["@ A 192.0.2.1", "@ AAAA 2001:db8::1"];
const question = { name: "shelter.org", type: "A" } as const;
// The clock stands still, so every response arrives without waiting.
const ask = createAsk({ clock: manualClock(0), random: systemRandom });

function manner(more: Partial<AskOptions> = {}): AskOptions {
  return { recursionDesired: false, deadlineAt: 9_000, ...more };
}

function dataOf(reply: Reply): readonly unknown[] {
  return reply.kind === "message" ? reply.message.answers.map(({ data }) => data) : [];
}

describe("a query to one server", () => {
  test("is sent once over UDP if that succeeds", async () => {
    const server = await servers.start({ lines });
    expect(dataOf(await ask(server, question, manner()))).toEqual(["192.0.2.1"]);
    expect(server.queries.map(({ transport }) => transport)).toEqual(["udp"]);
  });

  test("without a response is sent twice over UDP and once over TCP, and ends after 4.9 s", async () => {
    const server = await servers.start({ lines, fault: () => "drop" });
    const clock = manualClock(0);
    const reply = createAsk({ clock, random: systemRandom })(
      server,
      question,
      manner({ deadlineAt: 60_000 }),
    );
    for (const [index, ms] of [800, 1_600, 2_500].entries()) {
      await until(() => server.queries.length === index + 1);
      clock.advance(ms - 1);
      await Bun.sleep(2);
      expect(server.queries).toHaveLength(index + 1);
      clock.advance(1);
    }
    expect(await reply).toEqual({ kind: "none", reason: "timeout", roundTripMs: 4_900 });
    expect(server.queries.map(({ transport }) => transport)).toEqual(["udp", "udp", "tcp"]);
  });

  test("ends at its deadline at any stage", async () => {
    const server = await servers.start({ lines, fault: () => "drop" });
    const clock = manualClock(0);
    const reply = createAsk({ clock, random: systemRandom })(
      server,
      question,
      manner({ deadlineAt: 900 }),
    );
    await until(() => server.queries.length === 1);
    clock.advance(800);
    await until(() => server.queries.length === 2);
    clock.advance(100);
    expect(await reply).toMatchObject({ kind: "none", reason: "timeout" });
  });

  test("with an expired deadline is not sent", async () => {
    const server = await servers.start({ lines });
    const late = manner({ deadlineAt: -1 });
    expect(await ask(server, question, late)).toMatchObject({ kind: "none", reason: "timeout" });
    expect(server.queries).toHaveLength(0);
  });

  test("is repeated over TCP if the response is truncated", async () => {
    const server = await servers.start({ lines, fault: () => "truncate" });
    expect(dataOf(await ask(server, question, manner()))).toEqual(["192.0.2.1"]);
    expect(server.queries.map(({ transport }) => transport)).toEqual(["udp", "tcp"]);
  });

  test("receives a long response completely over TCP", async () => {
    const many = Array.from({ length: 200 }, (_, index) => `@ A 192.0.2.${index}`);
    const server = await servers.start({ lines: many });
    expect(dataOf(await ask(server, question, manner()))).toHaveLength(200);
  });

  test("is malformed if the response is truncated over TCP, too", async () => {
    const server = await servers.start({
      lines,
      fault: ({ transport }) =>
        transport === "udp"
          ? "truncate"
          : (response) => {
              response.header.tc = 1;
              return response;
            },
    });
    expect(await ask(server, question, manner())).toMatchObject({ reason: "malformed" });
  });

  test("is unreachable if the server closes the connection", async () => {
    const server = await servers.start({
      lines,
      fault: ({ transport }) => (transport === "udp" ? "truncate" : "hang_up"),
    });
    expect(await ask(server, question, manner())).toMatchObject({ reason: "unreachable" });
  });

  test("is repeated without EDNS for servers that refuse it", async () => {
    const server = await servers.start({ lines, fault: () => "no_edns" });
    expect(dataOf(await ask(server, question, manner()))).toEqual(["192.0.2.1"]);
    expect(server.queries.map(({ edns }) => edns)).toEqual([true, false]);
  });

  test("has a new id and letter case each time", async () => {
    const server = await servers.start({ lines });
    for (let times = 0; times < 20; times++) await ask(server, question, manner());
    expect(new Set(server.queries.map(({ id }) => id)).size).toBeGreaterThan(15);
    expect(new Set(server.queries.map(({ exact }) => exact)).size).toBeGreaterThan(15);
  });

  test("sets RD and CD only on request", async () => {
    const server = await servers.start({ lines });
    await ask(server, question, manner());
    await ask(server, question, manner({ recursionDesired: true, checkingDisabled: true }));
    const flags = server.queries.map(({ recursionDesired, checkingDisabled }) => [
      recursionDesired,
      checkingDisabled,
    ]);
    expect(flags).toEqual([
      [false, false],
      [true, true],
    ]);
  });

  test("is given up after sixteen unrelated datagrams", async () => {
    const flood = await Bun.udpSocket({
      hostname: "127.0.0.1",
      socket: {
        data: (socket, _, port, address) => {
          for (let times = 0; times < 16; times++) socket.send("no answer at all", port, address);
        },
      },
    });
    const reply = await ask({ address: "127.0.0.1", port: flood.port }, question, manner());
    flood.close();
    expect(reply).toMatchObject({ kind: "none", reason: "malformed" });
  });
});

describe("many queries", () => {
  test("wait when the limit is reached", async () => {
    const held = Promise.withResolvers<void>();
    const server = await servers.start({ lines, fault: () => ({ after: held.promise }) });
    const narrow = createAsk({ clock: manualClock(0), random: systemRandom, maxInFlight: 2 });
    const all = Array.from({ length: 6 }, () => narrow(server, question, manner()));
    await until(() => server.queries.length === 2);
    held.resolve();
    expect((await Promise.all(all)).flatMap(dataOf)).toHaveLength(6);
  });

  test("end at their deadline while waiting", async () => {
    const server = await servers.start({ lines, fault: () => "drop" });
    const clock = manualClock(0);
    const narrow = createAsk({ clock, random: systemRandom, maxInFlight: 1 });
    const first = narrow(server, question, manner({ deadlineAt: 700 }));
    const second = narrow(server, question, manner({ deadlineAt: 600 }));
    await until(() => server.queries.length === 1);
    clock.advance(600);
    expect(await second).toMatchObject({ reason: "timeout" });
    expect(server.queries).toHaveLength(1);
    clock.advance(100);
    expect(await first).toMatchObject({ reason: "timeout" });
  });
});

describe("a server with unusual TCP behavior", () => {
  let listener: Server | undefined;
  afterEach(() => listener?.close());

  /** Truncates over UDP, and calls `write` over TCP. */
  async function strange(write: (answer: Buffer) => readonly Buffer[]): Promise<Reply> {
    const server = await servers.start({ lines, fault: () => "truncate" });
    const proper = await servers.start({ lines });
    // The proper server occupies the port, so a relay in front of it is used.
    listener = createServer((client) => {
      client.once("data", (query) => {
        void relay(Buffer.from(query), proper.port).then((answer) => {
          for (const piece of write(answer)) client.write(piece);
        });
      });
    });
    await new Promise<void>((resolve) => listener?.listen(0, "127.0.0.1", resolve));
    const { port } = listener.address() as AddressInfo;
    expect(server.port).not.toBe(port);
    return ask({ address: "127.0.0.1", port }, question, manner());
  }

  async function relay(query: Buffer, port: number): Promise<Buffer> {
    const { promise, resolve } = Promise.withResolvers<Buffer>();
    const socket = await Bun.connect({
      hostname: "127.0.0.1",
      port,
      socket: { data: (_, data) => resolve(Buffer.from(data)) },
    });
    socket.write(query);
    const answer = await promise;
    socket.end();
    return answer;
  }

  test("may send octet by octet", async () => {
    const reply = await strange((answer) => [...answer].map((octet) => Buffer.from([octet])));
    expect(dataOf(reply)).toEqual(["192.0.2.1"]);
  });

  test("may send more after its response", async () => {
    const reply = await strange((answer) => [Buffer.concat([answer, Buffer.from("more")])]);
    expect(dataOf(reply)).toEqual(["192.0.2.1"]);
  });
});
