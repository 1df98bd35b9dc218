import { beforeAll, describe, expect, test } from "bun:test";

import { system } from "../../../lib/model/actor.ts";
import { readChain } from "../../../domains/acme/inspect.ts";
import { keyFingerprint } from "../../../domains/acme/keys.ts";
import { faultOfChain } from "../../../domains/model/certificate.ts";
import { statusOf } from "../../../domains/model/domain-state.ts";
import type { Domain } from "../../../domains/model/domain.ts";
import { certificateIdentity } from "../../../domains/pipeline/activate.ts";
import { certificateLoader } from "../../../domains/serving/presented.ts";
import { createRouteTable } from "../../../domains/serving/routes.ts";
import { createSeal } from "../../../domains/storage/seal.ts";
import { servabilityJobs } from "../../../domains/serving/servability.ts";
import { credentialOf } from "../../../domains/tls/credentials.ts";
import { rehearseHandshake } from "../../../domains/tls/rehearsal.ts";
import { findingsOf } from "../../../domains/view/findings.ts";
import { headlineOf } from "../../../domains/view/headline.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../lib/base/clock.ts";
import { brokenChains, blocksOf, strangerAt, unusualChains } from "../../helpers/broken-chains.ts";
import { START } from "../../helpers/domains/rows.ts";
import { silentLog } from "../../../lib/base/log.ts";
import { drive, type World } from "../../helpers/domains/world.ts";
import { worlds } from "../../helpers/domains/worlds.ts";

const { signal } = new AbortController();
const open = worlds();

let stranger: string;
beforeAll(async () => {
  stranger = await strangerAt(START);
});

/** Returns what a visitor's handshake for the domain ends with. */
async function handshake(world: World, { name, certificate }: Domain): Promise<string> {
  if (certificate === undefined) return "no certificate";
  const presented = await certificateLoader({ store: world.domains, seal: world.seal })(
    certificate.id,
  );
  if (presented === undefined) return "no row";
  return (await rehearseHandshake(name, presented, signal)) ?? "served";
}

/** Writes a certificate with this chain and the key of the present one, as a restored or imported row would be. */
async function plant(world: World, from: Domain, chainPem: string, key?: string): Promise<Domain> {
  const { certificate } = from;
  const kept = certificate && (await world.domains.certificates.byId(certificate.id));
  if (certificate === undefined || kept === undefined) throw new Error("It has a certificate.");
  const id = `${certificate.id.slice(0, -4)}bad!`;
  const privateKey = world.seal.open(kept.sealedKey, certificateIdentity(certificate.id));
  const sealedKey = key ?? world.seal.close(privateKey, certificateIdentity(id));
  const planted = await world.domains.commit(
    [
      { kind: "certificate.add", certificate: { ...kept, id, chainPem, sealedKey } },
      {
        kind: "domain.save",
        from,
        to: { ...from, certificate: { ...certificate, id } },
        news: [],
        at: world.clock.now(),
      },
    ],
    system,
  );
  if (!planted.ok) throw new Error(planted.failure);
  return world.domain(from.id);
}

/** The part of one process that serves: its routes, and the jobs that look at their certificates. */
function node(world: World, seal = world.seal) {
  const routes = createRouteTable({
    store: world.domains,
    gatekeeper: { slugOf: async () => "site" },
    clock: world.clock,
  });
  const pipeline = world.pipeline();
  const errors: string[] = [];
  const jobs = servabilityJobs({
    routes,
    load: certificateLoader({ store: world.domains, seal }),
    report: ({ domainId, certificateId }, message) =>
      pipeline.reportUnservable(domainId, certificateId, message),
    clock: world.clock,
    log: { ...silentLog, error: (message) => errors.push(message) },
  });
  return { routes, jobs, pipeline, errors };
}

function codesOf(domain: Domain): readonly string[] {
  return findingsOf(domain, undefined, {
    project: "site",
    targetThere: true,
    readBy: "owner",
    now: 0,
  }).map(({ code }) => code);
}

