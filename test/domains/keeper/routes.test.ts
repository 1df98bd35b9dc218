import { system } from "../../../lib/model/actor.ts";
import { manualClock } from "../../../testing/clock.ts";
import { describe, expect, test } from "bun:test";

import { X509Certificate } from "node:crypto";

import { GRACE_MS, type Domain } from "../../../domains/model/domain.ts";
import { applyOutcome } from "../../../domains/model/apply-outcome.ts";
import type { DomainStore } from "../../../domains/ports/domain-store.ts";
import { certificatesOf, challengesOf } from "../../../domains/serving/presented.ts";
import { createRouteTable, type RouteTable } from "../../../domains/serving/routes.ts";
import { SealBroken, createSeal } from "../../../domains/storage/seal.ts";
import { HOUR_MS, MINUTE_MS } from "../../../lib/base/clock.ts";
import { systemRandom } from "../../../lib/base/id.ts";
import { hurry } from "../../helpers/dns/until.ts";
import { saving, someDomain, START } from "../../helpers/domains/rows.ts";
import { rejection } from "../../helpers/rejection.ts";
import { drive, type World } from "../../helpers/domains/world.ts";
import { worlds } from "../../helpers/domains/worlds.ts";

const open = worlds();

const slugs = new Map<string, string | undefined>([["prj_9", undefined]]);
function tableOver(world: World, store: DomainStore = world.domains): RouteTable {
  return createRouteTable({
    store,
    clock: world.clock,
    gatekeeper: {
      slugOf: async (id) => (slugs.has(id) ? slugs.get(id) : id.replace("prj_", "site-")),
    },
  });
}

async function liveOnes(world: World, ...numbers: readonly number[]): Promise<readonly Domain[]> {
  for (const number of numbers) await world.add(number);
  await drive(world, world.pipeline(), world.clock.now() + MINUTE_MS);
  const found = await world.domains.domains.served(0, 1_000);
  return found.map(({ domain }) => domain);
}

async function change(world: World, from: Domain, to: Partial<Domain>): Promise<Domain> {
  const saved = await world.domains.commit([saving(from, to)], system);
  if (!saved.ok) throw new Error(saved.failure);
  return world.domain(from.id);
}

/** Counts reads of the store. */
function counting(store: DomainStore): { store: DomainStore; reads: () => number } {
  let reads = 0;
  const counted =
    <Args extends readonly unknown[], Found>(read: (...args: Args) => Found) =>
    (...args: Args): Found => {
      reads++;
      return read(...args);
    };
  return {
    reads: () => reads,
    store: {
      ...store,
      domains: {
        ...store.domains,
        byId: counted(store.domains.byId),
        holderOf: counted(store.domains.holderOf),
        served: counted(store.domains.served),
      },
      certificates: { byId: counted(store.certificates.byId) },
    },
  };
}

/** A domain that is live, and a table that has read it. */
async function oneLive() {
  const world = await open();
  const [domain = someDomain(1)] = await liveOnes(world, 1);
  const routes = tableOver(world);
  await routes.refresh();
  return { world, domain, routes };
}

