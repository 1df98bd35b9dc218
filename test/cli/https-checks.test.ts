import { describe, expect, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { system } from "../../lib/model/actor.ts";
import type { Subject } from "../../server/checks/check.ts";
import { dataDirectory } from "../../server/data/data-directory.ts";
import { openReader } from "../../server/data/database.ts";
import { ownHostsMayBeCertified, resolversAnswer } from "../../server/checks/dns.ts";
import { domainsStay } from "../../server/checks/drift.ts";
import { caAnswers, faultOfHeld, pausesIn } from "../../server/checks/issuers.ts";
import {
  certificatesAreFresh,
  ownCertificateIsSound,
  portsArePublic,
  targetsResolve,
} from "../../server/checks/https.ts";
import { domainResolves } from "../../server/checks/installation.ts";
import { sitesResolve, cookiesAreApart } from "../../server/checks/sites.ts";
import { loadSettings } from "../../settings/load.ts";
import { DAY_MS } from "../../lib/base/clock.ts";
import { manualClock } from "../helpers/clock.ts";
import { recursiveAnswer } from "../helpers/dns/answer.ts";
import { fakeServer } from "../helpers/dns/server.ts";
import { zone } from "../helpers/dns/zone.ts";
import { presentedFor } from "../helpers/presented.ts";
import { bunSqliteSql } from "../../adapters/sqlite/bun.ts";
import type { Domain } from "../../domains/model/domain.ts";
import { createPrivateKeyPem } from "../../domains/acme/keys.ts";
import { sqlDomainStore } from "../../domains/storage/sql-domain-store.ts";
import { sqlStore } from "../../lib/storage/sql-store.ts";
import { makeChain } from "../helpers/chain.ts";
import { adding, saving, someDomain, START } from "../helpers/domains/rows.ts";
import { scratch } from "./installation.ts";

async function subject(flags: Readonly<Record<string, string>>, now = Date.now()) {
  const { settings } = await loadSettings({ flags, environment: {} });
  const runtime = { clock: manualClock(now), version: "0" };
  const directory = dataDirectory(await scratch());
  // The only members that these checks read.
  const database = () => openReader({ settings, directory });
  return { settings, directory, runtime, database } as unknown as Subject;
}

async function storesIn({ directory }: Subject) {
  const clock = manualClock(START);
  const sql = await bunSqliteSql({ path: directory.database, clock });
  return { store: await sqlStore({ sql, clock }), domains: await sqlDomainStore({ sql, clock }) };
}

const PUBLIC = { "base-domain": "petstore.example", "listen-https": ":8443" };

test("ports that a public CA cannot use are reported", async () => {
  const found = await portsArePublic(await subject(PUBLIC));
  expect(found).toMatchObject({ status: "warn" });
  expect(JSON.stringify(found)).toContain("Forward 80 to 8080");
  expect(JSON.stringify(found)).toContain("443 to 8443");
  const ports = { "public-http-port": "80", "public-https-port": "443" };
  expect(await portsArePublic(await subject({ ...PUBLIC, ...ports }))).toMatchObject({
    status: "ok",
    message: "Visitors and the CA use 80 and 443",
  });
  const internal = await portsArePublic(await subject({ ...PUBLIC, acme: "internal" }));
  expect(internal.status).toBe("ok");
  const inside = { acme: "https://ca.test/directory", "allow-private-networks": "true" };
  const onLan = await portsArePublic(await subject({ ...PUBLIC, ...inside }));
  expect(onLan).toMatchObject({ status: "ok", message: "Visitors use 8080 and 8443" });
});

test("certificates of the internal CA need no check of DNS and CAA records", async () => {
  expect(
    await ownHostsMayBeCertified(await subject({ ...PUBLIC, acme: "internal" })),
  ).toMatchObject({ status: "skip", message: "Their certificates come from the internal CA" });
});

test("without HTTPS no CA is contacted", async () => {
  const here = await subject({});
  for (const check of [portsArePublic, caAnswers, resolversAnswer, ownHostsMayBeCertified]) {
    expect(await check(here)).toMatchObject({ status: "skip" });
  }
  expect(await certificatesAreFresh(here)).toMatchObject({ status: "skip", message: "None yet" });
});

test("served certificates that cannot be presented fail, and are named", async () => {
  const here = await subject({ ...PUBLIC, acme: "internal" });
  const { store, domains } = await storesIn(here);
  const certificate = {
    id: "crt_1",
    authority: "internal",
    notBefore: START,
    notAfter: Date.now() + 30 * DAY_MS,
    renewAt: START,
    activeSince: START,
  };
  const quoting = { at: START, message: 'The CA said "unservable":{"at": no' };
  for (const number of [1, 2, 3, 4, 5]) {
    const domain = someDomain(number);
    const broken = number > 1 ? { unservable: { at: START, message: "It is cut." } } : {};
    const failure = { code: "ca_unavailable", ...quoting };
    const to = {
      heldSince: START,
      certificate: { ...certificate, id: `crt_${number}`, ...broken },
      issuance: { ...domain.issuance, failure },
    };
    const kept = { domainId: domain.id, chainPem: "", sealedKey: "", createdAt: START };
    await domains.commit(
      [
        adding(domain),
        saving(domain, to),
        {
          kind: "certificate.add",
          certificate: { ...kept, id: `crt_${number}`, notAfter: certificate.notAfter },
        },
      ],
      system,
    );
  }
  await store.close();
  const found = await certificatesAreFresh(here);
  expect(found).toMatchObject({
    status: "fail",
    code: "certificates_not_servable",
    facts: { count: 4, names: ["pets2.test", "pets3.test", "pets4.test"] },
  });
});

test("overdue certificates are a warning, without those that wait for their owners", async () => {
  const here = await subject({ ...PUBLIC, acme: "internal" });
  const { store, domains } = await storesIn(here);
  const since = Date.now() - 10 * DAY_MS;
  const ends = [40, 20, 30, 50, 60, 70].map((days) => Date.now() + days * DAY_MS);
  for (const [index, notAfter] of ends.entries()) {
    const own = index === 0 ? { projectId: "own:pets.test", name: "pets.test" } : {};
    const domain = someDomain(index + 1, own);
    const id = `crt_${index}`;
    const certificate = {
      ...{ id, authority: "internal", notBefore: START, notAfter, activeSince: START },
      renewAt: index === 5 ? Date.now() + DAY_MS : notAfter - ((notAfter - since) * 4) / 3,
    };
    const kept = { domainId: domain.id, chainPem: "", sealedKey: "", createdAt: START };
    // Its owner has to act; the hosts of the service itself are the operator's.
    const dns =
      index === 0 || index === 4 ? { state: "blocked" as const, codes: ["no_record"] } : domain.dns;
    await domains.commit(
      [
        adding(domain),
        saving(domain, { heldSince: START, certificate, dns }),
        { kind: "certificate.add", certificate: { ...kept, id, notAfter } },
      ],
      system,
    );
  }
  await store.close();
  const found = await certificatesAreFresh(here);
  expect(found).toMatchObject({
    status: "warn",
    code: "certificates_overdue",
    facts: {
      count: 6,
      overdue: 4,
      names: ["pets2.test", "pets3.test", "pets.test"],
      notAfter: ends[1],
    },
  });
  expect(found.message).toContain("pets.test and others; the first expires on");
});

test("doctor says which own hosts lost their records, and that drift stands still", async () => {
  const here = await subject({ ...PUBLIC, acme: "internal" });
  const { store, domains } = await storesIn(here);
  const certificate = {
    id: "crt_1",
    authority: "internal",
    notBefore: START,
    notAfter: START + 90 * DAY_MS,
    renewAt: START + 60 * DAY_MS,
    activeSince: START,
  };
  const now = Date.now();
  const seen = async (number: number, more: Partial<Domain>, facts: Partial<Domain> = {}) => {
    const domain = someDomain(number, facts);
    const to = { heldSince: START, liveSince: START, certificate, look: { at: now }, ...more };
    await domains.commit([adding(domain), saving(domain, to)], system);
  };
  const drift = { since: now, lookedAt: now, looks: 1, seenMs: 0 };
  expect(await domainsStay(here)).toMatchObject({ status: "skip", code: "domains_unseen" });
  await seen(1, {});
  expect(await domainsStay(here)).toMatchObject({ status: "ok", code: "domains_stay" });
  const stage = { kind: "drifting", at: now } as const;
  await seen(2, { drift: { ...drift, stage } });
  expect(await domainsStay(here)).toMatchObject({ code: "domains_drift", facts: { count: 1 } });
  for (const number of [3, 4, 5, 6]) await seen(number, { drift });
  expect(await domainsStay(here)).toMatchObject({
    status: "warn",
    code: "drift_stands_still",
    facts: { looks: 6, bad: 5 },
  });
  await seen(7, { drift: { ...drift, stage } }, { accountId: "own", projectId: "own:a.test" });
  expect(await domainsStay(here)).toMatchObject({
    status: "warn",
    code: "hosts_drift",
    facts: { names: ["pets7.test"] },
  });
  await store.close();
});

test("an own certificate whose chain is incomplete is a warning", async () => {
  const key = await createPrivateKeyPem();
  const names = ["petstore.example", "*.petstore.example"];
  const [leaf = "", issuer = ""] = await makeChain({ names, key, now: Date.now() });
  const directory = await scratch();
  const [certFile, keyFile] = [join(directory, "c.pem"), join(directory, "k.pem")];
  await Bun.write(keyFile, key);
  const flags = { ...PUBLIC, "tls-cert-file": certFile, "tls-key-file": keyFile };
  const check = async (chain: string) => {
    await Bun.write(certFile, chain);
    return ownCertificateIsSound(await subject(flags));
  };
  expect(await check(leaf + issuer)).toMatchObject({ status: "ok" });
  expect(await check(leaf)).toMatchObject({ status: "warn", code: "own_certificate_doubted" });
  await expect(check(`${leaf}${issuer}-----BEGIN CERTIFICATE-----\n`)).rejects.toThrow("cut off");
});

test("an unreachable CA fails", async () => {
  const acme = "https://127.0.0.1:1/directory";
  expect(await caAnswers(await subject({ ...PUBLIC, acme }))).toMatchObject({ status: "fail" });
});

test("the operator reads which page the CA asks to open, and until when it takes no orders", async () => {
  const here = await subject(PUBLIC);
  expect(await pausesIn(here)).toEqual(new Map());
  const { store, domains } = await storesIn(here);
  const [asking, paused] = ["https://asking.test/dir", "https://paused.test/dir"];
  const url = "https://asking.test/unpause?jwt=a";
  const pause = { authority: paused, until: START + DAY_MS, message: "slow down", probedAt: START };
  await domains.commit(
    [
      { kind: "authority.help", authority: asking, url, at: START },
      { kind: "authority.pause", pause },
    ],
    { kind: "system" },
  );
  await store.close();
  const known = await pausesIn(here);
  const faults = [asking, paused].map((ca) => faultOfHeld(ca, known.get(ca), START + 1));
  expect(faults).toMatchObject([
    { status: "warn", code: "ca_asks_operator", message: expect.stringContaining(url) },
    { status: "warn", code: "ca_paused", message: expect.stringContaining("slow down") },
  ]);
  const later = [asking, paused].map((ca) => faultOfHeld(ca, known.get(ca), START + 3 * DAY_MS));
  expect(later).toEqual([undefined, undefined]);
});

test("an unresponsive resolver fails and is named by its address", async () => {
  const found = await resolversAnswer(await subject({ ...PUBLIC, "dns-servers": "127.0.0.1:1" }));
  expect(found).toMatchObject({ status: "fail" });
  expect(JSON.stringify(found)).toContain("127.0.0.1:1");
});

test("names are looked up at the resolvers from dns-servers", async () => {
  const lines = ["@ A 192.0.2.10", "staging AAAA 2001:db8::10", "* A 192.0.2.10"];
  const zones = [zone({ apex: "petstore.example", servers: ["ns.petstore.example"], lines })];
  const server = await fakeServer({
    say: ({ name, type }) => recursiveAnswer(zones, name, type),
  });
  const named = `${server.address}:${server.port}`;
  const here = await subject({ ...PUBLIC, "dns-servers": named });
  expect((await domainResolves(here)).message).toBe(
    "petstore.example and staging.petstore.example have addresses",
  );
  expect((await sitesResolve(here)).message).toBe(
    "Every name below petstore.example has an address",
  );
  expect((await targetsResolve(here)).message).toBe(
    "Names below cname.petstore.example point to 192.0.2.10",
  );
  await server.close();
});

describe("a published site", () => {
  // Whether names have addresses does not matter: nothing is asked.
  const resolving = async (published: boolean, flags: Readonly<Record<string, string>>) => {
    const here = await subject({ ...PUBLIC, ...flags, "dns-servers": "127.0.0.1:1" });
    const database = async () => ({
      found: "ours",
      has: async () => true,
      query: async () => (published ? [{ id: "a" }] : []),
    });
    const { status, code } = await cookiesAreApart({ ...here, database } as unknown as Subject);
    return `${status} ${code}`;
  };
  const SHARED = "warn sites_share_cookies";
  const APART = "ok cookies_apart";

  test.each([
    ["the base domain", true, {}, SHARED],
    ["the base domain, before it exists", false, {}, APART],
    [
      "a domain above",
      true,
      { "base-domain": "admin.petstore.example", "sites-domain": "petstore.example" },
      SHARED,
    ],
    [
      "a sibling",
      true,
      { "base-domain": "admin.example.co.uk", "sites-domain": "pets.example.co.uk" },
      SHARED,
    ],
    ["a domain of its own", true, { "sites-domain": "sites.example" }, APART],
    [
      "another one below a public suffix",
      true,
      { "base-domain": "a.blogspot.com", "sites-domain": "b.blogspot.com" },
      APART,
    ],
    [
      "a public suffix",
      true,
      { "base-domain": "admin.blogspot.com", "sites-domain": "blogspot.com" },
      APART,
    ],
  ] as const)(
    "below %s may or may not set cookies for the dashboard",
    async (_, published, flags, expected) => {
      expect(await resolving(published, flags)).toBe(expected);
    },
  );
});

describe("on a laptop", () => {
  const LAPTOP = { "listen-https": ":8443" };

  test.each(["localhost", "127.0.0.1", "192.168.1.4", "::1", "fd00::1"])(
    "checks of DNS and a public CA are skipped at %s",
    async (base) => {
      const here = await subject({ ...LAPTOP, "base-domain": base });
      for (const check of [portsArePublic, caAnswers, resolversAnswer]) {
        expect(await check(here)).toMatchObject({ status: "skip" });
      }
    },
  );

  test("a configured CA and resolvers are still checked, and an unresponsive resolver is a warning", async () => {
    const named = { "dns-servers": "127.0.0.1:1", acme: "https://127.0.0.1:1/directory" };
    const here = await subject({ ...LAPTOP, ...named });
    expect(await resolversAnswer(here)).toMatchObject({ status: "warn" });
    expect(await caAnswers(here)).toMatchObject({ status: "fail" });
  });

  test("the resolvers of a service at a public address are checked", async () => {
    const flags = { ...LAPTOP, "base-domain": "198.51.101.7", "dns-servers": "127.0.0.1:1" };
    expect(await resolversAnswer(await subject(flags))).toMatchObject({ status: "fail" });
  });
});

test("an operator's certificate that lacks a name, expires soon or has expired is reported", async () => {
  const directory = await scratch();
  const flags = {
    ...PUBLIC,
    "tls-cert-file": join(directory, "c.pem"),
    "tls-key-file": join(directory, "k.pem"),
  };
  const examine = async (days: number, ...names: readonly [string, ...string[]]) => {
    const { chainPem, privateKeyPem } = await presentedFor("a", ...names);
    await writeFile(flags["tls-cert-file"], chainPem);
    await writeFile(flags["tls-key-file"], privateKeyPem);
    return ownCertificateIsSound(await subject(flags, Date.now() + days * DAY_MS));
  };
  const all = ["petstore.example", "*.petstore.example"] as const;
  expect(await examine(0, ...all)).toMatchObject({ status: "ok" });
  expect(await examine(0, "petstore.example")).toMatchObject({
    status: "warn",
    message: expect.stringContaining("staging.petstore.example, *.petstore.example"),
  });
  expect(await examine(80, ...all)).toMatchObject({ status: "warn" });
  expect(await examine(91, ...all)).toMatchObject({ status: "fail" });
});
