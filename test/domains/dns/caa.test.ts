import { afterEach, describe, expect, test } from "bun:test";

import { lookupCaa } from "../../../domains/dns/caa.ts";
import { unknown, type Answer } from "../../../domains/model/answer.ts";
import type { CaaLookup, CaaSurvey } from "../../../domains/model/caa-lookup.ts";
import type { AuthoritativeServers, Resolver } from "../../../domains/ports/resolver.ts";
import { manualClock } from "../../helpers/clock.ts";
import type { Query, ServerFault } from "../../helpers/dns/server.ts";
import { world, type World, type WorldPlan } from "../../helpers/dns/world.ts";

const open: World[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

interface Plan extends WorldPlan {
  /** Servers' behavior, in place of answering queries for CAA records. */
  readonly fails?: (name: string) => ServerFault | undefined;
}

type Find = (plan: Plan, name?: string) => Promise<CaaLookup>;

const PETS = "pets.shelter.org";
/** Makes a zone's servers unreachable. */
const shut: AuthoritativeServers = {
  zoneOf: async () => ({ kind: "unknown", reason: "timeout" }),
  ask: async () => ({ answer: unknown("timeout"), signed: false, roundTripMs: 0 }),
};

async function opened({ fails, ...plan }: Plan, whom: "fault" | "resolverFault"): Promise<World> {
  const failing = ({ name, type }: Query) => (type === "CAA" ? fails?.(name) : undefined);
  const fault = whom === "fault" ? { fault: (_: string, query: Query) => failing(query) } : {};
  const resolverFault = whom === "resolverFault" ? { resolverFault: failing } : {};
  const zones = { org: {}, ...plan.zones };
  const one = await world({ ...fault, ...resolverFault, ...plan, zones });
  open.push(one);
  return one;
}

const byResolvers: Find = async (plan, name = PETS) => {
  const one = await opened(plan, "resolverFault");
  const { resolver, clock } = one;
  const options = { resolvers: [resolver], authorities: shut, clock } as const;
  return (await lookupCaa(name, options, one.within())).caa;
};

/** Queries only CAA records without the resolver. */
const byServers: Find = async (plan, name = PETS) => {
  const resolverFault: WorldPlan["resolverFault"] = ({ type }) =>
    type === "CAA" ? "refused" : undefined;
  return (await surveyed({ resolverFault, ...plan }, name)).caa;
};

async function surveyed(plan: Plan, name = PETS): Promise<CaaSurvey> {
  const one = await opened(plan, "fault");
  const { resolver, authorities, clock } = one;
  return lookupCaa(name, { resolvers: [resolver], authorities, clock }, one.within());
}

const shelter = (...lines: readonly string[]): Plan => ({
  zones: { "shelter.org": { lines } },
});
const ca = { flags: 0, tag: "issue", value: "ca.test" };

describe.each([
  ["resolvers", byResolvers],
  ["the servers of the zones", byServers],
] as const)("applicable CAA records, from %s,", (_, found) => {
  test("are those of the name itself, before those of its parents", async () => {
    const plan = shelter("pets CAA 0 issue ca.test", "@ CAA 0 issue other.test");
    expect(await found(plan)).toEqual({
      kind: "found",
      at: "pets.shelter.org",
      owner: "pets.shelter.org",
      records: [ca],
    });
  });

  test("are those of the nearest parent, skipping names that do not exist", async () => {
    expect(await found(shelter("@ CAA 0 issue ca.test"), "a.b.c.shelter.org")).toMatchObject({
      at: "shelter.org",
      records: [ca],
    });
  });

  test("can be those of the top-level domain", async () => {
    const plan = { zones: { org: { lines: ["@ CAA 0 issue ca.test"] }, "shelter.org": {} } };
    expect(await found(plan)).toMatchObject({ kind: "found", at: "org" });
  });

  test("are absent if no name up to the top has any", async () => {
    expect(await found(shelter("pets A 192.0.2.1"))).toEqual({ kind: "absent" });
  });

  test("are those of an alias's target", async () => {
    const plan: Plan = {
      zones: {
        "shelter.org": { lines: ["pets CNAME abc.host.net", "@ CAA 0 issue other.test"] },
        net: {},
        "host.net": { lines: ["abc CAA 0 issue ca.test"] },
      },
    };
    expect(await found(plan)).toMatchObject({
      at: "pets.shelter.org",
      owner: "abc.host.net",
      records: [ca],
    });
  });

  test("are not those of the target's parents", async () => {
    const plan: Plan = {
      zones: {
        "shelter.org": { lines: ["pets CNAME abc.host.net", "@ CAA 0 issue ca.test"] },
        net: {},
        "host.net": { lines: ["abc A 192.0.2.1", "@ CAA 0 issue other.test"] },
      },
    };
    expect(await found(plan)).toMatchObject({ at: "shelter.org", records: [ca] });
  });

  test("are those of the name's parents when the alias's target does not exist", async () => {
    const plan = shelter("pets CNAME gone.shelter.org", "@ CAA 0 issue ca.test");
    expect(await found(plan)).toMatchObject({ at: "shelter.org" });
  });

  test("are those of a DNAME's target", async () => {
    const plan = shelter("old DNAME new.shelter.org", "pets.new CAA 0 issue ca.test");
    expect(await found(plan, "pets.old.shelter.org")).toMatchObject({
      at: "pets.old.shelter.org",
      owner: "pets.new.shelter.org",
    });
  });

  test("are unknown when the query for the name fails, whatever its parents have", async () => {
    const plan: Plan = {
      ...shelter("@ CAA 0 issue ca.test"),
      fails: (name) => (name === PETS ? "refused" : undefined),
    };
    expect(await found(plan)).toEqual({
      kind: "unknown",
      at: "pets.shelter.org",
      reason: "refused",
      bogus: false,
    });
  });

  test("are known when only the query for a parent fails", async () => {
    const plan: Plan = {
      ...shelter("pets CAA 0 issue ca.test"),
      fails: (name) => (name === "shelter.org" ? "servfail" : undefined),
    };
    expect(await found(plan)).toMatchObject({ kind: "found", at: "pets.shelter.org" });
  });

  test("are unknown when the query for the nearest parent fails", async () => {
    const plan: Plan = {
      zones: { org: { lines: ["@ CAA 0 issue ca.test"] }, "shelter.org": {} },
      fails: (name) => (name === "shelter.org" ? "refused" : undefined),
    };
    expect(await found(plan)).toMatchObject({
      kind: "unknown",
      at: "shelter.org",
      reason: "refused",
    });
  });
});

describe("CAA records", () => {
  test("are unknown when signatures are invalid, with the explanation", async () => {
    const plan: Plan = { ...shelter("pets CAA 0 issue ca.test"), fails: () => "bogus" };
    expect(await byResolvers(plan)).toMatchObject({
      kind: "unknown",
      bogus: true,
      explanation: { code: 6 },
    });
  });

  test("are those of the name servers; a resolver's cached answer is reported with its expiry", async () => {
    const seen = await surveyed({
      ...shelter("@ 60 CAA 0 issue ca.test"),
      remembered: { "shelter.org": ["@ 3600 CAA 0 issue other.test"] },
      resolverAgeSeconds: () => 600,
    });
    expect(seen.caa).toMatchObject({ kind: "found", at: "shelter.org", records: [ca] });
    expect(seen.caaBehind).toEqual([]);
    // The clock of this world is at 1,000 seconds.
    expect(seen.caaCached).toMatchObject([
      { lookup: { at: "shelter.org", records: [{ value: "other.test" }] }, until: 4_000_000 },
    ]);
  });

  test("whose absence a resolver has cached are reported with its expiry", async () => {
    const seen = await surveyed({
      zones: { "shelter.org": { lines: ["pets CAA 0 issue ca.test"], negativeTtl: 900 } },
      remembered: { "shelter.org": [] },
    });
    expect(seen.caaCached).toMatchObject([{ lookup: { kind: "absent" }, until: 1_900_000 }]);
  });

  test("of the newest zone version count; servers that lag behind are reported", async () => {
    const zone = (current: readonly string[], old: readonly string[]): Plan => ({
      zones: {
        "shelter.org": {
          servers: ["ns1.a.test", "ns2.a.test"],
          lines: current,
          lagging: { "ns1.a.test": old },
        },
      },
    });
    const other = { kind: "found", at: "shelter.org", records: [{ value: "other.test" }] };
    const who = { servers: ["ns1.a.test"], ahead: ["ns2.a.test"] };
    const changed = await surveyed(zone(["@ CAA 0 issue ca.test"], ["@ CAA 0 issue other.test"]));
    expect(changed.caa).toMatchObject({ records: [ca] });
    expect(changed.caaBehind).toMatchObject([{ ...who, at: "shelter.org", lookup: other }]);
    const added = await surveyed(
      zone(["pets CAA 0 issue ca.test", "@ CAA 0 issue other.test"], ["@ CAA 0 issue other.test"]),
    );
    expect(added.caa).toMatchObject({ at: PETS, records: [ca] });
    expect(added.caaBehind).toMatchObject([{ ...who, at: PETS, lookup: other }]);
    const removed = await surveyed(zone([], ["@ CAA 0 issue other.test"]));
    expect(removed.caa).toEqual({ kind: "absent" });
    expect(removed.caaBehind).toMatchObject([{ ...who, at: "shelter.org", lookup: other }]);
  });

  test("are searched in at most ten zones", async () => {
    const labels = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "shelter", "org"];
    const names = labels.map((_name, index) => labels.slice(index).join("."));
    const zones = Object.fromEntries(names.map((name) => [name, {}]));
    const one = await opened({ zones }, "fault");
    const searched: string[] = [];
    const authorities: AuthoritativeServers = {
      ask: (...args) => one.authorities.ask(...args),
      zoneOf: (name, within) => {
        searched.push(name);
        return one.authorities.zoneOf(name, within);
      },
    };
    const [name = ""] = names;
    const options = { resolvers: [one.resolver], authorities, clock: one.clock } as const;
    expect((await lookupCaa(name, options, one.within())).caa).toEqual({ kind: "absent" });
    expect(searched).toHaveLength(10);
  });

  test("are queried at most at eleven names, and from four servers of a parent zone", async () => {
    const labels = Array.from({ length: 40 }, (_, index) => `n${index}`);
    const name = [...labels, "shelter.org"].join(".");
    const servers = Array.from({ length: 8 }, (_, index) => `ns${index}.a.test`);
    const one = await opened({ zones: { "shelter.org": { servers } } }, "fault");
    const { resolver, authorities, clock } = one;
    await lookupCaa(name, { resolvers: [resolver], authorities, clock }, one.within());
    const queries = servers.map((server) =>
      (one.servers.get(server)?.queries ?? []).filter(({ type }) => type === "CAA"),
    );
    // The name itself and nine of those above it that are in this zone; the tenth is `org`.
    expect(queries.map((questions) => questions.length).toSorted((a, b) => b - a)).toEqual([
      10, 10, 10, 10, 1, 1, 1, 1,
    ]);
  });

  test("at the end of an endless alias chain are not queried from the servers", async () => {
    const chain = Array.from(
      { length: 12 },
      (_, index) => `n${index} CNAME n${index + 1}.shelter.org`,
    );
    const found = await byServers(shelter("pets CNAME n0.shelter.org", ...chain));
    expect(found).toMatchObject({ kind: "unknown", at: PETS });
    const circle = await byServers(shelter("pets CNAME n.shelter.org", "n CNAME pets.shelter.org"));
    expect(circle).toMatchObject({ kind: "unknown", at: PETS });
  });

  test("are queried at all names in parallel, each with five seconds", async () => {
    const clock = manualClock(1_000);
    const lookups: { name: string; deadlineAt: number }[] = [];
    const resolver: Resolver = {
      vantage: "of this test",
      lookup: async (name, _type, { deadlineAt }) => {
        lookups.push({ name, deadlineAt });
        await clock.sleep(deadlineAt - clock.now());
        const answer: Answer<never> = unknown("timeout");
        return answer;
      },
    };
    const lookup = lookupCaa(
      "pets.shelter.org",
      { resolvers: [resolver], authorities: shut, clock },
      { deadlineAt: 60_000 },
    );
    expect(lookups).toEqual([
      { name: "pets.shelter.org", deadlineAt: 6_000 },
      { name: "shelter.org", deadlineAt: 6_000 },
      { name: "org", deadlineAt: 6_000 },
    ]);
    clock.advance(5_000);
    expect((await lookup).caa).toMatchObject({ kind: "unknown", at: "pets.shelter.org" });
  });
});

