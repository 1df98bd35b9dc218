import { expect, test } from "bun:test";

import { bunSqliteSql } from "../../../adapters/sqlite/bun.ts";
import {
  internalAuthority,
  createInternalRoot,
  createDomains,
  readChain,
} from "../../../domains/index.ts";
import type { CustomDomains } from "../../../domains/index.ts";
import { MAX_OWN_WAITING, ownHostVerifier } from "../../../domains/own-hosts/own-hosts.ts";
import { sqlDomainStore } from "../../../domains/storage/sql-domain-store.ts";
import { sqlLeases } from "../../../domains/storage/sql-leases.ts";
import { DAY_MS } from "../../../lib/base/clock.ts";
import { systemRandom } from "../../../lib/base/id.ts";
import type { Sql } from "../../../lib/sql/sql.ts";
import { sqlStore } from "../../../lib/storage/sql-store.ts";
import { manualClock, type ManualClock } from "../../helpers/clock.ts";
import { world } from "../../helpers/dns/world.ts";

interface Installation {
  readonly custom: CustomDomains;
  readonly clock: ManualClock;
  /** Projects' published hosts, by project. */
  readonly sites: Map<string, string>;
  /** Publishes a host. */
  readonly publish: (projectId: string, host: string) => Promise<void>;
  readonly sql: Sql;
}

/** `database` is the one of another process. */
async function installation(
  ownHosts: readonly string[] = [],
  database?: Pick<Installation, "sql" | "clock">,
): Promise<Installation> {
  const { clock } = database ?? { clock: manualClock(1_795_000_000_000) };
  const sql = database?.sql ?? (await bunSqliteSql({ path: ":memory:", clock }));
  const store = await sqlStore({ sql, clock });
  const root = await createInternalRoot(clock.now(), systemRandom);
  const sites = new Map<string, string>();
  const custom = createDomains({
    store,
    domainStore: await sqlDomainStore({ sql, clock }),
    leases: sqlLeases({ sql, clock }),
    encryptionKey: new Uint8Array(32).fill(7),
    gatekeeper: {
      gates: async () => ({ plan: true, deploy: true, project: true }),
      slugOf: async () => "otters",
    },
    authorities: [internalAuthority({ root, clock, random: systemRandom })],
    resolvers: [{ address: "127.0.0.1", port: 1 }],
    cnameTarget: "cname.petstore.example",
    ownDomains: ["petstore.example"],
    ownHosts,
    siteHosts: {
      ofProject: async (projectId) => sites.get(projectId),
      async *all() {
        yield* sites.values();
      },
      has: async (host) => [...sites.values()].includes(host),
    },
    probe: async () => true,
    clock,
  });
  const publish = async (projectId: string, host: string): Promise<void> => {
    sites.set(projectId, host);
    const text = "INSERT INTO feed (topic, subject, written_at) VALUES ('project', ?, ?)";
    await sql.batch([{ text, values: [projectId, clock.now()] }], () => true);
  };
  return { custom, clock, sites, publish, sql };
}

/** Runs rounds of background work, with the pauses between them. */
async function rounds({ custom, clock }: Installation, count = 2): Promise<void> {
  for (let round = 0; round < count; round++) {
    await custom.jobs.tick();
    await clock.advance(5_000);
  }
}

test("own hosts get certificates automatically, and belong to no project", async () => {
  const here = await installation(["petstore.example", "staging.petstore.example"]);
  const { custom } = here;
  expect(custom.hasCertificate("petstore.example")).toBe(false);
  await rounds(here);
  for (const host of ["petstore.example", "staging.petstore.example"]) {
    expect(custom.hasCertificate(host)).toBe(true);
    expect((await custom.certificateFor(host)?.load())?.chainPem).toContain("BEGIN CERTIFICATE");
    expect(custom.routes.byHost(host)).toBeUndefined();
  }
});

test("an own host may lie outside our domains, and belongs to no one else", async () => {
  const here = await installation(["elsewhere.example"]);
  await rounds(here);
  expect(here.custom.hasCertificate("elsewhere.example")).toBe(true);
  const owner = { projectId: "prj_otters", accountId: "acc_otters" };
  expect((await here.custom.domains.add(owner, "elsewhere.example")).ok).toBe(false);
});

test("CAA records of an own host are read from the name servers, whatever the resolver has cached", async () => {
  const here = "www A 192.0.2.10";
  const dns = await world({
    zones: { org: {}, "shelter.org": { lines: [here, "@ CAA 0 issue ca.example"] } },
    remembered: { "shelter.org": [here, "@ CAA 0 issue other.example"] },
  });
  const { resolver, authorities, clock } = dns;
  const request = { identities: ["ca.example"], methods: ["http-01"] };
  const verify = ownHostVerifier({
    ...{ resolvers: [resolver], authorities, clock, budgetMs: 9_000 },
    issuers: async () => [{ id: "ca", caa: request }],
  });
  const subject = { name: "www.shelter.org", targetLabel: "", ownershipToken: "" };
  const ownHost = { ...subject, attachedBefore: false, contested: false };
  expect((await verify(ownHost, new AbortController().signal)).state).toBe("verified");
  await dns.close();
});

test("an own host is ordered from a CA that its CAA records permit, whichever that is", async () => {
  const dns = await world({
    zones: {
      org: {},
      "shelter.org": { lines: ["www A 192.0.2.10", "@ CAA 0 issue second.example"] },
    },
  });
  const { resolver, authorities, clock } = dns;
  const issuers = [
    { id: "first", caa: { identities: ["first.example"], methods: ["http-01"] } },
    { id: "second", caa: { identities: ["second.example"], methods: ["http-01"] } },
  ];
  const report = (count: number) =>
    ownHostVerifier({
      ...{ resolvers: [resolver], authorities, clock, budgetMs: 9_000 },
      issuers: async () => issuers.slice(0, count),
    })(
      {
        ...{ name: "www.shelter.org", targetLabel: "", ownershipToken: "" },
        ...{ attachedBefore: false, contested: false },
      },
      new AbortController().signal,
    );
  expect(await report(2)).toMatchObject({ state: "verified", forbidden: ["first"] });
  expect(await report(1)).toMatchObject({ state: "blocked", blocking: ["caa_forbids"] });
  await dns.close();
});