describe("a chain with", () => {
  for (const { what, kind, broken } of brokenChains) {
    test(`${what} never replaces the certificate that is served, at a renewal`, async () => {
      const world = await open();
      const { id } = await world.add(1);
      await drive(world, world.pipeline(), START + MINUTE_MS);
      const before = await world.domain(id);
      expect(await handshake(world, before)).toBe("served");
      world.authority.sent = (chain) => broken(chain, stranger);
      await drive(world, world.pipeline(), (before.certificate?.renewAt ?? 0) + 3 * HOUR_MS);
      const after = await world.domain(id);
      expect(after.certificate?.id).toBe(before.certificate?.id ?? "");
      expect(after.issuance.failure?.by?.failure).toBe("unusable");
      expect(await handshake(world, after)).toBe("served");
      // Once the CA is right again, so is the domain.
      world.authority.sent = (chain) => chain;
      await drive(world, world.pipeline(), world.clock.now() + 2 * DAY_MS);
      const renewed = await world.domain(id);
      expect(renewed.certificate?.id).not.toBe(before.certificate?.id ?? "");
      expect(await handshake(world, renewed)).toBe("served");
    });

    test(`${what} is not put into service by a first order`, async () => {
      const world = await open();
      const { id } = await world.add(1);
      world.authority.sent = (chain) => broken(chain, stranger);
      await drive(world, world.pipeline(), START + 10 * MINUTE_MS);
      expect((await world.domain(id)).certificate).toBeUndefined();
      expect(world.authority.issued).toBe(1);
    });

    if (kind === "wrong") continue;
    test(`${what} in the database at the start is a finding, and is replaced`, async () => {
      const world = await open();
      const { id } = await world.add(1);
      await world.add(2);
      await drive(world, world.pipeline(), START + MINUTE_MS);
      const live = await world.domain(id);
      const kept = await world.domains.certificates.byId(live.certificate?.id ?? "");
      await plant(world, live, broken(kept?.chainPem ?? "", stranger));
      const { routes, jobs, pipeline, errors } = node(world);
      await routes.refresh();
      await jobs.tick();
      const marked = await world.domain(id);
      expect(statusOf(marked, world.clock.now())).toBe("attention");
      expect(codesOf(marked)).toContain("not_servable");
      expect(
        headlineOf(marked, [], { leads: false, now: world.clock.now(), readBy: "owner" })
          .headlineCode,
      ).not.toBe("live");
      for (let visits = 0; visits < 3; visits++) {
        jobs.doubt(marked.name);
        await jobs.tick();
      }
      expect(errors).toEqual(["a certificate cannot be served"]);
      await routes.learn(marked);
      expect([...routes.certificates().values()]).toMatchObject([{ count: 2, unservable: 1 }]);
      await drive(world, pipeline, world.clock.now() + MINUTE_MS);
      const healed = await world.domain(id);
      expect(statusOf(healed, world.clock.now())).toBe("live");
      expect(codesOf(healed)).not.toContain("not_servable");
      expect(await handshake(world, healed)).toBe("served");
    });
  }

  for (const { what, broken } of unusualChains) {
    test(`${what} is accepted, and stored in our own encoding`, async () => {
      const world = await open();
      const { id } = await world.add(1);
      const sent: string[] = [];
      world.authority.sent = (chain) => {
        sent.push(chain);
        return broken(chain, stranger);
      };
      await drive(world, world.pipeline(), START + MINUTE_MS);
      const domain = await world.domain(id);
      const kept = await world.domains.certificates.byId(domain.certificate?.id ?? "");
      expect([kept?.chainPem]).toEqual(sent);
      expect(await handshake(world, domain)).toBe("served");
    });
  }
});