test("a lookup that is aborted rejects once, and leaves no rejection behind", async () => {
  const stop = new AbortController();
  const rejected: unknown[] = [];
  const note = (reason: unknown): void => void rejected.push(reason);
  process.on("unhandledRejection", note);
  const aborted = (): Promise<never> =>
    new Promise((_, reject) => {
      stop.signal.addEventListener("abort", () => reject(new Error("stopped")));
    });
  const zone = {
    ...{ apex: "shelter.org", unasked: [], nameServers: ["ns.shelter.org"], signed: false },
    servers: [{ name: "ns.shelter.org", address: "192.0.2.1", listedBy: ["parent"] as const }],
  };
  const lookup = lookupCaa(
    PETS,
    {
      resolvers: [{ vantage: "one", lookup: async () => unknown("timeout") }],
      authorities: {
        // The zone above is still being searched for when the lookup is aborted.
        zoneOf: async (name) => (name === PETS ? { kind: "found", zone } : aborted()),
        ask: aborted,
      },
      clock: manualClock(0),
    },
    { deadlineAt: 60_000, signal: stop.signal },
  );
  await Bun.sleep(10);
  stop.abort();
  await expect(lookup).rejects.toThrow("stopped");
  await Bun.sleep(10);
  process.off("unhandledRejection", note);
  expect(rejected).toEqual([]);
});
