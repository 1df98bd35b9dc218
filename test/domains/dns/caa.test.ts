import { afterEach, describe, expect, test } from "bun:test";

import { lookupCaa } from "../../../domains/dns/caa.ts";
import { unknown, type Answer } from "../../../domains/model/answer.ts";
import type { CaaLookup } from "../../../domains/model/caa-lookup.ts";
import type { Resolver } from "../../../domains/ports/resolver.ts";
import { manualClock } from "../../helpers/clock.ts";
import { world, type World, type WorldPlan } from "../../helpers/dns/world.ts";

const open: World[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

async function found(plan: WorldPlan, name = "pets.shelter.org"): Promise<CaaLookup> {
  const one = await world({ ...plan, zones: { org: {}, ...plan.zones } });
  open.push(one);
  return lookupCaa(name, { resolvers: [one.resolver], clock: one.clock }, one.within());
}

const shelter = (...lines: readonly string[]): WorldPlan => ({
  zones: { "shelter.org": { lines } },
});
const ca = { flags: 0, tag: "issue", value: "ca.test" };

describe("the CAA records that count", () => {
  test("are those of the name itself, before those above it", async () => {
    const plan = shelter("pets CAA 0 issue ca.test", "@ CAA 0 issue other.test");
    expect(await found(plan)).toEqual({
      kind: "found",
      at: "pets.shelter.org",
      owner: "pets.shelter.org",
      records: [ca],
    });
  });

  test("are those of the nearest name above, names that are not there included", async () => {
    expect(await found(shelter("@ CAA 0 issue ca.test"), "a.b.c.shelter.org")).toMatchObject({
      at: "shelter.org",
      records: [ca],
    });
  });

  test("can be those of the ending", async () => {
    const plan = { zones: { org: { lines: ["@ CAA 0 issue ca.test"] }, "shelter.org": {} } };
    expect(await found(plan)).toMatchObject({ kind: "found", at: "org" });
  });

  test("are none when there are none up to the top", async () => {
    expect(await found(shelter("pets A 192.0.2.1"))).toEqual({ kind: "absent" });
  });

  test("are those of an alias's target, which the owner of that name sets", async () => {
    const plan: WorldPlan = {
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

  test("are not those above an alias's target", async () => {
    const plan: WorldPlan = {
      zones: {
        "shelter.org": { lines: ["pets CNAME abc.host.net", "@ CAA 0 issue ca.test"] },
        net: {},
        "host.net": { lines: ["abc A 192.0.2.1", "@ CAA 0 issue other.test"] },
      },
    };
    expect(await found(plan)).toMatchObject({ at: "shelter.org", records: [ca] });
  });

  test("are those above when an alias's target is not there", async () => {
    const plan = shelter("pets CNAME gone.shelter.org", "@ CAA 0 issue ca.test");
    expect(await found(plan)).toMatchObject({ at: "shelter.org" });
  });

  test("are those to which a DNAME leads", async () => {
    const plan = shelter("old DNAME new.shelter.org", "pets.new CAA 0 issue ca.test");
    expect(await found(plan, "pets.old.shelter.org")).toMatchObject({
      at: "pets.old.shelter.org",
      owner: "pets.new.shelter.org",
    });
  });

  test("are not known when the name fails, whatever stands above it", async () => {
    const plan: WorldPlan = {
      ...shelter("@ CAA 0 issue ca.test"),
      resolverOdd: ({ name, type }) =>
        name === "pets.shelter.org" && type === "CAA" ? "servfail" : undefined,
    };
    expect(await found(plan)).toEqual({
      kind: "unknown",
      at: "pets.shelter.org",
      reason: "servfail",
      bogus: false,
    });
  });

  test("are known when only a name above them fails", async () => {
    const plan: WorldPlan = {
      ...shelter("pets CAA 0 issue ca.test"),
      resolverOdd: ({ name }) => (name === "shelter.org" ? "servfail" : undefined),
    };
    expect(await found(plan)).toMatchObject({ kind: "found", at: "pets.shelter.org" });
  });

  test("are not known when the first name without records is followed by one that fails", async () => {
    const plan: WorldPlan = {
      zones: { org: { lines: ["@ CAA 0 issue ca.test"] }, "shelter.org": {} },
      resolverOdd: ({ name, type }) =>
        name === "shelter.org" && type === "CAA" ? "refused" : undefined,
    };
    expect(await found(plan)).toMatchObject({
      kind: "unknown",
      at: "shelter.org",
      reason: "refused",
    });
  });

  test("are not known, and it is told why, when signatures do not hold", async () => {
    const plan: WorldPlan = {
      ...shelter("pets CAA 0 issue ca.test"),
      resolverOdd: ({ type }) => (type === "CAA" ? "bogus" : undefined),
    };
    expect(await found(plan)).toMatchObject({
      kind: "unknown",
      bogus: true,
      explanation: { code: 6 },
    });
  });

  test("are asked for at all names at once, each with five seconds of its own", async () => {
    const clock = manualClock(1_000);
    const asked: { name: string; deadlineAt: number }[] = [];
    const resolver: Resolver = {
      vantage: "of this test",
      lookup: async (name, _type, { deadlineAt }) => {
        asked.push({ name, deadlineAt });
        await clock.sleep(deadlineAt - clock.now());
        const answer: Answer<never> = unknown("timeout");
        return answer;
      },
    };
    const lookup = lookupCaa(
      "pets.shelter.org",
      { resolvers: [resolver], clock },
      { deadlineAt: 60_000 },
    );
    expect(asked).toEqual([
      { name: "pets.shelter.org", deadlineAt: 6_000 },
      { name: "shelter.org", deadlineAt: 6_000 },
      { name: "org", deadlineAt: 6_000 },
    ]);
    clock.advance(5_000);
    expect(await lookup).toMatchObject({ kind: "unknown", at: "pets.shelter.org" });
  });
});