describe("routes", () => {
  test("lead to the projects' sites", async () => {
    const world = await open();
    await liveOnes(world, 1, 2);
    const routes = tableOver(world);
    await routes.refresh();
    expect(routes.byHost("pets2.test")).toEqual({
      kind: "site",
      projectId: "prj_2",
      slug: "site-2",
      hstsSeconds: 0,
    });
    expect(routes.byHost("pets3.test")).toBeUndefined();
    expect(routes.size).toBe(2);
  });

  test("report each issuer's earliest expiry without a query", async () => {
    const world = await open();
    const live = await liveOnes(world, 1, 2, 3);
    const { store, reads } = counting(world.domains);
    const routes = tableOver(world, store);
    expect(routes.certificates()).toEqual(new Map());
    const ends = [30, 2, 7];
    for (const [index, domain] of live.entries()) {
      const { certificate } = domain;
      if (certificate === undefined) throw new Error("It is live.");
      const authority = index === 2 ? "internal" : "https://ca.example/directory";
      const notAfter = START + (ends[index] ?? 0) * HOUR_MS;
      await routes.learn({ ...domain, certificate: { ...certificate, authority, notAfter } });
    }
    const own = {
      count: 1,
      notAfter: START + 7 * HOUR_MS,
      unservable: 0,
      overdue: 0,
      attention: 0,
    };
    expect(routes.certificates()).toEqual(
      new Map([
        [
          "https://ca.example/directory",
          { count: 2, notAfter: START + 2 * HOUR_MS, unservable: 0, overdue: 0, attention: 0 },
        ],
        ["internal", own],
      ]),
    );
    // An expired one counts, as it is what monitoring is for.
    world.clock.set(START + 3 * HOUR_MS);
    expect(routes.certificates().get("https://ca.example/directory")?.count).toBe(2);
    const [first = someDomain(1), second = someDomain(2)] = live;
    for (const domain of [first, second]) {
      const { domain: removed } = applyOutcome(
        domain,
        { kind: "removed", reason: "removed" },
        START,
      );
      await routes.learn({ ...removed, version: domain.version + 1 });
    }
    expect(routes.certificates()).toEqual(new Map([["internal", own]]));
    expect(reads()).toBe(0);
  });

  test("are read in pages", async () => {
    const world = await open();
    const [domain] = await liveOnes(world, 1);
    const many = Array.from({ length: 2_500 }, (_, index) => ({
      seq: index + 1,
      domain: { ...(domain ?? someDomain(1)), id: `dom_${index}`, name: `pets${index}.test` },
    }));
    const store: DomainStore = {
      ...world.domains,
      domains: {
        ...world.domains.domains,
        served: (after, limit) => many.filter(({ seq }) => seq > after).slice(0, limit),
      },
    };
    const routes = tableOver(world, store);
    await routes.refresh();
    expect(routes.size).toBe(2_500);
    expect(routes.byHost("pets2499.test")).toBeDefined();
  });

  test("show this process's changes without a query", async () => {
    const world = await open();
    const [domain = someDomain(1)] = await liveOnes(world, 1);
    const { store, reads } = counting(world.domains);
    const routes = tableOver(world, store);
    await routes.learn(domain);
    expect(routes.byHost("pets1.test")).toBeDefined();
    const { domain: removed } = applyOutcome(domain, { kind: "removed", reason: "removed" }, START);
    await routes.learn({ ...removed, version: domain.version + 1 });
    expect(routes.byHost("pets1.test")).toBeUndefined();
    expect(routes.certificateOf("pets1.test")).toBeUndefined();
    expect(reads()).toBe(0);
  });

  test("show other processes' changes after a notice on the feed", async () => {
    const { world, domain, routes } = await oneLive();
    const { domain: removed } = applyOutcome(domain, { kind: "removed", reason: "removed" }, START);
    await world.domains.commit([{ ...saving(domain, {}), to: removed }], system);
    const gone: string[] = [];
    routes.onRemoved((host) => gone.push(host));
    routes.forget("domain", domain.id);
    await routes.refresh();
    expect(routes.byHost("pets1.test")).toBeUndefined();
    expect(gone).toEqual(["pets1.test"]);
  });

  test("drop a deleted domain", async () => {
    const { world, domain, routes } = await oneLive();
    const removal = { at: START, reason: "removed" } as const;
    const removed = await change(world, domain, { removal });
    await world.domains.commit([{ kind: "domain.forget", domain: removed }], system);
    routes.forget("domain", domain.id);
    await routes.refresh();
    expect(routes.size).toBe(0);
  });

  test("drop missing domains when everything is reread", async () => {
    const world = await open();
    const [first = someDomain(1)] = await liveOnes(world, 1, 2);
    const routes = tableOver(world);
    await routes.refresh();
    await change(world, first, { removal: { at: START, reason: "removed" } });
    const gone: string[] = [];
    routes.onRemoved((host) => gone.push(host));
    routes.forgetAll();
    await routes.refresh();
    expect(gone).toEqual(["pets1.test"]);
    expect(routes.byHost("pets2.test")).toBeDefined();
  });

  test("retry failed reads", async () => {
    const world = await open();
    await liveOnes(world, 1);
    let broken = true;
    const store: DomainStore = {
      ...world.domains,
      domains: {
        ...world.domains.domains,
        served: (...args) => {
          if (broken) throw new Error("the database is away");
          return world.domains.domains.served(...args);
        },
      },
    };
    const routes = tableOver(world, store);
    expect(String(await rejection(routes.refresh()))).toContain("away");
    broken = false;
    await routes.refresh();
    expect(routes.byHost("pets1.test")).toBeDefined();
  });

  test("are not replaced by older versions", async () => {
    const world = await open();
    const [domain = someDomain(1)] = await liveOnes(world, 1);
    const routes = tableOver(world);
    await routes.learn({ ...domain, hstsSeconds: 60, version: domain.version + 1 });
    await routes.learn(domain);
    expect(routes.byHost("pets1.test")).toMatchObject({ hstsSeconds: 60 });
  });

  test("are not restored by a read that began before the removal", async () => {
    const world = await open();
    const [domain = someDomain(1)] = await liveOnes(world, 1);
    const readStarted = Promise.withResolvers<void>();
    const slug = Promise.withResolvers<string>();
    const slugOf = (): Promise<string> => {
      readStarted.resolve();
      return slug.promise;
    };
    const routes = createRouteTable({
      store: world.domains,
      clock: world.clock,
      gatekeeper: { slugOf },
    });
    const reading = routes.refresh();
    await readStarted.promise;
    const { domain: removed } = applyOutcome(domain, { kind: "removed", reason: "removed" }, START);
    await routes.learn({ ...removed, version: domain.version + 1 });
    slug.resolve("site");
    await reading;
    expect(routes.certificateOf("pets1.test")).toBeUndefined();
    expect(routes.size).toBe(0);
  });

  test("end with the grace period of a lapsed plan, to the millisecond and without a query", async () => {
    const world = await open();
    const [domain = someDomain(1)] = await liveOnes(world, 1);
    const routes = tableOver(world);
    const lapsedAt = world.clock.now();
    await routes.learn({ ...domain, gates: { ...domain.gates, plan: false, lapsedAt } });
    world.clock.set(lapsedAt + GRACE_MS - 1);
    expect(routes.byHost("pets1.test")).toBeDefined();
    world.clock.advance(1);
    expect(routes.byHost("pets1.test")).toBeUndefined();
    expect(routes.certificateOf("pets1.test")).toBeUndefined();
  });

  test("announce that a name moved to another project, and stop serving the former one", async () => {
    const { world, domain, routes } = await oneLive();
    const gone: string[] = [];
    const stop = routes.onRemoved((host) => gone.push(host));
    const winner = { ...someDomain(2, { name: domain.name }), heldSince: START };
    await routes.learn(winner);
    expect(routes.byHost(domain.name)).toBeUndefined();
    // The previous holder's row arrives late and is ignored.
    const { certificate } = await world.domain(domain.id);
    if (certificate === undefined) throw new Error("not live");
    await routes.learn({ ...winner, version: 2, certificate });
    const { heldSince: _held, ...lost } = domain;
    await routes.learn({ ...lost, version: 99 });
    expect(routes.byHost(domain.name)).toMatchObject({ projectId: "prj_2" });
    expect(gone).toEqual([domain.name]);
    stop();
    routes.forgetAll();
  });

  test("of a project without a slug do not exist", async () => {
    const world = await open();
    await liveOnes(world, 9);
    const routes = tableOver(world);
    await routes.refresh();
    expect(routes.byHost("pets9.test")).toBeUndefined();
    expect(routes.certificateOf("pets9.test")).toBeDefined();
  });

  test("reread the slug of a project that changed during the read", async () => {
    const world = await open();
    const [domain = someDomain(1)] = await liveOnes(world, 1);
    const first = Promise.withResolvers<string>();
    const answers: Promise<string | undefined>[] = [first.promise, Promise.resolve(undefined)];
    const { domains } = world;
    const routes = createRouteTable({
      store: { ...domains, domains: { ...domains.domains, served: () => [] } },
      clock: world.clock,
      gatekeeper: { slugOf: async () => answers.shift() },
    });
    await routes.refresh();
    const learning = routes.learn(domain);
    routes.forget("project", domain.projectId);
    await routes.refresh();
    first.resolve("before-it-was-deleted");
    await learning;
    await routes.refresh();
    expect(routes.byHost(domain.name)).toBeUndefined();
  });

  test("are served for a while without confirmation, those of the service itself for ever", async () => {
    const world = await open();
    const [domain = someDomain(1)] = await liveOnes(world, 1);
    const own = { ...domain, id: "own", name: "own.test", projectId: "own:own.test" };
    const hostClock = manualClock(0);
    const { domains } = world;
    const served = [domain, own].map((one, seq) => ({ seq, domain: one }));
    const routes = createRouteTable({
      store: { ...domains, domains: { ...domains.domains, served: () => served } },
      clock: world.clock,
      gatekeeper: { slugOf: async (id) => id },
      stale: { forMs: 60_000, clock: hostClock },
    });
    await routes.refresh();
    routes.confirm(hostClock.now());
    hostClock.advance(60_000);
    expect(routes.byHost(domain.name)).toBeDefined();
    hostClock.advance(1);
    expect(routes.byHost(domain.name)).toBeUndefined();
    expect(routes.certificateOf(domain.name)).toBeUndefined();
    expect(routes.certificateOf(own.name)).toBeDefined();
    routes.confirm(hostClock.now());
    expect(routes.byHost(domain.name)).toBeDefined();
  });

  test("follow a change of the project's slug", async () => {
    const world = await open();
    await liveOnes(world, 5);
    const routes = tableOver(world);
    await routes.refresh();
    slugs.set("prj_5", "renamed");
    routes.forget("project", "prj_5");
    await routes.refresh();
    slugs.delete("prj_5");
    expect(routes.byHost("pets5.test")).toMatchObject({ slug: "renamed" });
  });
});

