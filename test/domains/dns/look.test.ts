import { afterEach, describe, expect, test } from "bun:test";

import { takeLook } from "../../../domains/dns/look.ts";
import { createLook } from "../../../domains/outside/look.ts";
import type { LookResult } from "../../../domains/ports/look.ts";
import { publicSuffixes } from "../../helpers/public-suffixes.ts";
import { world, type World, type WorldPlan } from "../../helpers/dns/world.ts";

const open: World[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

const TARGET = "abc.cname.petstore.example";
const [NS1, NS2] = ["ns1.a.test", "ns2.a.test"] as const;
const OURS = { lines: ["abc.cname A 198.51.100.7", "abc.cname AAAA 2001:db8::7"] };
const right = [`pets CNAME ${TARGET}`];
const elsewhere = ["pets CNAME www.shelter.org", "www A 203.0.113.9"];

interface Case extends Omit<WorldPlan, "zones"> {
  readonly name: string;
  readonly seen: LookResult;
  /** Default `pets.shelter.org`. */
  readonly hostname?: string;
  /** The records of shelter.org; `none`: no delegation. */
  readonly lines: readonly string[] | "none";
  readonly lagging?: Readonly<Record<string, readonly string[]>>;
  readonly zones?: WorldPlan["zones"];
  readonly edgeAddresses?: readonly string[];
}

const apex = { hostname: "shelter.org" } as const;
const failingAs = (fault: "servfail" | "refused" | "lame") => ({
  fault: (server: string) => (server === NS1 || server === NS2 ? fault : undefined),
});

const cases: readonly Case[] = [
  { name: "the record that was asked for", lines: right, seen: "here" },
  {
    name: "the record that was asked for, which a resolver does not know yet",
    lines: right,
    remembered: { "shelter.org": elsewhere },
    seen: "here",
  },
  {
    name: "two CNAME records, one of which is right",
    lines: [...right, "pets CNAME www.shelter.org"],
    seen: "here",
  },
  {
    name: "a chain that ends here",
    lines: ["pets CNAME www.shelter.org", `www CNAME ${TARGET}`],
    seen: "here",
  },
  { name: "an apex with our addresses", ...apex, lines: ["@ A 198.51.100.7"], seen: "here" },
  {
    name: "an apex with an address from the options, whatever our target says",
    ...apex,
    lines: ["@ A 192.0.2.44"],
    edgeAddresses: ["192.0.2.44"],
    seen: "here",
  },
  {
    name: "a second server that still has the former records",
    lines: elsewhere,
    lagging: { [NS2]: right },
    seen: "here",
  },
  { name: "one dead server", lines: right, dead: [NS1], seen: "here" },

  { name: "no record", lines: [], seen: "away" },
  { name: "another CNAME record", lines: elsewhere, seen: "away" },
  {
    name: "another CNAME record, and a resolver with the former one cached",
    lines: elsewhere,
    remembered: { "shelter.org": right },
    seen: "away",
  },
  { name: "a CNAME record to nowhere", lines: ["pets CNAME gone.shelter.org"], seen: "away" },
  { name: "an address elsewhere", lines: ["pets A 203.0.113.9"], seen: "away" },
  { name: "an apex with another address", ...apex, lines: ["@ A 203.0.113.9"], seen: "away" },
  { name: "no registration", lines: "none", seen: "away" },
  { name: "one dead server, and another record", lines: elsewhere, dead: [NS1], seen: "away" },

  {
    name: "an apex with one of our addresses and another one",
    ...apex,
    lines: ["@ A 198.51.100.7", "@ A 203.0.113.9"],
    seen: "partly",
  },
  {
    name: "an apex with our address and another IPv6 address",
    ...apex,
    lines: ["@ A 198.51.100.7", "@ AAAA 2001:db8::9"],
    edgeAddresses: ["198.51.100.7", "2001:db8::7"],
    seen: "partly",
  },
  { name: "a proxy network", lines: ["pets A 104.21.5.9"], seen: "proxied" },

  { name: "only dead servers", lines: right, dead: [NS1, NS2], seen: "unseen" },
  { name: "dead servers, and another record", lines: elsewhere, dead: [NS1, NS2], seen: "unseen" },
  ...(["servfail", "refused", "lame"] as const).map((fault) => ({
    name: `servers that answer ${fault}, and a resolver that has another record`,
    lines: elsewhere,
    ...failingAs(fault),
    seen: "unseen" as const,
  })),
  {
    // The registry refers to the servers that know better.
    name: "a resolver that says that nothing exists",
    lines: right,
    resolverFault: ({ name }) => (name.endsWith("shelter.org") ? "nxdomain" : undefined),
    seen: "here",
  },
  {
    name: "a resolver that fails",
    lines: elsewhere,
    resolverFault: () => "servfail",
    seen: "unseen",
  },
  {
    name: "a chain that cannot be followed",
    lines: ["pets CNAME www.other.org"],
    resolverFault: ({ name }) => (name.endsWith("other.org") ? "servfail" : undefined),
    seen: "unseen",
  },
  {
    name: "an apex with another address, while our own target does not answer",
    ...apex,
    lines: ["@ A 203.0.113.9"],
    fault: (server) => (server.includes("petstore") ? "servfail" : undefined),
    resolverFault: ({ name }) => (name.endsWith(TARGET) ? "servfail" : undefined),
    seen: "unseen",
  },
];

async function worldOf({ lines, zones, lagging, ...plan }: Partial<Case>): Promise<World> {
  const one = await world({
    ...plan,
    zones: {
      org: {},
      "petstore.example": OURS,
      ...(lines === "none"
        ? {}
        : {
            "shelter.org": {
              lines: lines ?? [],
              servers: [NS1, NS2],
              ...(lagging && { lagging }),
            },
          }),
      ...zones,
    },
  });
  open.push(one);
  return one;
}

describe("a look at a zone with", () => {
  for (const { name, seen, hostname = "pets.shelter.org", edgeAddresses = [], ...plan } of cases) {
    test(`${name} sees it ${seen}`, async () => {
      const { resolver, authorities, within } = await worldOf(plan);
      const given = { suffixes: () => publicSuffixes, allowPrivateNetworks: true, edgeAddresses };
      const result = await takeLook(
        { hostname, target: TARGET },
        { resolvers: [resolver], authorities, ...given },
        within(),
      );
      expect(result).toBe(seen);
    });
  }
});

describe("a look at an own host", () => {
  const hosts: readonly (readonly [
    what: string,
    lines: readonly string[],
    edge: readonly string[],
    seen: LookResult,
    more?: Partial<Case>,
  ])[] = [
    ["with an address", ["@ A 203.0.113.9"], [], "here"],
    ["with an address of the options", ["@ A 203.0.113.9"], ["203.0.113.9"], "here"],
    ["with another address than those of the options", ["@ A 203.0.113.9"], ["192.0.2.1"], "away"],
    ["without an address", [], [], "away"],
    ["whose servers are dead", [], [], "unseen", { dead: [NS1, NS2] }],
    ["whose servers fail", [], [], "unseen", failingAs("servfail")],
    ["that does not exist", [], [], "unseen", { lines: "none" }],
  ];
  for (const [what, lines, edgeAddresses, seen, more] of hosts) {
    test(`${what} sees it ${seen}`, async () => {
      const { resolver, authorities, clock } = await worldOf({ lines, ...more });
      const look = createLook({
        resolvers: [resolver],
        authorities,
        clock,
        edgeAddresses,
        suffixes: () => publicSuffixes,
        allowPrivateNetworks: true,
        cnameTarget: "cname.petstore.example",
        issuers: async () => [{ id: "ca", caa: { identities: ["ca.test"], methods: ["http-01"] } }],
        isOwn: () => true,
      });
      const { signal } = new AbortController();
      expect(await look({ name: "shelter.org", targetLabel: "" }, signal)).toBe(seen);
    });
  }
});
