import { afterEach, expect, test } from "bun:test";

import { systemRandom } from "../../../lib/base/id.ts";
import { firstKnown, recursiveResolver } from "../../../domains/dns/resolver.ts";
import { decodeMessage } from "../../../domains/dns/message.ts";
import { canBeQueried } from "../../../domains/dns/packet.ts";
import { createAsk, writeQuery } from "../../../domains/dns/query.ts";
import { parseServerAddress } from "../../../domains/dns/server-address.ts";
import { manualClock } from "../../helpers/clock.ts";
import { zoneServers } from "../../helpers/dns/servers.ts";
import { resource } from "../../helpers/dns/zone.ts";
import { until } from "../../helpers/dns/until.ts";
import { effortMs } from "../../helpers/effort.ts";

// Known defects of the codec's client and decoder, by number; none must affect this program.

const servers = zoneServers();
afterEach(() => servers.closeAll());

// The clock stands still, so every response arrives without waiting.
const ask = createAsk({ clock: manualClock(0), random: systemRandom });
const within = () => ({ deadlineAt: 9_000 });
const manner = () => ({ recursionDesired: false, ...within() });
const lines = ["@ A 192.0.2.1", "pets CNAME www.shelter.org", "www A 192.0.2.2"];
const question = { name: "shelter.org", type: "A" } as const;

test("N1: SERVFAIL, REFUSED and NXDOMAIN are distinct and never count as answers with records", async () => {
  const reasonFor = async (fault: "servfail" | "refused" | "nxdomain") => {
    const server = await servers.start({ lines, fault: () => fault });
    const answer = await recursiveResolver(ask, server).lookup("shelter.org", "A", within());
    return answer.kind === "found" ? answer.kind : answer.reason;
  };
  expect(await reasonFor("servfail")).toBe("servfail");
  expect(await reasonFor("refused")).toBe("refused");
  expect(await reasonFor("nxdomain")).toBe("nxdomain");
});

test("N2: a quick refusal by one resolver does not replace another's slower answer", async () => {
  const refusing = await servers.start({ lines, fault: () => "refused" });
  const slow = await servers.start({ lines, fault: () => ({ after: Bun.sleep(30) }) });
  const resolvers = [recursiveResolver(ask, refusing), recursiveResolver(ask, slow)] as const;
  const answer = await firstKnown(resolvers, "shelter.org", "A", within());
  expect(answer).toMatchObject({ kind: "found", records: ["192.0.2.1"] });
});

test("N3, N6, N20: only the package's codec is used, not its clients, DoH or server", async () => {
  const importing: string[] = [];
  for await (const file of new Bun.Glob("domains/**/*.ts").scan(`${import.meta.dir}/../../..`)) {
    const text = await Bun.file(`${import.meta.dir}/../../../${file}`).text();
    for (const [line] of text.matchAll(/^.*"dns2".*$/gm)) importing.push(`${file}: ${line.trim()}`);
  }
  expect(importing).toEqual([
    'domains/dns/packet.ts: import type { Packet } from "dns2";',
    'domains/dns/packet.ts: codec ??= (await import("dns2")).Packet;',
  ]);
});

test("N4: a lost datagram is sent again", async () => {
  const server = await servers.start({
    lines,
    fault: () => (server.queries.length === 1 ? "drop" : undefined),
  });
  const clock = manualClock(0);
  const reply = createAsk({ clock, random: systemRandom })(server, question, {
    recursionDesired: false,
    deadlineAt: 9_000,
  });
  await until(() => server.queries.length === 1);
  clock.advance(800);
  expect(await reply).toMatchObject({ kind: "message" });
  expect(server.queries.map(({ transport }) => transport)).toEqual(["udp", "udp"]);
});

test("N5: a server that accepts TCP but stays silent times out", async () => {
  const server = await servers.start({
    lines,
    fault: ({ transport }) => (transport === "tcp" ? "drop" : "truncate"),
  });
  const clock = manualClock(0);
  const reply = createAsk({ clock, random: systemRandom })(server, question, {
    recursionDesired: false,
    deadlineAt: 9_000,
  });
  await until(() => server.queries.length === 2);
  clock.advance(2_500);
  expect(await reply).toMatchObject({ kind: "none", reason: "timeout" });
});