test("of a good chain, no prefix and no chain without one character is served unless all of it was read", async () => {
  const world = await open();
  const { id } = await world.add(1);
  await drive(world, world.pipeline(), START + MINUTE_MS);
  const { certificate, name } = await world.domain(id);
  const load = certificateLoader({ store: world.domains, seal: world.seal });
  const presented = await load(certificate?.id ?? "");
  if (presented === undefined) throw new Error("It has a certificate.");
  const { chainPem, privateKeyPem } = presented;
  const expected = { names: [name], publicKey: keyFingerprint(privateKeyPem), now: START };
  const wholes = new Set([chainPem, blocksOf(chainPem)[0] ?? ""]);
  const examine = (pem: string): void => {
    const read = readChain(pem);
    if (!read.ok || faultOfChain(read.value, expected) !== undefined) return;
    expect(wholes.has(read.value.pem)).toBe(true);
    expect(() => credentialOf({ chainPem: read.value.pem, privateKeyPem })).not.toThrow();
  };
  for (let at = 0; at <= chainPem.length; at++) {
    examine(chainPem.slice(0, at));
    examine(chainPem.slice(0, at) + chainPem.slice(at + 1));
  }
});

test("a certificate without its issuer's is served, with a warning in the timeline and the log", async () => {
  const world = await open();
  const { id } = await world.add(1);
  world.authority.sent = (chain) => blocksOf(chain)[0] ?? "";
  const warnings: string[] = [];
  const log = { ...silentLog, warn: (message: string) => warnings.push(message) };
  await drive(world, world.pipeline({ log }), START + MINUTE_MS);
  expect(await handshake(world, await world.domain(id))).toBe("served");
  expect(warnings).toContain("the CA sent a certificate without its issuer's");
  const timeline = await world.domains.timeline.of(id, 50);
  expect(timeline.map(({ message = "" }) => message).join()).toContain("without its issuer's");
});

test("a certificate with which no handshake succeeds is not put into service", async () => {
  const world = await open();
  const { id } = await world.add(1);
  const rehearsed: string[] = [];
  const pipeline = world.pipeline({
    rehearse: async (name) => {
      rehearsed.push(name);
      return "A handshake with the certificate fails.";
    },
  });
  await drive(world, pipeline, START + 10 * MINUTE_MS);
  const { certificate, issuance, name } = await world.domain(id);
  expect(certificate).toBeUndefined();
  expect(rehearsed).toEqual([name]);
  expect(issuance.failure?.message).toContain("handshake");
});

describe("on another node,", () => {
  test("a certificate that was put into service elsewhere is examined once it is learned", async () => {
    const world = await open();
    const { id } = await world.add(1);
    await drive(world, world.pipeline(), START + MINUTE_MS);
    const { routes, jobs } = node(world);
    await routes.refresh();
    await jobs.tick();
    const live = await world.domain(id);
    expect(statusOf(live, world.clock.now())).toBe("live");
    const kept = await world.domains.certificates.byId(live.certificate?.id ?? "");
    await routes.learn(await plant(world, live, `${kept?.chainPem}-----BEGIN CERTIFICATE-----\n`));
    await jobs.tick();
    expect(codesOf(await world.domain(id))).toContain("not_servable");
  });

  test("a key that cannot be decrypted is a finding, but not to a node with another encryption key", async () => {
    const world = await open();
    const { id } = await world.add(1);
    await world.add(2);
    await drive(world, world.pipeline(), START + MINUTE_MS);
    const live = await world.domain(id);
    const kept = await world.domains.certificates.byId(live.certificate?.id ?? "");
    await plant(world, live, kept?.chainPem ?? "", "v1.damaged");
    const strange = node(world, createSeal(new Uint8Array(32).fill(9)));
    await strange.routes.refresh();
    for (let round = 0; round < 3; round++) await strange.jobs.tick();
    expect(codesOf(await world.domain(id))).not.toContain("not_servable");
    const right = node(world);
    await right.routes.refresh();
    for (let round = 0; round < 3; round++) await right.jobs.tick();
    expect(codesOf(await world.domain(id))).toContain("not_servable");
  });
});

test("a damaged certificate is not given back to a domain that is added again", async () => {
  const world = await open();
  const { id } = await world.add(1);
  await drive(world, world.pipeline(), START + MINUTE_MS);
  const live = await world.domain(id);
  const { pipeline } = node(world);
  await pipeline.reportUnservable(id, live.certificate?.id ?? "", "It is damaged.");
  await world.remove(id);
  expect((await world.domain(id)).certificate).toBeUndefined();
});
