import { afterEach, describe, expect, test } from "bun:test";

import { systemClock } from "../../../lib/base/clock.ts";
import { systemRandom } from "../../../lib/base/id.ts";
import { createAsk, type Manner, type Reply } from "../../../domains/dns/query.ts";
import { authoritativeAnswer } from "../../helpers/dns/answer.ts";
import { fakeServer, type Asked, type FakeServer, type Odd } from "../../helpers/dns/server.ts";
import { zone } from "../../helpers/dns/zone.ts";

const shelter = zone({
  apex: "shelter.org",
  servers: ["ns1.dns.example"],
  lines: ["pets CNAME abc.cname.petstore.example", "@ A 192.0.2.1", "@ AAAA 2001:db8::1"],
});

const open: FakeServer[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

async function serverThat(odd?: (asked: Asked) => Odd | undefined, address?: string) {
  const server = await fakeServer({
    say: ({ name, type }) => authoritativeAnswer([shelter], name, type),
    ...(odd && { odd }),
    ...(address && { address }),
  });
  open.push(server);
  return server;
}

const ask = createAsk({ clock: systemClock, random: systemRandom });

function manner(more: Partial<Manner> = {}): Manner {
  return { recursionDesired: false, deadlineAt: systemClock.now() + 9_000, ...more };
}

function answersOf(reply: Reply): readonly unknown[] {
  return reply.kind === "message" ? reply.message.answers.map(({ data }) => data) : [];
}

describe("a question to one server", () => {
  test("is answered over UDP, over IPv4 and IPv6", async () => {
    for (const address of ["127.0.0.1", "::1"]) {
      const server = await serverThat(undefined, address);
      const reply = await ask(server, { name: "shelter.org", type: "AAAA" }, manner());
      expect(answersOf(reply)).toEqual(["2001:db8::1"]);
      expect(server.asked.map(({ transport }) => transport)).toEqual(["udp"]);
    }
  });
});