test("N7: a response over TCP must repeat the id", async () => {
  const server = await servers.start({
    lines,
    fault: ({ transport }) => (transport === "tcp" ? "wrong_id" : "truncate"),
  });
  expect(await ask(server, question, manner())).toMatchObject({ reason: "malformed" });
  expect(server.queries.map(({ id }) => id)).not.toContain(0);
});

test("N8: a query, or a response to another question, is not accepted", async () => {
  for (const fault of ["not_a_response", "wrong_question", "wrong_type"] as const) {
    const server = await servers.start({ lines, fault: () => fault });
    const clock = manualClock(0);
    const reply = createAsk({ clock, random: systemRandom })(server, question, {
      recursionDesired: false,
      deadlineAt: 60_000,
    });
    for (const [index, ms] of [800, 1_600].entries()) {
      await until(() => server.queries.length === index + 1);
      await Bun.sleep(2);
      clock.advance(ms);
    }
    expect(await reply).toMatchObject({ kind: "none", reason: "malformed" });
  }
});

test("N9: the name is sent in mixed case; a server that changes it is queried again without", async () => {
  const server = await servers.start({ lines, fault: () => "lower_case" });
  // Random bits could make every letter lower case; here they do not.
  const shouting = createAsk({ clock: manualClock(0), random: (into) => into.fill(1) });
  expect(await shouting(server, question, manner())).toMatchObject({ kind: "message" });
  const [first, second, ...more] = server.queries.map(({ exact }) => exact);
  expect(first).toBe("SHELTER.ORG");
  expect(second).toBe("shelter.org");
  expect(more).toEqual([]);
});

test("N10: a query announces 1,232 octets, DO and AD; the server's explanation is read", async () => {
  const server = await servers.start({ lines, fault: () => "bogus" });
  const { bytes } = writeQuery(question, {
    mixedCase: false,
    edns: true,
    recursionDesired: true,
    checkingDisabled: false,
    random: systemRandom,
  });
  // RD in the third octet, AD in the fourth.
  expect([bytes[2], bytes[3]]).toEqual([0x01, 0x20]);
  const opt = bytes.subarray(-11);
  expect([...opt]).toEqual([0, 0, 41, 1_232 >> 8, 1_232 & 0xff, 0, 0, 0x80, 0, 0, 0]);
  const answer = await recursiveResolver(ask, server).lookup("shelter.org", "A", within());
  expect(answer).toEqual({
    kind: "unknown",
    reason: "servfail",
    aliases: [],
    bogus: true,
    explanation: { code: 6, text: "signature crypto failed" },
  });
});

test("N11: a server is reached over IPv6 in any notation, by UDP and TCP", async () => {
  const { port } = await servers.start({ lines, address: "::1", fault: () => "truncate" });
  for (const address of ["::1", "0:0:0:0:0:0:0:1"]) {
    expect(await ask({ address, port }, question, manner())).toMatchObject({ kind: "message" });
  }
});

test("N12: a server is configured by address, never by name", () => {
  expect(parseServerAddress("dns.example.org")).toBeUndefined();
  expect(parseServerAddress("dns.example.org:53")).toBeUndefined();
  expect(parseServerAddress("localhost")).toBeUndefined();
});

test("N13: a closed port is reported at once", async () => {
  const { address, port } = await servers.start({ lines });
  await servers.closeAll();
  expect(await ask({ address, port }, question, manner())).toMatchObject({ reason: "unreachable" });
});

test("N14: a truncated message is not mistaken for a shorter one", async () => {
  const two = ["@ A 192.0.2.1", "@ A 192.0.2.2"];
  const cut = await servers.start({
    lines: two,
    fault: ({ transport }) => (transport === "udp" ? "cut" : "hang_up"),
  });
  const clock = manualClock(0);
  const reply = createAsk({ clock, random: systemRandom })(cut, question, {
    recursionDesired: false,
    deadlineAt: 60_000,
  });
  for (const [index, ms] of [800, 1_600].entries()) {
    await until(() => cut.queries.length === index + 1);
    await Bun.sleep(2);
    clock.advance(ms);
  }
  expect(await reply).toMatchObject({ reason: "malformed" });
});

