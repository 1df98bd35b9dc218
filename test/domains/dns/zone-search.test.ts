import { afterEach, describe, expect, test } from "bun:test";

import type { NameServer, Zone, ZoneSearch } from "../../../domains/model/survey.ts";
import { resource } from "../../helpers/dns/zone.ts";
import { world, type World, type WorldPlan } from "../../helpers/dns/world.ts";

const open: World[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

async function start(plan: WorldPlan): Promise<World> {
  const one = await world({ ...plan, zones: { org: {}, ...plan.zones } });
  open.push(one);
  return one;
}

async function search(plan: WorldPlan, name = "pets.shelter.org"): Promise<ZoneSearch> {
  const one = await start(plan);
  return one.authorities.zoneOf(name, one.within());
}

async function zoneIn(plan: WorldPlan, name?: string): Promise<Zone> {
  const found = await search(plan, name);
  if (found.kind !== "found") throw new Error(`The zone is ${found.kind}`);
  return found.zone;
}

const names = (servers: readonly NameServer[]): readonly string[] =>
  servers.map(({ name }) => name);

describe("the zone of a name", () => {
  test("is found with its servers from both sides of the delegation", async () => {
    const zone = await zoneIn({
      zones: { "shelter.org": { servers: ["ns1.a.test", "ns2.b.test"] } },
    });
    expect(zone).toMatchObject({
      apex: "shelter.org",
      nameServers: ["ns1.a.test", "ns2.b.test"],
      unasked: [],
      signed: false,
    });
    expect(names(zone.servers)).toEqual(["ns1.a.test", "ns2.b.test"]);
    expect(zone.servers[0]?.listedBy).toEqual(["parent", "child"]);
  });

  test("is found with one address lookup per server", async () => {
    const one = await start({
      zones: { "shelter.org": { servers: ["ns1.a.test", "ns2.b.test"] } },
    });
    await one.authorities.zoneOf("pets.shelter.org", one.within());
    const queries = one.resolverServer.queries.filter(({ name }) => name === "ns1.a.test");
    expect(queries.map(({ type }) => type).toSorted()).toEqual(["A", "AAAA"]);
  });

  test("is the lowest delegated one", async () => {
    const plan = { zones: { "shelter.org": {}, "pets.shelter.org": {} } };
    expect((await zoneIn(plan)).apex).toBe("pets.shelter.org");
    expect((await zoneIn(plan, "www.pets.shelter.org")).apex).toBe("pets.shelter.org");
    expect((await zoneIn(plan, "www.shelter.org")).apex).toBe("shelter.org");
  });

  test("is its own, not that of its alias's target", async () => {
    const zone = await zoneIn({
      zones: {
        "shelter.org": { lines: ["pets CNAME host.net"] },
        net: {},
        "host.net": { lines: ["@ A 192.0.2.1"] },
      },
    });
    expect(zone.apex).toBe("shelter.org");
  });

  test("is found above labels that do not exist", async () => {
    expect((await zoneIn({ zones: { "shelter.org": {} } }, "a.b.c.d.shelter.org")).apex).toBe(
      "shelter.org",
    );
  });

  test("is found by referral when resolvers fail", async () => {
    const zone = await zoneIn({
      zones: { "shelter.org": { servers: ["ns1.a.test"] } },
      resolverFault: ({ name }) => (name.endsWith("shelter.org") ? "servfail" : undefined),
    });
    expect(zone.apex).toBe("shelter.org");
    expect(zone.servers).toMatchObject([{ name: "ns1.a.test", listedBy: ["parent", "child"] }]);
  });

  test("includes servers that only the parent lists", async () => {
    const zone = await zoneIn({
      zones: {
        org: { lines: ["shelter NS ns.old.test"] },
        "shelter.org": { servers: ["ns1.a.test"] },
      },
    });
    expect(zone.nameServers).toEqual(["ns.old.test", "ns1.a.test"]);
    expect(zone.unasked).toEqual([{ name: "ns.old.test", reason: "unresolved" }]);
  });

  test("includes servers that only the zone lists", async () => {
    const zone = await zoneIn({
      zones: {
        "shelter.org": { servers: ["ns1.a.test"], lines: ["@ NS ns1.a.test", "@ NS ns1.org.test"] },
        org: { servers: ["ns1.org.test"] },
      },
    });
    expect(zone.servers).toMatchObject([
      { name: "ns1.a.test", listedBy: ["parent", "child"] },
      { name: "ns1.org.test", listedBy: ["child"] },
    ]);
  });

  test("is signed if its parent has a DS record", async () => {
    const zone = await zoneIn({
      zones: { org: { lines: ["shelter DS 0a0b"] }, "shelter.org": {} },
    });
    expect(zone.signed).toBe(true);
  });

  test("is absent for an unregistered name", async () => {
    expect(await search({ zones: { "other.org": {} } })).toEqual({ kind: "absent" });
    expect(await search({ zones: {} }, "pets.shelter.nowhere")).toEqual({ kind: "absent" });
  });

  test("is the registry's for a name that exists without a delegation", async () => {
    const plan = { zones: { test: { lines: ["pets A 192.0.2.1"] } } };
    expect((await zoneIn(plan, "pets.test")).apex).toBe("test");
  });

  test("is unknown when no resolver answers", async () => {
    const plan: WorldPlan = { zones: { "shelter.org": {} }, resolverFault: () => "refused" };
    expect(await search(plan)).toEqual({ kind: "unknown", reason: "refused" });
  });

  test("is unknown, not absent, when the last referral fails", async () => {
    const plan: WorldPlan = {
      zones: { "shelter.org": {} },
      fault: () => "servfail",
      resolverFault: ({ name }) => (name.endsWith("shelter.org") ? "servfail" : undefined),
    };
    expect(await search(plan)).toEqual({ kind: "unknown", reason: "servfail" });
  });

  test("is the lowest known one even if one above it is broken", async () => {
    const zone = await zoneIn({
      zones: { "shelter.org": { servers: ["ns1.a.test"] }, "pets.shelter.org": {} },
      fault: (server) => (server === "ns1.a.test" ? "refused" : undefined),
      resolverFault: ({ name }) => (name === "shelter.org" ? "servfail" : undefined),
    });
    expect(zone.apex).toBe("pets.shelter.org");
  });

  test.each(["elsewhere.org", "a.pets.shelter.org", "org", "evil.test", ""])(
    "is found from resolvers when the parent refers to %p",
    async (name) => {
      const one = await start({
        zones: { org: { servers: ["ns1.org.test"] }, "shelter.org": { servers: ["ns1.a.test"] } },
        fault: (server) =>
          server === "ns1.org.test"
            ? (response) => {
                response.answers = [];
                response.authorities = [
                  resource({ name, type: "NS", ttl: 60, data: ["ns.evil.test"] }),
                ];
                response.header.aa = 0;
                return response;
              }
            : undefined,
      });
      const found = await one.authorities.zoneOf("pets.shelter.org", one.within());
      expect(found).toMatchObject({ zone: { apex: "shelter.org", nameServers: ["ns1.a.test"] } });
      expect(one.resolverServer.queries.map(({ name }) => name)).not.toContain("ns.evil.test");
    },
  );
});

describe("the servers of a zone", () => {
  test("are not queried at private addresses", async () => {
    const one = await start({
      zones: { "shelter.org": { servers: ["ns1.a.test"] } },
      allowPrivateNetworks: false,
    });
    const found = await one.authorities.zoneOf("pets.shelter.org", one.within());
    expect(found).toMatchObject({
      zone: { servers: [], unasked: [{ name: "ns1.a.test", reason: "forbidden_address" }] },
    });
    expect([...one.servers.values()].flatMap(({ queries }) => queries)).toEqual([]);
  });

  test("are limited to eight queried, and thirteen looked up", async () => {
    const many = Array.from({ length: 15 }, (_, at) => `ns${String(at).padStart(2, "0")}.a.test`);
    const one = await start({ zones: { "shelter.org": { servers: many } } });
    const found = await one.authorities.zoneOf("pets.shelter.org", one.within());
    if (found.kind !== "found") throw new Error(found.kind);
    expect(names(found.zone.servers)).toEqual(many.slice(0, 8));
    expect(found.zone.unasked).toHaveLength(7);
    expect(found.zone.unasked.every(({ reason }) => reason === "over_limit")).toBe(true);
    const looked = one.resolverServer.queries.filter(({ name }) => name.endsWith(".a.test"));
    expect(new Set(looked.map(({ name }) => name)).size).toBe(13);
  });

  test("are found by the parent's glue when no resolver knows them", async () => {
    const plan: WorldPlan = {
      zones: {
        org: { servers: ["ns1.org.test"] },
        "shelter.org": { servers: ["ns1.shelter.org"] },
      },
      lost: ["ns1.shelter.org"],
      resolverFault: ({ name }) => (name.endsWith("shelter.org") ? "servfail" : undefined),
      fault: (server) =>
        server === "ns1.org.test"
          ? (response) => {
              const data = [one?.servers.get("ns1.shelter.org")?.address ?? ""];
              response.additionals.push(
                resource({ name: "ns1.shelter.org", type: "A", ttl: 60, data }),
              );
              return response;
            }
          : undefined,
    };
    const one: World = await start(plan);
    const found = await one.authorities.zoneOf("pets.shelter.org", one.within());
    expect(found).toMatchObject({
      zone: {
        apex: "shelter.org",
        servers: [{ address: one.servers.get("ns1.shelter.org")?.address }],
      },
    });
  });
});

describe("the answer of an authoritative server", () => {
  async function directAnswer(plan: WorldPlan, type: "A" | "CNAME" | "AAAA" = "A") {
    const one = await start(plan);
    const found = await one.authorities.zoneOf("pets.shelter.org", one.within());
    const [server] = found.kind === "found" ? found.zone.servers : [];
    if (server === undefined) throw new Error("There is no server");
    return (await one.authorities.ask(server, "pets.shelter.org", type, one.within())).answer;
  }
  const alias = { lines: ["pets 60 CNAME www.shelter.org", "www A 192.0.2.1"] };

  test("concerns the name itself: an alias is reported, not followed", async () => {
    const plan = { zones: { "shelter.org": alias } };
    expect(await directAnswer(plan)).toMatchObject({
      kind: "absent",
      reason: "nodata",
      ttlSeconds: 60,
      aliases: [{ name: "pets.shelter.org", target: "www.shelter.org" }],
    });
    expect(await directAnswer(plan, "CNAME")).toMatchObject({
      kind: "found",
      records: ["www.shelter.org"],
      aliases: [],
    });
  });

  test("is an existing name even if its alias leads nowhere", async () => {
    const plan = { zones: { "shelter.org": { lines: ["pets CNAME gone.shelter.org"] } } };
    expect(await directAnswer(plan)).toMatchObject({ kind: "absent", reason: "nodata" });
  });

  test("has an alias and addresses if a broken server returns both", async () => {
    const plan = { zones: { "shelter.org": { lines: [...alias.lines, "pets A 192.0.2.9"] } } };
    expect(await directAnswer(plan)).toMatchObject({ kind: "found", records: ["192.0.2.9"] });
    expect(await directAnswer(plan, "CNAME")).toMatchObject({ kind: "found" });
  });

  test("does not count without authority", async () => {
    const plan: WorldPlan = {
      zones: { "shelter.org": alias },
      fault: (server, { name }) =>
        server.includes("shelter") && name === "pets.shelter.org" ? "lame" : undefined,
    };
    expect(await directAnswer(plan)).toMatchObject({ kind: "unknown", reason: "lame" });
  });

  test("may be a refusal", async () => {
    const plan: WorldPlan = {
      zones: { "shelter.org": alias },
      fault: (server, { name }) =>
        server.includes("shelter") && name === "pets.shelter.org" ? "refused" : undefined,
    };
    expect(await directAnswer(plan)).toMatchObject({ kind: "unknown", reason: "refused" });
  });
});
