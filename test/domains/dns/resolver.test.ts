import { afterEach, expect, test } from "bun:test";

import { systemClock } from "../../../lib/base/clock.ts";
import { systemRandom } from "../../../lib/base/id.ts";
import { createAsk } from "../../../domains/dns/query.ts";
import { recursiveResolver } from "../../../domains/dns/resolver.ts";
import { describeResolver, type ResolverPlan } from "../../contract/resolver.ts";
import { recursiveAnswer } from "../../helpers/dns/answer.ts";
import { fakeServer, type FakeServer, type ServerFault } from "../../helpers/dns/server.ts";
import { zone } from "../../helpers/dns/zone.ts";

const ask = createAsk({ clock: systemClock, random: systemRandom });
const within = () => ({ deadlineAt: systemClock.now() + 9_000 });

const MOODS: Readonly<Record<NonNullable<ResolverPlan["mood"]>, ServerFault | undefined>> = {
  answers: undefined,
  silent: "drop",
  fails: "servfail",
  refuses: "refused",
  bogus: "bogus",
};

function serve({ zones, ageSeconds = 0, mood = "answers" }: ResolverPlan): Promise<FakeServer> {
  const built = Object.entries(zones).map(([apex, lines]) =>
    zone({ apex, lines, servers: ["ns1.dns.example"] }),
  );
  return fakeServer({
    say: ({ name, type }) => recursiveAnswer(built, name, type),
    fault: () => MOODS[mood],
    ageSeconds: () => ageSeconds,
  });
}

describeResolver("a recursive resolver asked over the network", async (plan) => {
  const server = await serve(plan);
  return {
    resolver: recursiveResolver(ask, server),
    clock: systemClock,
    close: () => server.close(),
  };
});

const open: FakeServer[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

test("a resolver that stops within a chain of aliases is queried for the rest", async () => {
  const server = await fakeServer({
    say: ({ name }) => ({
      rcode: 0,
      authoritative: false,
      authorities: [],
      answers:
        name === "b.shelter.org"
          ? [{ name, type: "A", ttl: 30, data: ["192.0.2.1"] }]
          : [{ name, type: "CNAME", ttl: 60, data: ["b.shelter.org"] }],
    }),
  });
  open.push(server);
  expect(await recursiveResolver(ask, server).lookup("a.shelter.org", "A", within())).toMatchObject(
    {
      kind: "found",
      records: ["192.0.2.1"],
      ttlSeconds: 30,
      aliases: [{ name: "a.shelter.org", target: "b.shelter.org" }],
    },
  );
});

test("an endless chain of aliases is followed only to the limit", async () => {
  let count = 0;
  const server = await fakeServer({
    say: ({ name }) => ({
      rcode: 0,
      authoritative: false,
      authorities: [],
      answers: [{ name, type: "CNAME", ttl: 60, data: [`n${++count}.shelter.org`] }],
    }),
  });
  open.push(server);
  const answer = await recursiveResolver(ask, server).lookup("a.shelter.org", "A", within());
  expect(answer).toMatchObject({ kind: "unknown", reason: "cname_too_long" });
  expect(server.queries.length).toBeLessThan(12);
});

test("an alias to an invalid name is not followed", async () => {
  const server = await fakeServer({
    say: ({ name }) => ({
      rcode: 0,
      authoritative: false,
      authorities: [],
      answers: [{ name, type: "CNAME", ttl: 60, data: ["a b.shelter.org"] }],
    }),
  });
  open.push(server);
  const answer = await recursiveResolver(ask, server).lookup("a.shelter.org", "A", within());
  expect(answer).toMatchObject({ kind: "unknown", reason: "malformed" });
  expect(answer.aliases).toHaveLength(1);
});

test("a loop of aliases is detected within a message and across several", async () => {
  const next: Readonly<Record<string, string>> = {
    "a.shelter.org": "b.shelter.org",
    "b.shelter.org": "c.shelter.org",
    "c.shelter.org": "a.shelter.org",
  };
  const alias = (name: string) => ({ name, type: "CNAME", ttl: 60, data: [next[name] ?? ""] });
  for (const atOnce of [true, false]) {
    const server = await fakeServer({
      say: ({ name }) => ({
        rcode: 0,
        authoritative: false,
        authorities: [],
        answers: atOnce ? Object.keys(next).map(alias) : [alias(name)],
      }),
    });
    open.push(server);
    const answer = await recursiveResolver(ask, server).lookup("a.shelter.org", "A", within());
    expect(answer).toMatchObject({ kind: "unknown", reason: "cname_loop" });
    expect(answer.aliases).toHaveLength(3);
  }
});

test("the negative TTL comes from the SOA record of the name's own zone", async () => {
  const soa = (name: string) => ({
    name,
    type: "SOA",
    ttl: 900,
    data: ["ns1.dns.example", "admin.dns.example", "1", "1", "1", "1", "300"],
  });
  for (const [zone, ttlSeconds] of [
    ["shelter.org", 300],
    ["org", 300],
    ["other.org", 0],
    ["ter.org", 0],
  ] as const) {
    const server = await fakeServer({
      say: () => ({ rcode: 3, authoritative: false, answers: [], authorities: [soa(zone)] }),
    });
    open.push(server);
    const answer = await recursiveResolver(ask, server).lookup("a.shelter.org", "A", within());
    expect(answer).toMatchObject({ kind: "absent", ttlSeconds });
  }
});