test("N15: DS, DNAME and HTTPS are supported", async () => {
  const server = await servers.start({
    lines: ["old DNAME new.shelter.org", "@ HTTPS 00010000", "kids DS 0a0b0c"],
  });
  const data = async (name: string, type: "DS" | "DNAME" | "HTTPS") => {
    const reply = await ask(server, { name, type }, manner());
    return reply.kind === "message" ? reply.message.answers.map((record) => record.data) : reply;
  };
  expect(await data("old.shelter.org", "DNAME")).toEqual(["new.shelter.org"]);
  expect(await data("shelter.org", "HTTPS")).toEqual(["00010000"]);
  expect(await data("kids.shelter.org", "DS")).toEqual(["0a0b0c"]);
});

test("N16: a name with non-ASCII characters or an empty label is not sent", async () => {
  for (const name of ["münchen.de", "a..b", "", "a b.org", `${"a".repeat(64)}.org`]) {
    expect(canBeQueried(name)).toBe(false);
    const server = await servers.start({ lines });
    expect(await ask(server, { name, type: "A" }, manner())).toMatchObject({ reason: "malformed" });
    expect(server.queries).toHaveLength(0);
  }
});

test("N16: a dot within a label does not split it", async () => {
  const server = await servers.start({
    lines,
    fault: () => (response) => {
      const octets = response.toBuffer();
      // "www.shelter" becomes one label that contains a dot, in the alias's target.
      const at = octets.lastIndexOf("\u0003www");
      return Buffer.concat([
        octets.subarray(0, at - 2),
        Buffer.from([0, 17]),
        Buffer.from("\u000bwww.shelter\u0003org\u0000"),
        octets.subarray(octets.length - 11),
      ]);
    },
  });
  const reply = await ask(server, { name: "pets.shelter.org", type: "CNAME" }, manner());
  const data = reply.kind === "message" && reply.message.answers[0]?.data;
  expect(data).toBe(String.raw`www\046shelter.org`);
});

test("N17: aliases are followed; records of other names or types are ignored", async () => {
  const server = await servers.start({
    lines,
    fault: () => (response) => {
      const stray = [
        { name: "evil.test", type: "A", ttl: 60, data: ["192.0.2.66"] },
        { name: "www.shelter.org", type: "TXT", ttl: 60, data: ["192.0.2.67"] },
      ];
      response.answers.unshift(...stray.map((record) => resource(record)));
      return response;
    },
  });
  const resolver = recursiveResolver(ask, server);
  expect(await resolver.lookup("pets.shelter.org", "A", within())).toMatchObject({
    kind: "found",
    records: ["192.0.2.2"],
    aliases: [{ name: "pets.shelter.org", target: "www.shelter.org" }],
  });
});

test("N18: an abort rejects at once with its reason, and nothing more is sent", async () => {
  const server = await servers.start({ lines, fault: () => "drop" });
  const gaveUp = new AbortController();
  const clock = manualClock(0);
  const reply = createAsk({ clock, random: systemRandom })(server, question, {
    recursionDesired: false,
    deadlineAt: 9_000,
    signal: gaveUp.signal,
  });
  await until(() => server.queries.length === 1);
  const reason = new Error("The page was left");
  gaveUp.abort(reason);
  await expect(reply).rejects.toBe(reason);
  clock.advance(5_000);
  await Bun.sleep(5);
  expect(server.queries).toHaveLength(1);
});

test("N19: non-UTF-8 octets in TXT and CAA stay distinguishable and are safe on a terminal", async () => {
  const server = await servers.start({
    lines: ["@ TXT first second"],
    fault: () => (response) => {
      const octets = response.toBuffer();
      octets.write("\u00ff\u001b[2J", octets.indexOf("first"), "latin1");
      return octets;
    },
  });
  const reply = await ask(server, { name: "shelter.org", type: "TXT" }, manner());
  const data = reply.kind === "message" && reply.message.answers[0]?.data;
  expect(data).toBe(String.raw`\255\027[2Jsecond`);
});

test("N21: a thousand queries are encoded and decoded within a second", async () => {
  const effort = await effortMs(() => {
    for (let times = 0; times < 1_000; times++) {
      const sent = writeQuery(question, {
        mixedCase: true,
        edns: true,
        recursionDesired: true,
        checkingDisabled: false,
        random: systemRandom,
      });
      expect(decodeMessage(sent.bytes)?.question?.name).toBe(sent.name);
    }
  });
  expect(effort).toBeLessThan(1_000);
});