test("an own host keeps its certificate across restarts", async () => {
  const here = await installation(["petstore.example"]);
  await rounds(here);
  const before = here.custom.certificateFor("petstore.example");
  await rounds(here);
  expect(here.custom.certificateFor("petstore.example")?.id).toBe(before?.id ?? "none");
});

test("a project's host gets a certificate when it is published, and existing ones at the start", async () => {
  const here = await installation();
  here.sites.set("prj_cats", "cats.petstore.example");
  await rounds(here);
  expect(here.custom.hasCertificate("cats.petstore.example")).toBe(true);
  expect(here.custom.hasCertificate("dogs.petstore.example")).toBe(false);
  await here.publish("prj_dogs", "dogs.petstore.example");
  await rounds(here);
  expect(here.custom.hasCertificate("dogs.petstore.example")).toBe(true);
});

test("an unpublished host loses its certificate within a day", async () => {
  const here = await installation();
  here.sites.set("prj_cats", "cats.petstore.example");
  await rounds(here);
  here.sites.clear();
  await here.clock.advance(DAY_MS);
  await rounds(here);
  expect(here.custom.hasCertificate("cats.petstore.example")).toBe(false);
});

test("the number of hosts waiting for a first certificate is limited, and all get theirs", async () => {
  const here = await installation();
  const hosts = Array.from({ length: 3 * MAX_OWN_WAITING }, (_, n) => `s${n}.petstore.example`);
  for (const host of hosts) here.sites.set(host, host);
  await here.custom.jobs.tick();
  const first = hosts.filter((host) => here.custom.hasCertificate(host));
  expect(first.length).toBeGreaterThan(0);
  expect(first.length).toBeLessThanOrEqual(MAX_OWN_WAITING);
  await rounds(here, 20);
  expect(hosts.filter((host) => !here.custom.hasCertificate(host))).toEqual([]);
});

test("no project can add an own host or a name below it", async () => {
  const { custom } = await installation();
  const owner = { projectId: "prj_otters", accountId: "acc_otters" };
  for (const name of ["petstore.example", "a.petstore.example", "x.cname.petstore.example"]) {
    const added = await custom.domains.add(owner, name);
    expect(added.ok ? "added" : added.failure.code).toBe("invalid_value");
  }
});

test("an own host's renewal can be requested, and starts an order that waited for the operator", async () => {
  const here = await installation(["petstore.example"]);
  await rounds(here);
  const { custom } = here;
  const before = custom.certificateFor("petstore.example");
  const renewed = await custom.domains.renewHost("Petstore.example.");
  expect(renewed.ok && renewed.value.domain).toBe("petstore.example");
  await rounds(here);
  const after = custom.certificateFor("petstore.example");
  expect(after?.id).not.toBe(before?.id ?? "");
  for (const other of ["elsewhere.example", "shop.petstore.example", "not a name"]) {
    const refused = await custom.domains.renewHost(other);
    expect(refused.ok ? "renewed" : refused.failure.code).toBe("not_found");
  }
});

test("a host whose stored certificate is damaged gets another one when a process starts", async () => {
  const first = await installation(["petstore.example", "staging.petstore.example"]);
  await settled(first);
  expect(first.custom.served).toBe(2);
  const text = `UPDATE domain_certificates SET chain = chain || '-----BEGIN CERTIFICATE-----'
    WHERE domain_id = (SELECT id FROM domains WHERE name = 'petstore.example')`;
  await first.sql.batch([{ text, values: [] }], () => true);
  const later = await installation(["petstore.example", "staging.petstore.example"], first);
  const unservable = () => [...later.custom.certificates().values()].map((one) => one.unservable);
  await later.custom.jobs.tick();
  expect(unservable()).toEqual([1]);
  await settled(later);
  expect(unservable()).toEqual([0]);
  const presented = await later.custom.certificateFor("petstore.example")?.load();
  expect(readChain(presented?.chainPem ?? "").ok).toBe(true);
  // The other process serves it, too.
  await settled(first);
  expect(first.custom.certificateFor("petstore.example")?.id).toBe(presented?.id ?? "");
});

test("a certificate that is damaged while it is served is found by the next handshake that loads it", async () => {
  const { custom, clock, sql, ...rest } = await installation(["petstore.example"]);
  await settled({ custom, clock, sql, ...rest });
  const before = custom.certificateFor("petstore.example");
  const text = "UPDATE domain_certificates SET chain = chain || '-----BEGIN CERTIFICATE-----'";
  await sql.batch([{ text, values: [] }], () => true);
  await settled({ custom, clock, sql, ...rest });
  expect(custom.certificateFor("petstore.example")?.id).toBe(before?.id ?? "");
  await before?.load();
  await settled({ custom, clock, sql, ...rest });
  const after = custom.certificateFor("petstore.example");
  expect(after?.id).not.toBe(before?.id ?? "");
  expect(readChain((await after?.load())?.chainPem ?? "").ok).toBe(true);
});

/** Runs the jobs for some seconds. */
async function settled({ custom, clock }: Installation): Promise<void> {
  for (let round = 0; round < 8; round++) {
    await custom.jobs.tick();
    await clock.advance(2_000);
  }
}