describe("a redirect", () => {
  async function pair(): Promise<{ world: World; routes: RouteTable; to: Domain; from: Domain }> {
    const world = await open();
    const project = { projectId: "prj_1", accountId: "acc_1" };
    await world.add(1);
    await world.add(2, {
      ...project,
      role: { kind: "redirect", to: "pets1.test", status: 307 },
    });
    await drive(world, world.pipeline(), START + HOUR_MS);
    const routes = tableOver(world);
    await routes.refresh();
    const [to, from] = (await world.domains.domains.served(0, 10)).map(({ domain }) => domain);
    if (to === undefined || from === undefined) throw new Error("not live");
    return { world, routes, to, from };
  }

  test("leads to its target's origin with its status", async () => {
    const { routes } = await pair();
    expect(routes.byHost("pets2.test")).toEqual({
      kind: "redirect",
      projectId: "prj_1",
      to: "https://pets1.test",
      status: 307,
      hstsSeconds: 0,
    });
  });

  test("to a removed domain shows the site itself, and keeps its certificate", async () => {
    const { routes, to } = await pair();
    await routes.learn(applyOutcome(to, { kind: "removed", reason: "removed" }, START).domain);
    expect(routes.byHost("pets2.test")).toMatchObject({ kind: "site", projectId: "prj_1" });
    expect(routes.certificateOf("pets2.test")).toBeDefined();
  });

  test("to a domain of another project shows the site of its own project", async () => {
    const { routes, to } = await pair();
    await routes.learn({ ...to, id: "dom_other", projectId: "prj_7" });
    expect(routes.byHost("pets2.test")).toMatchObject({ kind: "site", projectId: "prj_1" });
  });
});

