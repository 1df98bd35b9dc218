import { afterEach, describe, expect, test } from "bun:test";
import { systemRandom } from "../../lib/base/id.ts";
import { publicSuffixes } from "../helpers/public-suffixes.ts";
import { takeSurvey } from "../../domains/dns/survey.ts";
import type { FindingCode } from "../../domains/model/finding-facts.ts";
import { parseHostname } from "../../domains/model/hostname.ts";
import {
  verify,
  type DomainFacts,
  type VerificationState,
} from "../../domains/model/verification.ts";
import { world, type World, type WorldPlan, type ZonePlan } from "../helpers/dns/world.ts";

const open: World[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

const TARGET = "abc.cname.petstore.example";
const TOKEN = "petstore-domain=4f1d";
const OURS: ZonePlan = { lines: ["abc.cname A 198.51.100.7", "abc.cname AAAA 2001:db8::7"] };
const [NS1, NS2] = ["ns1.a.test", "ns2.a.test"] as const;

interface Case extends Omit<WorldPlan, "zones"> {
  readonly name: string;
  /** Default `pets.shelter.org`. */
  readonly hostname?: string;
  /** The records in the zone of shelter.org; `none`: no delegation. */
  readonly lines: readonly string[] | "none";
  readonly lagging?: readonly string[];
  readonly zones?: WorldPlan["zones"];
  readonly servers?: readonly string[];
  readonly reasons?: DomainFacts["ownership"]["reasons"];
  readonly state: VerificationState;
  readonly codes: readonly FindingCode[];
}

const right = [`pets CNAME ${TARGET}`];
const apex = { hostname: "shelter.org" } as const;
const alias = ["@ A 198.51.100.7", "@ AAAA 2001:db8::7"];

const ours = (server: string): boolean => server !== NS1 && server !== NS2;
/** The resolver's answer for a zone without responding servers. */
const failing: WorldPlan["resolverFault"] = ({ name }) =>
  `.${name}`.endsWith(".shelter.org") ? "servfail" : undefined;

/** So many CNAME records in a row, the last of which points here. */
function chainOf(length: number): readonly string[] {
  return Array.from({ length }, (_, index) => {
    const target = index === length - 1 ? TARGET : `n${index + 1}.shelter.org`;
    return `${index === 0 ? "pets" : `n${index}`} CNAME ${target}`;
  });
}

const cases: readonly Case[] = [
  { name: "a CNAME to us", lines: right, state: "verified", codes: ["cname_found"] },
  { name: "nothing at the name", lines: [], state: "blocked", codes: ["no_record"] },
  {
    name: "an empty non-terminal",
    lines: ["www.pets A 203.0.113.9"],
    state: "blocked",
    codes: ["no_record"],
  },
  { name: "no such domain", lines: "none", state: "blocked", codes: ["not_delegated"] },
  {
    name: "a CNAME to another host",
    lines: ["pets CNAME www.shelter.org", "www A 203.0.113.9"],
    state: "blocked",
    codes: ["cname_mismatch"],
  },
  {
    name: "a CNAME to nowhere",
    lines: ["pets CNAME gone.shelter.org"],
    state: "blocked",
    codes: ["cname_mismatch", "dangling_target"],
  },
  {
    name: "the zone appended to the name",
    lines: [`pets.shelter.org CNAME ${TARGET}`],
    state: "blocked",
    codes: ["name_doubled"],
  },
  {
    name: "an A record of another host",
    lines: ["pets A 203.0.113.9"],
    state: "blocked",
    codes: ["conflicting_a"],
  },
  {
    name: "an AAAA record of another host",
    lines: ["pets AAAA 2001:db8:9::1"],
    state: "blocked",
    codes: ["conflicting_aaaa"],
  },
  {
    name: "a CNAME to itself",
    lines: ["pets CNAME pets.shelter.org"],
    state: "blocked",
    codes: ["cname_loop"],
  },
  {
    // For a loop, resolvers only report a failure; the fix is the same.
    name: "CNAME records in a loop",
    lines: ["pets CNAME www.shelter.org", "www CNAME pets.shelter.org"],
    state: "blocked",
    codes: ["cname_mismatch", "caa_error"],
  },
  {
    name: "a chain of ten CNAME records",
    lines: Array.from({ length: 10 }, (_, index) =>
      index === 0
        ? "pets CNAME n1.shelter.org"
        : `n${index} CNAME ${index === 9 ? "end" : `n${index + 1}`}.shelter.org`,
    ),
    state: "blocked",
    codes: ["cname_too_long"],
  },
  {
    // One more than resolvers here follow, the last of which leads here.
    name: "a chain of nine CNAME records that ends here",
    lines: chainOf(9),
    state: "blocked",
    codes: ["cname_too_long"],
  },
  {
    name: "a chain of eight CNAME records that ends here",
    lines: chainOf(8),
    state: "verified",
    codes: ["cname_chain", "cname_found"],
  },
  {
    name: "two CNAME records, the right one first",
    lines: [...right, "pets CNAME www.shelter.org", "www A 203.0.113.9"],
    state: "blocked",
    codes: ["cname_coexists", "cname_found"],
  },
  {
    name: "two CNAME records, the right one last",
    lines: ["pets CNAME www.shelter.org", ...right, "www A 203.0.113.9"],
    state: "blocked",
    codes: ["cname_coexists", "cname_found"],
  },
  {
    name: "two CNAME records, neither of which is right",
    lines: ["pets CNAME www.shelter.org", "pets CNAME b.shelter.org", "www A 203.0.113.9"],
    state: "blocked",
    codes: ["cname_mismatch"],
  },
  {
    name: "the same CNAME record twice",
    lines: [...right, ...right],
    state: "verified",
    codes: ["cname_found"],
  },
  {
    name: "a CNAME through another one",
    lines: ["pets CNAME web.shelter.org", `web CNAME ${TARGET}`],
    state: "verified",
    codes: ["cname_chain", "cname_found"],
  },
  {
    // Not allowed, but some providers permit it.
    name: "an A record beside the CNAME",
    lines: [...right, "pets A 203.0.113.9"],
    state: "blocked",
    codes: ["cname_coexists", "cname_found"],
  },
  {
    name: "our target without an address",
    lines: right,
    zones: { "petstore.example": { lines: ["other.cname A 198.51.100.7"] } },
    state: "blocked",
    codes: ["dangling_target", "cname_found"],
  },
  {
    name: "a resolver with a cached answer",
    lines: right,
    remembered: { "shelter.org": ["pets 600 A 203.0.113.9"] },
    state: "verified",
    codes: ["propagating", "cname_found"],
  },
  {
    name: "a name server that lags behind",
    lines: right,
    lagging: [],
    state: "propagating",
    codes: ["ns_disagree", "cname_found"],
  },
  {
    name: "a name server that refuses",
    lines: right,
    fault: (server) => (server === NS2 ? "refused" : undefined),
    state: "verified",
    codes: ["lame_server", "cname_found"],
  },
  {
    name: "a name server without the zone",
    lines: right,
    fault: (server) => (server === NS2 ? "lame" : undefined),
    state: "verified",
    codes: ["lame_server", "cname_found"],
  },
  {
    name: "a name server that has no address",
    lines: right,
    lost: [NS2],
    state: "verified",
    codes: ["lame_server", "cname_found"],
  },
  {
    name: "two name servers without the zone",
    lines: right,
    fault: (server) => (ours(server) ? undefined : "lame"),
    resolverFault: failing,
    state: "blocked",
    codes: ["delegation_broken"],
  },
  {
    name: "name servers of which one refuses and one has no address",
    lines: right,
    lost: [NS2],
    fault: (server) => (server === NS1 ? "refused" : undefined),
    resolverFault: failing,
    state: "blocked",
    codes: ["delegation_broken"],
  },
  {
    name: "name servers that have no address",
    lines: right,
    lost: [NS1, NS2],
    resolverFault: failing,
    state: "blocked",
    codes: ["delegation_broken"],
  },
  {
    // What could not be queried is not reported as missing.
    name: "name servers whose addresses cannot be looked up",
    lines: right,
    resolverFault: (query) =>
      query.name === NS1 || query.name === NS2 || failing?.(query) !== undefined
        ? "refused"
        : undefined,
    state: "unknown",
    codes: ["dns_unreachable", "caa_error"],
  },
  {
    name: "silent name servers",
    lines: right,
    dead: [NS1, NS2],
    resolverFault: failing,
    state: "blocked",
    codes: ["delegation_broken"],
  },
  {
    name: "silent name servers, and a resolver that does not say that it failed",
    lines: right,
    dead: [NS1, NS2],
    resolverFault: (query) => failing?.(query) && "refused",
    state: "blocked",
    codes: ["delegation_broken"],
  },
  {
    // A firewall may allow only resolvers.
    name: "name servers that only resolvers reach",
    lines: right,
    fault: (server) => (ours(server) ? undefined : "refused"),
    state: "verified",
    codes: ["dns_unreachable", "cname_found"],
  },
  {
    name: "our resolver refusing everything",
    lines: right,
    resolverFault: () => "refused",
    state: "unknown",
    codes: ["resolver_unreachable"],
  },
  {
    name: "our resolver failing for everything",
    lines: right,
    resolverFault: () => "servfail",
    state: "unknown",
    codes: ["resolver_unreachable"],
  },
  {
    name: "resolvers failing for the name",
    lines: right,
    resolverFault: ({ name }) => (name === "pets.shelter.org" ? "servfail" : undefined),
    state: "unknown",
    codes: ["servfail", "caa_error", "cname_found"],
  },
  {
    name: "invalid signatures",
    lines: right,
    zones: { org: { lines: ["shelter DS 0a0b"] } },
    resolverFault: ({ name }) => (name === "pets.shelter.org" ? "bogus" : undefined),
    state: "blocked",
    codes: ["dnssec_bogus", "caa_error", "cname_found"],
  },
  {
    name: "a wildcard that points here",
    lines: [`* CNAME ${TARGET}`],
    state: "verified",
    codes: ["wildcard_match", "cname_found"],
  },
  {
    name: "a wildcard that points elsewhere",
    lines: ["* A 203.0.113.9"],
    state: "blocked",
    codes: ["no_record", "wildcard_match"],
  },
  { name: "an apex with ALIAS", ...apex, lines: alias, state: "verified", codes: ["flattened"] },
  {
    name: "an apex without a proof of ownership",
    ...apex,
    lines: alias,
    reasons: ["led_here_when_added"],
    state: "blocked",
    codes: ["ownership_missing", "flattened"],
  },
  {
    name: "an apex with a proof of ownership",
    ...apex,
    lines: [...alias, `_petstore TXT ${TOKEN}`],
    reasons: ["contested"],
    state: "verified",
    codes: ["flattened", "ownership_found"],
  },
  {
    name: "an apex with another TXT record",
    ...apex,
    lines: [...alias, "_petstore TXT petstore-domain=0000"],
    reasons: ["attached_before"],
    state: "blocked",
    codes: ["ownership_mismatch", "flattened"],
  },
  {
    name: "an apex with an extra address",
    ...apex,
    lines: [...alias, "@ A 203.0.113.9"],
    state: "blocked",
    codes: ["extra_address"],
  },
  {
    name: "an apex whose IPv6 address points elsewhere",
    ...apex,
    lines: ["@ A 198.51.100.7", "@ AAAA 2001:db8:9::1"],
    state: "blocked",
    codes: ["aaaa_elsewhere"],
  },
  {
    name: "an apex with mail but without a record",
    ...apex,
    lines: ["@ MX 10 mail.shelter.org"],
    state: "blocked",
    codes: ["no_record", "apex_cname_breaks_mail"],
  },
  {
    name: "an apex at a provider without ALIAS",
    ...apex,
    lines: [],
    servers: ["ns1.digitalocean.com", "ns2.digitalocean.com"],
    state: "blocked",
    codes: ["apex_needs_alias"],
  },
  {
    name: "a proxy",
    lines: ["pets A 104.21.5.9"],
    state: "blocked",
    codes: ["proxied", "ownership_missing"],
  },
  {
    name: "CAA records for another CA",
    lines: [...right, "@ CAA 0 issue digicert.com"],
    state: "blocked",
    codes: ["caa_forbids", "cname_found"],
  },
  {
    name: "changed CAA records, and a resolver with the old ones cached",
    lines: [...right, "@ CAA 0 issue letsencrypt.org"],
    remembered: { "shelter.org": [...right, "@ 3600 CAA 0 issue digicert.com"] },
    state: "verified",
    codes: ["propagating", "cname_found"],
  },
  {
    name: "new CAA records, and a resolver with their absence cached",
    lines: [...right, "@ CAA 0 issue digicert.com"],
    remembered: { "shelter.org": right },
    state: "blocked",
    codes: ["caa_forbids", "cname_found"],
  },
  {
    name: "changed CAA records, and a name server that lags behind",
    lines: [...right, "@ CAA 0 issue letsencrypt.org"],
    lagging: [...right, "@ CAA 0 issue digicert.com"],
    state: "propagating",
    codes: ["ns_disagree", "cname_found"],
  },
  {
    name: "CAA queries that are not answered",
    lines: right,
    resolverFault: ({ name, type }) =>
      type === "CAA" && name === "shelter.org" ? "servfail" : undefined,
    state: "unknown",
    codes: ["caa_error", "cname_found"],
  },
];

describe("a zone with", () => {
  for (const { name, state, codes, ...plan } of cases) {
    test(`${name} is diagnosed`, async () => {
      const verification = await verified(plan);
      expect(verification.findings.map(({ code }) => code)).toEqual([...codes]);
      expect(verification.state).toBe(state);
    });
  }
});

describe("CAA records that forbid the certificate", () => {
  const forbidding = "0 issue digicert.com";
  const allowing = "0 issue letsencrypt.org";
  const shelter = (
    lines: readonly string[],
    more: WorldPlan["zones"] = {},
  ): ((advised: readonly Advised[]) => Partial<Case>) => {
    return (advised) => ({
      lines: [...lines, ...linesFor("shelter.org", advised)],
      zones: Object.fromEntries(
        Object.entries(more).map(([apex, plan]) => [
          apex,
          { ...plan, lines: [...(plan.lines ?? []), ...linesFor(apex, advised)] },
        ]),
      ),
    });
  };
  const places: readonly {
    readonly where: string;
    readonly hostname?: string;
    readonly plan: ReturnType<typeof shelter>;
    readonly at: string;
    readonly fqdn: string;
    readonly remedy?: "precede" | "ask";
  }[] = [
    {
      where: "in the zone",
      plan: shelter([...right, `@ CAA ${forbidding}`]),
      at: "shelter.org",
      fqdn: "shelter.org",
    },
    {
      where: "at the top-level domain",
      plan: shelter(right, { org: { lines: [`@ CAA ${forbidding}`] } }),
      at: "org",
      fqdn: "shelter.org",
      remedy: "precede",
    },
    {
      where: "at the top-level domain, for an apex",
      hostname: "shelter.org",
      plan: shelter(alias, { org: { lines: [`@ CAA ${forbidding}`] } }),
      at: "org",
      fqdn: "shelter.org",
      remedy: "precede",
    },
    {
      where: "at a foreign parent of the zone",
      hostname: "www.pets.shelter.org",
      plan: shelter([`@ CAA ${forbidding}`], {
        "pets.shelter.org": { lines: [`www CNAME ${TARGET}`] },
      }),
      at: "shelter.org",
      fqdn: "pets.shelter.org",
      remedy: "precede",
    },
    {
      where: "at the end of a parent's alias, in the same zone",
      hostname: "www.pets.shelter.org",
      plan: shelter([`pets CNAME web.shelter.org`, `web CAA ${forbidding}`, `www.${right[0]}`]),
      at: "web.shelter.org",
      fqdn: "web.shelter.org",
    },
    {
      where: "at the end of a higher parent's alias",
      hostname: "a.www.pets.shelter.org",
      plan: shelter([`pets CNAME pages.example`, `a.www.${right[0]}`], {
        "pages.example": { lines: [`@ CAA ${forbidding}`] },
      }),
      at: "pages.example",
      fqdn: "www.pets.shelter.org",
      remedy: "precede",
    },
    {
      where: "at the end of the parent's alias",
      hostname: "www.pets.shelter.org",
      plan: shelter([`pets CNAME pages.example`, `www.${right[0]}`], {
        "pages.example": { lines: [`@ CAA ${forbidding}`] },
      }),
      at: "pages.example",
      fqdn: "pages.example",
      remedy: "ask",
    },
  ];
  for (const { where, hostname = "pets.shelter.org", plan, at, fqdn, remedy } of places) {
    test(`${where}: the record that is shown can be entered and allows it`, async () => {
      const before = await verified({ hostname, lines: [], ...plan([]) });
      const [finding] = before.findings;
      if (finding?.code !== "caa_forbids" || "message" in finding.facts) throw new Error("no set");
      expect(finding.facts).toMatchObject({ at, wanted: { fqdn } });
      expect(finding.facts.remedy).toBe(remedy);
      const advised = [{ fqdn, line: `CAA ${allowing}` }];
      expect((await verified({ hostname, lines: [], ...plan(advised) })).state).toBe("verified");
    });
  }
});

interface Advised {
  readonly fqdn: string;
  readonly line: string;
}

/** Returns the lines for the records that belong to a zone. */
function linesFor(apex: string, advised: readonly Advised[]): readonly string[] {
  return advised
    .filter(({ fqdn }) => fqdn === apex || (fqdn.endsWith(`.${apex}`) && apex !== "org"))
    .map(({ fqdn, line }) => `${fqdn === apex ? "@" : fqdn.slice(0, -apex.length - 1)} ${line}`);
}

async function verified({
  hostname: typed = "pets.shelter.org",
  lines,
  lagging,
  servers = [NS1, NS2],
  zones = {},
  reasons = [],
  ...plan
}: Omit<Case, "name" | "state" | "codes">) {
  const shelter: WorldPlan["zones"] =
    lines === "none"
      ? {}
      : { "shelter.org": { servers, lines, ...(lagging && { lagging: { [NS2]: lagging } }) } };
  const one = await world({
    ...plan,
    zones: { org: {}, "petstore.example": OURS, ...shelter, ...zones },
  });
  open.push(one);
  const parsed = parseHostname(typed, {
    suffixes: publicSuffixes,
    ownDomains: [],
    allowPrivate: true,
  });
  if (!parsed.ok) throw new Error(parsed.failure.message);
  const { hostname, registrable } = parsed.value;
  const survey = await takeSurvey(
    { hostname, target: TARGET, ownershipName: `_petstore.${hostname}` },
    {
      resolvers: [one.resolver],
      authorities: one.authorities,
      clock: one.clock,
      random: systemRandom,
    },
  );
  return verify(survey, {
    registrable,
    edgeAddresses: [],
    ownership: { value: TOKEN, reasons },
    issuers: [
      { id: "letsencrypt", caa: { identities: ["letsencrypt.org"], methods: ["http-01"] } },
    ],
  });
}
