import { afterEach, expect, test } from "bun:test";

import { system } from "../../../lib/model/actor.ts";
import { openBunSqlite } from "../../../adapters/sqlite/bun.ts";
import {
  answerProbe,
  createDomains,
  createInternalRoot,
  internalAuthority,
  sqlDomainStore,
  sqlLeases,
  type CustomDomains,
} from "../../../domains/index.ts";
import { systemClock } from "../../../lib/base/clock.ts";
import { systemRandom } from "../../../lib/base/id.ts";
import { sqliteSql } from "../../../lib/sql/sqlite.ts";
import { sqlStore } from "../../../lib/storage/sql-store.ts";
import { world } from "../../helpers/dns/world.ts";
import { adding, someDomain } from "../../helpers/domains/rows.ts";
import { must } from "../../helpers/outcome.ts";

const NAME = "pets.shelter.org";
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

/** An installation on the loopback with one domain that points to it, and its problems. */
async function warnings(
  answer: (custom: CustomDomains, host: string, target: string) => Response | undefined,
): Promise<readonly string[]> {
  const listener = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: ({ url }) => {
      const { hostname, pathname } = new URL(url);
      return answer(custom, hostname, pathname) ?? new Response("a site");
    },
  });
  closing.push(() => listener.stop(true));
  const domain = someDomain(1, { name: NAME, unicode: NAME }, systemClock.now());
  const dns = await world({
    zones: {
      org: {},
      "shelter.org": { lines: [`pets CNAME ${domain.targetLabel}.cname.petstore.example`] },
      "petstore.example": { lines: ["*.cname A 127.0.0.1"] },
    },
  });
  closing.push(() => dns.close());
  const ports = new Map([...dns.servers.values()].map(({ address, port }) => [address, port]));
  const sql = sqliteSql({
    database: openBunSqlite(":memory:"),
    defer: (callback) => setImmediate(callback),
    clock: systemClock,
  });
  const store = await sqlStore({ sql, clock: systemClock });
  closing.push(() => store.close());
  const domainStore = await sqlDomainStore({ sql, clock: systemClock });
  const root = await createInternalRoot(systemClock.now(), systemRandom);
  const custom: CustomDomains = createDomains({
    store,
    domainStore,
    leases: sqlLeases({ sql, clock: systemClock }),
    encryptionKey: new Uint8Array(32).fill(7),
    gatekeeper: {
      gates: async () => ({ plan: true, deploy: true, project: true }),
      slugOf: async () => "cats",
    },
    authorities: [internalAuthority({ root, clock: systemClock, random: systemRandom })],
    resolvers: [dns.resolverServer],
    cnameTarget: "cname.petstore.example",
    ownDomains: ["petstore.example"],
    probe: async () => true,
    allowPrivateNetworks: true,
    portOf: (address) => ports.get(address) ?? 53,
    publicPorts: { plain: listener.port ?? 0, secure: 1 },
  });
  closing.push(() => custom.close());
  await domainStore.commit([adding(domain)], system);
  await custom.jobs.tick();
  expect(custom.routes.byHost(NAME)).toBeDefined();
  expect(await domainStore.domains.byId(domain.id)).toMatchObject({ outside: { seen: {} } });
  const shown = must(await custom.domains.show(domain, NAME));
  const { findings } = shown.dns;
  return findings.filter(({ severity }) => severity === "warning").map(({ code }) => code);
}

test("an installation recognizes itself from outside", async () => {
  const seen = await warnings(({ presence }, host, target) =>
    answerProbe(presence, { method: "GET", host, target }, () => "served"),
  );
  expect(seen).toEqual([]);
});

test("a domain whose visitors reach another server is live, and its owner is warned", async () => {
  expect(await warnings(() => undefined)).toEqual(["http01_unreachable"]);
});