describe("certificates", () => {
  test("are loaded with their keys in one read", async () => {
    const world = await open();
    await liveOnes(world, 1);
    const { store, reads } = counting(world.domains);
    const routes = tableOver(world);
    await routes.refresh();
    const certificateFor = certificatesOf({ store, routes, seal: world.seal });
    const presented = await certificateFor("pets1.test")?.load();
    expect(reads()).toBe(1);
    expect(new X509Certificate(presented?.chainPem ?? "").checkHost("pets1.test")).toBe(
      "pets1.test",
    );
    expect(presented?.privateKeyPem).toContain("PRIVATE KEY");
  });

  test("are found without a query, even for ten thousand unknown names", async () => {
    const world = await open();
    await liveOnes(world, 1);
    const { store, reads } = counting(world.domains);
    const routes = tableOver(world);
    await routes.refresh();
    const certificateFor = certificatesOf({ store, routes, seal: world.seal });
    expect(certificateFor("pets1.test")).toBeDefined();
    for (let name = 0; name < 10_000; name++) {
      expect(certificateFor(`unknown${name}.test`)).toBeUndefined();
    }
    expect(reads()).toBe(0);
  });

  test("are the new ones after a renewal", async () => {
    const { world, domain, routes } = await oneLive();
    const certificateFor = certificatesOf({ store: world.domains, routes, seal: world.seal });
    const before = await certificateFor("pets1.test")?.load();
    const learned: Promise<void>[] = [];
    const pipeline = world.pipeline({ onSaved: (saved) => void learned.push(routes.learn(saved)) });
    const renewAt = domain.certificate?.renewAt ?? 0;
    await drive(world, pipeline, renewAt + HOUR_MS);
    await Promise.all(learned);
    const after = await certificateFor("pets1.test")?.load();
    expect(after?.id).not.toBe(before?.id);
    expect(after?.notAfter).toBeGreaterThan(before?.notAfter ?? 0);
  });

  test("sealed with another encryption key are reported as such", async () => {
    const world = await open();
    await liveOnes(world, 1);
    const routes = tableOver(world);
    await routes.refresh();
    const seal = createSeal(new Uint8Array(32).fill(9));
    const certificateFor = certificatesOf({ store: world.domains, routes, seal });
    const failure = await rejection(Promise.resolve(certificateFor("pets1.test")?.load()));
    expect(failure).toBeInstanceOf(SealBroken);
  });
});

