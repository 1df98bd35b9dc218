import { afterEach, describe, expect, test } from "bun:test";

import { systemRandom } from "../../../lib/base/id.ts";
import { publicSuffixes } from "../../helpers/public-suffixes.ts";
import {
  SURVEY_TIME_MS,
  takeSurvey,
  type SurveyOptions,
  type SurveyRequest,
} from "../../../domains/dns/survey.ts";
import { parseHostname } from "../../../domains/model/hostname.ts";
import type { Survey } from "../../../domains/model/survey.ts";
import { hurry, until } from "../../helpers/dns/until.ts";
import { world, type World, type WorldPlan } from "../../helpers/dns/world.ts";

const open: World[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

const target = "abc.cname.petstore.example";
const ours = {
  "petstore.example": { lines: ["abc.cname 60 A 192.0.2.10", "abc.cname AAAA 2001:db8::10"] },
};

async function started(plan: WorldPlan): Promise<World> {
  const one = await world({ ...plan, zones: { org: {}, ...ours, ...plan.zones } });
  open.push(one);
  return one;
}

function requestFor(name: string): SurveyRequest {
  const parsed = parseHostname(name, {
    suffixes: publicSuffixes,
    ownDomains: [],
    allowPrivate: true,
  });
  if (!parsed.ok) throw new Error(parsed.failure.message);
  const { hostname } = parsed.value;
  return { hostname, target, ownershipName: `_petstore.${hostname}` };
}

function optionsOf({ resolver, authorities, clock }: World): SurveyOptions {
  return {
    resolvers: [resolver],
    authorities,
    clock,
    random: systemRandom,
  };
}

async function survey(plan: WorldPlan, name = "pets.shelter.org"): Promise<Survey> {
  const one = await started(plan);
  return takeSurvey(requestFor(name), optionsOf(one));
}

describe("a survey", () => {
  test("of a correct name has the answers of all servers and the resolver", async () => {
    const seen = await survey({
      zones: {
        "shelter.org": {
          lines: [
            `pets 300 CNAME ${target}`,
            "_petstore.pets TXT petstore-verify=1234",
            "@ MX 10 mail.shelter.org",
            "@ CAA 0 issue letsencrypt.org",
          ],
        },
      },
    });
    expect(seen.zone).toMatchObject({
      kind: "found",
      zone: { apex: "shelter.org", signed: false },
    });
    expect(seen.apex).toBe(false);
    expect(seen.apexHasMail).toBe(true);
    expect(seen.authoritative).toHaveLength(2);
    for (const view of seen.authoritative) {
      expect(view.server.listedBy).toEqual(["parent", "child"]);
      expect(view.cname).toMatchObject({ kind: "found", records: [target], ttlSeconds: 300 });
      expect(view.a).toMatchObject({ kind: "absent", reason: "nodata" });
      expect(view.ownership).toMatchObject({ kind: "found", records: ["petstore-verify=1234"] });
      expect(view.serial).toBe(2);
    }
    expect(seen.resolvers[0]).toMatchObject({
      cname: { kind: "found", records: [target] },
      a: { kind: "found", records: ["192.0.2.10"], ttlSeconds: 60 },
      aaaa: { kind: "found", records: ["2001:db8::10"] },
      targetA: { kind: "found", records: ["192.0.2.10"] },
    });
    expect(seen.targetA).toMatchObject({ kind: "found", records: ["192.0.2.10"] });
    expect(seen.caa).toMatchObject({ kind: "found", at: "shelter.org" });
    expect(seen.doubled).toMatchObject({
      name: "pets.shelter.org.shelter.org",
      cname: { kind: "absent", reason: "nxdomain" },
    });
    expect(seen.wildcard.a).toMatchObject({ kind: "absent", reason: "nxdomain" });
    expect(seen.challenge.cname).toMatchObject({ kind: "absent" });
    expect(seen.negativeTtlSeconds).toBe(300);
    expect(seen.cutShort).toBe(false);
  });

  test("finds a zone apex by its delegation, and its servers at both addresses", async () => {
    const apex = await survey(
      { zones: { "shelter.org": { lines: ["@ A 192.0.2.10", "@ MX 10 mail.shelter.org"] } } },
      "shelter.org",
    );
    expect(apex).toMatchObject({ apex: true, apexHasMail: true });
    expect(apex.authoritative[0]?.a).toMatchObject({ kind: "found", records: ["192.0.2.10"] });
    const delegated = await survey({ zones: { "shelter.org": {}, "pets.shelter.org": {} } });
    expect(delegated).toMatchObject({ apex: true, apexHasMail: false });
  });

  test("keeps differing answers apart and shows which server lags behind", async () => {
    const seen = await survey({
      zones: {
        "shelter.org": {
          servers: ["ns1.a.test", "ns2.a.test"],
          lines: [`pets CNAME ${target}`],
          lagging: { "ns2.a.test": ["pets 600 A 192.0.2.99"] },
        },
      },
    });
    const [current, lagging] = seen.authoritative;
    expect(current).toMatchObject({ server: { name: "ns1.a.test" }, serial: 2 });
    expect(current?.cname).toMatchObject({ kind: "found", records: [target] });
    expect(lagging).toMatchObject({ server: { name: "ns2.a.test" }, serial: 1 });
    expect(lagging?.cname).toMatchObject({ kind: "absent", reason: "nodata" });
    expect(lagging?.a).toMatchObject({ kind: "found", records: ["192.0.2.99"], ttlSeconds: 600 });
  });

  test("shows when cached old answers expire", async () => {
    const seen = await survey({
      zones: { "shelter.org": { lines: [`pets CNAME ${target}`] } },
      remembered: { "shelter.org": ["pets 600 A 192.0.2.99"] },
      resolverAgeSeconds: () => 250,
    });
    const [view] = seen.resolvers;
    expect(view.a).toMatchObject({ kind: "found", records: ["192.0.2.99"], ttlSeconds: 350 });
    expect(view.at).toBeGreaterThanOrEqual(seen.startedAt);
    expect(view.at).toBeLessThanOrEqual(seen.finishedAt);
    expect(seen.authoritative[0]?.cname).toMatchObject({ records: [target] });
  });

  test("shows an alias that leads to our target through another name", async () => {
    const seen = await survey({
      zones: { "shelter.org": { lines: ["pets CNAME www.shelter.org", `www CNAME ${target}`] } },
    });
    expect(seen.resolvers[0].a.aliases.map((alias) => alias.target)).toEqual([
      "www.shelter.org",
      target,
    ]);
  });

  test("shows that the target does not exist", async () => {
    const seen = await survey({
      zones: { "shelter.org": { lines: ["pets CNAME gone.shelter.org"] } },
    });
    expect(seen.resolvers[0].a).toMatchObject({ kind: "absent", reason: "nxdomain" });
    expect(seen.resolvers[0].a.aliases).toHaveLength(1);
  });

  test("finds a record with a doubled zone", async () => {
    const seen = await survey({
      zones: { "shelter.org": { lines: [`pets.shelter.org CNAME ${target}`] } },
    });
    expect(seen.doubled.cname).toMatchObject({ kind: "found", records: [target] });
  });

  test("detects a wildcard", async () => {
    const plan = { zones: { "shelter.org": { lines: [`* CNAME ${target}`] } } };
    const seen = await survey(plan);
    expect(seen.wildcard.name).toMatch(/^[0-9a-f]{16}\.shelter\.org$/);
    expect(seen.wildcard.a).toMatchObject({ kind: "found", aliases: [{ target }] });
    expect((await survey(plan)).wildcard.name).not.toBe(seen.wildcard.name);
  });

  test("tries a name below a zone apex whose parent is a registry", async () => {
    const seen = await survey({ zones: { "shelter.org": {} } }, "shelter.org");
    expect(seen.wildcard.name).toEndWith(".shelter.org");
  });

  test("finds a delegated _acme-challenge", async () => {
    const seen = await survey({
      zones: { "shelter.org": { lines: ["_acme-challenge.pets CNAME x.validation.host.net"] } },
    });
    expect(seen.challenge).toMatchObject({
      name: "_acme-challenge.pets.shelter.org",
      cname: { kind: "found", records: ["x.validation.host.net"] },
    });
  });

  test("distinguishes invalid signatures from failures", async () => {
    const zones = { "shelter.org": { lines: [`pets CNAME ${target}`] } };
    const bogus = await survey({
      zones: { ...zones, org: { lines: ["shelter DS 0a0b"] } },
      resolverFault: ({ name }) => (name === "pets.shelter.org" ? "bogus" : undefined),
    });
    expect(bogus.zone).toMatchObject({ zone: { signed: true } });
    expect(bogus.authoritative[0]?.signed).toBe(false);
    expect(bogus.resolvers[0].cname).toMatchObject({
      kind: "unknown",
      bogus: true,
      explanation: { code: 6 },
    });
    const failing = await survey({
      zones,
      resolverFault: ({ name }) => (name === "pets.shelter.org" ? "servfail" : undefined),
    });
    expect(failing.resolvers[0].cname).toMatchObject({ reason: "servfail", bogus: false });
  });

  test("of a name without a zone still has the resolvers' answers", async () => {
    const seen = await survey({ zones: {} });
    expect(seen).toMatchObject({ zone: { kind: "absent" }, apex: false, authoritative: [] });
    expect(seen.resolvers[0].cname).toMatchObject({ kind: "absent", reason: "nxdomain" });
    expect(seen.doubled.name).toBe("pets.shelter.org.shelter.org");
  });

  test("ends at its time limit with everything learned so far", async () => {
    const one = await started({
      zones: {
        "shelter.org": { servers: ["ns1.a.test", "ns2.a.test"], lines: [`pets CNAME ${target}`] },
      },
      fault: (server) => (server === "ns2.a.test" ? "drop" : undefined),
      resolverFault: ({ type }) => (type === "HTTPS" ? "drop" : undefined),
    });
    const taken = takeSurvey(requestFor("pets.shelter.org"), optionsOf(one));
    const seen = await hurry(one.clock, taken);
    expect(seen.finishedAt - seen.startedAt).toBeLessThanOrEqual(SURVEY_TIME_MS + 50);
    const [answering, silent] = seen.authoritative;
    expect(answering?.cname).toMatchObject({ kind: "found", records: [target] });
    expect(silent?.cname).toMatchObject({ kind: "unknown", reason: "timeout" });
    expect(seen.resolvers[0].https).toMatchObject({ kind: "unknown", reason: "timeout" });
    expect(seen.resolvers[0].cname).toMatchObject({ kind: "found" });
  });

  test("that receives nothing ends at its time limit and is marked as cut short", async () => {
    const one = await started({ zones: {}, resolverFault: () => "drop" });
    const taken = takeSurvey(requestFor("pets.shelter.org"), optionsOf(one));
    const seen = await hurry(one.clock, taken);
    expect(seen.finishedAt - seen.startedAt).toBeLessThanOrEqual(SURVEY_TIME_MS + 50);
    expect(seen.cutShort).toBe(true);
    expect(seen.zone).toEqual({ kind: "unknown", reason: "timeout" });
    expect(seen.resolvers[0].a).toMatchObject({ kind: "unknown", reason: "timeout" });
    expect(seen.caa).toMatchObject({ kind: "unknown", reason: "timeout" });
  });

  test("is not started after an abort", async () => {
    const one = await started({ zones: {}, resolverFault: () => "drop" });
    const gaveUp = new AbortController();
    const reason = new Error("The page was left");
    const request = { ...requestFor("pets.shelter.org"), signal: gaveUp.signal };
    const taken = takeSurvey(request, optionsOf(one));
    await until(() => one.resolverServer.queries.length > 0);
    gaveUp.abort(reason);
    await expect(taken).rejects.toBe(reason);
  });

  test("uses at most four resolvers", async () => {
    const one = await started({ zones: { "shelter.org": {} } });
    const { resolver } = one;
    const seen = await takeSurvey(requestFor("pets.shelter.org"), {
      ...optionsOf(one),
      resolvers: [resolver, resolver, resolver, resolver, resolver, resolver],
    });
    expect(seen.resolvers).toHaveLength(4);
  });

  test("hides addresses of the operator's own network", async () => {
    const one = await started({ zones: { "shelter.org": {} } });
    const { resolver } = one;
    const named = (vantage: string): typeof resolver => ({ ...resolver, vantage });
    const seen = await takeSurvey(requestFor("pets.shelter.org"), {
      ...optionsOf(one),
      resolvers: [named("10.0.0.53"), named("9.9.9.9"), named("[fd00::53]:5353"), named("home")],
    });
    const vantages = ["internal-1", "9.9.9.9", "internal-3", "home"];
    expect(seen.resolvers.map(({ vantage }) => vantage)).toEqual(vantages);
    expect(seen.caaCached.map(({ vantage }) => vantage)).toEqual(vantages);
  });

  test("shares one group among its queries", async () => {
    const one = await started({ zones: { "shelter.org": { lines: [`pets CNAME ${target}`] } } });
    const { resolver, authorities } = one;
    const askers = new Set<object | undefined>();
    const heard = <Within extends { readonly group?: object }>(within: Within): Within => {
      askers.add(within.group);
      return within;
    };
    const options = {
      ...optionsOf(one),
      resolvers: [
        { ...resolver, lookup: (name, type, within) => resolver.lookup(name, type, heard(within)) },
      ],
      authorities: {
        zoneOf: (name, within) => authorities.zoneOf(name, heard(within)),
        ask: (server, name, type, within) => authorities.ask(server, name, type, heard(within)),
      },
    } satisfies SurveyOptions;
    await takeSurvey(requestFor("pets.shelter.org"), options);
    expect([askers.size, askers.has(undefined)]).toEqual([1, false]);
    await takeSurvey(requestFor("pets.shelter.org"), options);
    expect(askers.size).toBe(2);
  });

  test("can be converted to JSON and back", async () => {
    const seen = await survey({ zones: { "shelter.org": { lines: [`pets CNAME ${target}`] } } });
    expect(JSON.parse(JSON.stringify(seen))).toEqual(seen);
  });
});