describe("challenges", () => {
  async function opening(kind: "http-01" | "tls-alpn-01"): Promise<World> {
    const world = await open();
    const challenge = {
      name: "pets1.test",
      kind,
      token: "token",
      keyAuthorization: "token.thumbprint",
      expiresAt: START + HOUR_MS,
    };
    await world.domains.commit([{ kind: "challenge.open", challenge }], system);
    return world;
  }
  const answersOf = ({ domains: store, clock }: World) =>
    challengesOf({ store, clock, random: systemRandom });

  test("are found by token and host", async () => {
    const answers = answersOf(await opening("http-01"));
    expect(await answers.http01("pets1.test", "token")).toBe("token.thumbprint");
    expect(await answers.http01("pets2.test", "token")).toBeUndefined();
    expect(await answers.http01("pets1.test", "other")).toBeUndefined();
    expect(await answers.http01("pets1.test", "x".repeat(10_000))).toBeUndefined();
  });

  test("over TLS use one certificate, however often the CA connects", async () => {
    const world = await opening("tls-alpn-01");
    const answers = answersOf(world);
    const first = await answers.tlsAlpn01("pets1.test");
    expect(new X509Certificate(first?.chainPem ?? "").subjectAltName).toBe("DNS:pets1.test");
    expect(await answers.tlsAlpn01("pets1.test")).toBe(first);
  });

  test("over TLS are not searched for unknown names", async () => {
    const world = await opening("tls-alpn-01");
    const { challenges } = world.domains;
    let reads = 0;
    const store: DomainStore = {
      ...world.domains,
      challenges: {
        ...challenges,
        tlsAlpn01: (...args) => (reads++, challenges.tlsAlpn01(...args)),
        tlsAlpn01Names: (...args) => (reads++, challenges.tlsAlpn01Names(...args)),
      },
    };
    const answers = answersOf({ ...world, domains: store });
    const flood = Array.from({ length: 10_000 }, (_, number) =>
      answers.tlsAlpn01(`made-up-${number}.test`),
    );
    const wanted = Promise.resolve(answers.tlsAlpn01("pets1.test"));
    expect((await hurry(world.clock, wanted))?.notAfter).toBe(START + HOUR_MS);
    expect(new Set(await hurry(world.clock, Promise.all(flood)))).toEqual(new Set([undefined]));
    expect(reads).toBeLessThanOrEqual(3);
  });

  test("over TLS are found if opened after the last read", async () => {
    const world = await open();
    const answers = answersOf(world);
    expect(await answers.tlsAlpn01("pets1.test")).toBeUndefined();
    const challenge = {
      name: "pets1.test",
      kind: "tls-alpn-01",
      token: "token",
      keyAuthorization: "token.thumbprint",
      expiresAt: START + HOUR_MS,
    } as const;
    await world.domains.commit([{ kind: "challenge.open", challenge }], system);
    const found = Promise.resolve(answers.tlsAlpn01("pets1.test"));
    expect(await hurry(world.clock, found)).toBeDefined();
  });
});
