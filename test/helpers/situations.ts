import { unknown, type CaaRecord } from "../../domains/model/answer.ts";
import type { CaaLookup } from "../../domains/model/caa-lookup.ts";
import type { FindingCode } from "../../domains/model/finding-facts.ts";
import type { Survey } from "../../domains/model/survey.ts";
import type { VerificationState } from "../../domains/model/verification.ts";
import { absent, caaSet, found, OURS, RIGHT, TARGET, TOKEN, type Situation } from "./survey.ts";

/** A state of the DNS and the expected findings. */
export interface Told extends Situation {
  readonly name: string;
  readonly state: VerificationState;
  /** In display order. */
  readonly codes: readonly FindingCode[];
}

const APEX = { hostname: "shelter.org" } as const;
const ALIAS = { a: OURS.a, aaaa: OURS.aaaa } as const;
const CLOUDFLARE = { nameServers: ["ada.ns.cloudflare.com", "bob.ns.cloudflare.com"] } as const;
const NAMECHEAP = {
  nameServers: ["dns1.registrar-servers.com", "dns2.registrar-servers.com"],
} as const;
const ROUTE53 = {
  nameServers: ["ns-1.awsdns-01.org", "ns-2.awsdns-02.co.uk"],
} as const;
const EDGE = { edgeAddresses: ["198.51.100.7", "2001:db8::7"] } as const;
const doubtful = (
  ...reasons: readonly ("contested" | "attached_before" | "led_here_when_added")[]
) => ({
  ownership: { value: TOKEN, reasons },
});
const caa = (...records: readonly (readonly [string, string])[]): Pick<Situation, "change"> => {
  const [first, ...rest] = caaSet(...records);
  if (first === undefined) throw new Error("A set has records");
  return {
    change: (survey) => ({
      ...survey,
      caa: { kind: "found", at: "shelter.org", owner: "shelter.org", records: [first, ...rest] },
    }),
  };
};
/** Changes the zone, if it was found. */
const zoneWith =
  (changes: Partial<Extract<Survey["zone"], { kind: "found" }>["zone"]>) =>
  (survey: Survey): Survey =>
    survey.zone.kind === "found"
      ? { ...survey, zone: { kind: "found", zone: { ...survey.zone.zone, ...changes } } }
      : survey;
/** What a lookup finds: CAA records that allow one authority. */
export const caaFound = (
  value: string,
  at = "shelter.org",
  owner: string = at,
): Extract<CaaLookup, { kind: "found" }> => ({
  kind: "found",
  at,
  owner,
  records: [{ flags: 0, tag: "issue", value }],
});
/** CAA records that allow no known authority, at a name or at the end of its alias. */
const caaAt = (
  at: string,
  owner = at,
  record: CaaRecord = { flags: 0, tag: "issue", value: "digicert.com" },
): Pick<Situation, "change"> => ({
  change: (survey) => ({ ...survey, caa: { kind: "found", at, owner, records: [record] } }),
});

export const situations: readonly Told[] = [
  { name: "a CNAME to the target", state: "verified", codes: ["cname_found"] },
  {
    name: "a CNAME by way of another name",
    all: { cname: ["web.shelter.org"], onwards: [TARGET] },
    state: "verified",
    codes: ["cname_chain", "cname_found"],
  },
  { name: "no record", all: {}, state: "blocked", codes: ["no_record"] },
  {
    name: "no record, at Namecheap",
    ...NAMECHEAP,
    all: {},
    state: "blocked",
    codes: ["no_record"],
  },
  {
    name: "no record, at a provider where targets end in a dot",
    nameServers: ["hydrogen.ns.hetzner.com", "helium.ns.hetzner.de"],
    all: {},
    state: "blocked",
    codes: ["no_record"],
  },
  {
    name: "a domain nobody has registered",
    zone: "absent",
    all: {},
    state: "blocked",
    codes: ["not_delegated"],
  },
  {
    name: "a zone that is hidden, and a record that resolvers see",
    zone: "absent",
    state: "verified",
    codes: ["cname_found"],
  },
  {
    name: "a CNAME to another host",
    all: { cname: ["shelter.pages.example"], onwards: ["edge.pages.example"] },
    state: "blocked",
    codes: ["cname_mismatch", "dangling_target"],
  },
  {
    name: "a CNAME with a letter missing",
    all: { cname: ["k3v7.cname.petstore.app"] },
    state: "blocked",
    codes: ["cname_mismatch"],
  },
  {
    name: "a CNAME whose value got the zone appended",
    ...NAMECHEAP,
    all: { cname: [`${TARGET}.shelter.org`] },
    state: "blocked",
    codes: ["cname_mismatch"],
  },
  {
    name: "a record under the doubled name",
    ...NAMECHEAP,
    all: {},
    change: (survey) => ({
      ...survey,
      doubled: { name: "pets.shelter.org.shelter.org", cname: found([TARGET]) },
    }),
    state: "blocked",
    codes: ["name_doubled"],
  },
  {
    name: "an A record in the way",
    all: { a: ["203.0.113.9"] },
    state: "blocked",
    codes: ["conflicting_a"],
  },
  {
    name: "A and AAAA records in the way",
    ...NAMECHEAP,
    all: { a: ["203.0.113.9", "203.0.113.10"], aaaa: ["2001:db8:9::1"] },
    state: "blocked",
    codes: ["conflicting_a", "conflicting_aaaa"],
  },
  {
    name: "only an AAAA record in the way",
    all: { aaaa: ["2001:db8:9::1"] },
    state: "blocked",
    codes: ["conflicting_aaaa"],
  },
  {
    name: "an A record in the way, AAAA not to be learned",
    all: { a: ["203.0.113.9"], aaaa: "timeout" },
    state: "blocked",
    codes: ["conflicting_a", "dns_unreachable"],
  },
  {
    name: "an A record of a stranger beside the CNAME",
    all: { ...RIGHT, a: ["203.0.113.9"] },
    state: "blocked",
    codes: ["cname_coexists", "cname_found"],
  },
  {
    name: "mail records beside the CNAME",
    all: { ...RIGHT, mx: ["mx.shelter.org"] },
    state: "verified",
    codes: ["cname_coexists", "cname_found"],
  },
  {
    name: "a second CNAME record beside the right one",
    all: { cname: [TARGET, "shelter.pages.example"] },
    state: "blocked",
    codes: ["cname_coexists", "cname_found"],
  },
  {
    name: "the right CNAME record beside others and an A record",
    all: { cname: ["b.pages.example", "a.pages.example", TARGET], a: ["203.0.113.9"] },
    state: "blocked",
    codes: ["cname_coexists", "cname_found"],
  },
  {
    name: "two CNAME records to other hosts",
    all: { cname: ["b.pages.example", "a.pages.example"], a: ["203.0.113.9"] },
    state: "blocked",
    codes: ["cname_mismatch"],
  },
  {
    name: "CNAME records in a circle",
    all: { cname: ["www.shelter.org"], onwards: ["pets.shelter.org"] },
    resolvers: {
      home: { a: "cname_loop", aaaa: "cname_loop" },
      public: { a: "cname_loop", aaaa: "cname_loop" },
    },
    state: "blocked",
    codes: ["cname_loop"],
  },
  {
    name: "a CNAME to itself",
    all: { cname: ["pets.shelter.org"] },
    state: "blocked",
    codes: ["cname_loop"],
  },
  {
    name: "too many CNAME records in a row",
    all: { cname: ["a.shelter.org"], onwards: ["b.shelter.org", "c.shelter.org"] },
    resolvers: { home: { a: "cname_too_long", aaaa: "cname_too_long" } },
    state: "blocked",
    codes: ["cname_too_long"],
  },
  {
    name: "our target has no address",
    change: (survey) => ({
      ...survey,
      targetA: absent,
      targetAaaa: absent,
      resolvers: [{ ...survey.resolvers[0], targetA: absent, targetAaaa: absent }],
    }),
    state: "blocked",
    codes: ["dangling_target", "cname_found"],
  },
  {
    name: "our target could not be asked about",
    change: (survey) => ({
      ...survey,
      targetA: unknown("timeout"),
      targetAaaa: unknown("timeout"),
      resolvers: [
        {
          ...survey.resolvers[0],
          targetA: unknown("timeout"),
          targetAaaa: unknown("timeout"),
        },
      ],
    }),
    all: { a: ["203.0.113.9"] },
    state: "unknown",
    codes: ["dns_unreachable"],
  },
  {
    name: "a resolver that remembers the old address",
    resolvers: { public: { cname: [], a: ["203.0.113.9"], ttl: 600 } },
    state: "verified",
    codes: ["propagating", "cname_found"],
  },
  {
    name: "a resolver that remembers the old addresses beside the new CNAME",
    resolvers: { public: { ...RIGHT, a: ["203.0.113.9"], aaaa: ["2001:db8:9::1"], ttl: 600 } },
    state: "verified",
    codes: ["propagating", "cname_found"],
  },
  {
    name: "a resolver that remembers the old AAAA record beside the new CNAME",
    resolvers: { home: { ...RIGHT, aaaa: ["2001:db8:9::1"], ttl: 60 } },
    state: "verified",
    codes: ["propagating", "cname_found"],
  },
  {
    name: "a resolver that remembers beside the new CNAME that there was no A record",
    change: (survey) => {
      const [first, ...others] = survey.resolvers;
      return { ...survey, resolvers: [{ ...first, a: absent }, ...others] };
    },
    state: "verified",
    codes: ["propagating", "cname_found"],
  },
  {
    name: "a resolver that remembers our addresses as the name's own beside the new CNAME",
    resolvers: { public: { ...RIGHT, a: OURS.a, aaaa: OURS.aaaa } },
    state: "verified",
    codes: ["cname_found"],
  },
  {
    name: "resolvers that alone are asked, one with the old address beside the new CNAME",
    servers: { ns1: { silent: "unreachable" }, ns2: { silent: "unreachable" } },
    resolvers: { public: { ...RIGHT, a: ["203.0.113.9"], ttl: 600 } },
    state: "propagating",
    codes: ["dns_unreachable", "propagating", "cname_found"],
  },
  {
    name: "a resolver that remembers that there was nothing",
    resolvers: { public: { cname: [] } },
    state: "verified",
    codes: ["propagating", "cname_found"],
  },
  {
    name: "a name server that lags behind",
    servers: { ns1: { serial: 2 }, ns2: { cname: [], serial: 1 } },
    state: "propagating",
    codes: ["ns_disagree", "cname_found"],
  },
  {
    name: "name servers that differ and have the same serial",
    servers: { ns2: { cname: ["shelter.pages.example"] } },
    state: "propagating",
    codes: ["ns_disagree", "cname_found"],
  },
  {
    name: "the newer name server leads away",
    servers: { ns1: { serial: 1 }, ns2: { cname: ["shelter.pages.example"], serial: 2 } },
    state: "blocked",
    codes: ["cname_mismatch", "ns_disagree"],
  },
  {
    name: "serials that began again after 2^32",
    servers: { ns1: { serial: 1 }, ns2: { cname: [], serial: 4_294_967_290 } },
    state: "propagating",
    codes: ["ns_disagree", "cname_found"],
  },
  {
    name: "one name server silent, the other right",
    servers: { ns2: { silent: "timeout" } },
    state: "verified",
    codes: ["dns_unreachable", "cname_found"],
  },
  {
    name: "no name server to be asked, resolvers right",
    servers: { ns1: { silent: "unreachable" }, ns2: { silent: "unreachable" } },
    state: "verified",
    codes: ["dns_unreachable", "cname_found"],
  },
  {
    name: "no name server to be asked, resolvers differ",
    servers: { ns1: { silent: "refused" }, ns2: { silent: "lame" } },
    resolvers: { public: { cname: [], ttl: 60 } },
    state: "propagating",
    codes: ["dns_unreachable", "dns_unreachable", "propagating", "cname_found"],
  },
  {
    // Whether a resolver gives up before our deadline is chance.
    name: "name servers that are all dead, and resolvers that give up",
    all: { silent: "servfail" },
    servers: { ns1: { silent: "timeout" }, ns2: { silent: "unreachable" } },
    state: "blocked",
    codes: ["delegation_broken"],
  },
  {
    name: "name servers that are all dead, and resolvers that still try",
    all: { silent: "timeout" },
    servers: { ns2: { silent: "unreachable" } },
    state: "blocked",
    codes: ["delegation_broken"],
  },
  {
    name: "nobody to be asked",
    all: { silent: "timeout" },
    state: "unknown",
    codes: ["dns_unreachable", "caa_error"],
    change: (survey) => ({
      ...survey,
      authoritative: survey.authoritative.map((view) => ({
        ...view,
        server: { ...view.server, listedBy: ["child"] },
      })),
      caa: { kind: "unknown", at: "pets.shelter.org", reason: "timeout", bogus: false },
    }),
  },
  {
    name: "a name server that does not have the zone, and another that serves it",
    servers: { ns2: { silent: "lame" } },
    state: "verified",
    codes: ["lame_server", "cname_found"],
  },
  {
    name: "a name server that refuses, in a zone of its own below a registered domain",
    hostname: "www.pets.shelter.org",
    zone: "pets.shelter.org",
    servers: { ns1: { silent: "refused" } },
    state: "verified",
    codes: ["lame_server", "cname_found"],
  },
  {
    name: "name servers right, and resolvers that stay silent",
    resolvers: { home: { silent: "timeout" }, public: { silent: "unreachable" } },
    state: "verified",
    codes: ["dns_unreachable", "dns_unreachable", "cname_found"],
  },
  {
    name: "the zone not to be found",
    zone: "unknown",
    all: { silent: "timeout" },
    state: "unknown",
    codes: ["dns_unreachable"],
  },
  {
    name: "every server reports a failure",
    all: { silent: "servfail" },
    state: "unknown",
    codes: ["servfail"],
  },
  {
    name: "name servers that do not have the zone",
    all: { silent: "servfail" },
    servers: { ns1: { silent: "refused" }, ns2: { silent: "lame" } },
    change: (survey) => ({
      ...survey,
      caa: { kind: "unknown", at: "pets.shelter.org", reason: "servfail", bogus: false },
    }),
    state: "blocked",
    codes: ["delegation_broken"],
  },
  {
    name: "one listed name server, and it has no address",
    all: { silent: "timeout" },
    change: (survey) => ({
      ...zoneWith({
        servers: [],
        unasked: [{ name: "ns1.old-host.test", reason: "unresolved" }],
      })(survey),
      authoritative: [],
    }),
    state: "blocked",
    codes: ["delegation_broken"],
  },
  {
    name: "dead name servers of a zone of its own below a registered domain",
    hostname: "www.pets.shelter.org",
    zone: "pets.shelter.org",
    all: { silent: "servfail" },
    servers: { ns1: { silent: "timeout" }, ns2: { silent: "unreachable" } },
    state: "blocked",
    codes: ["delegation_broken"],
  },
  {
    name: "name servers that do not have the zone, and signatures that resolvers find wrong",
    all: { silent: "servfail", bogus: true },
    servers: {
      ns1: { silent: "refused", bogus: false },
      ns2: { silent: "refused", bogus: false },
    },
    state: "blocked",
    codes: ["dnssec_bogus", "dns_unreachable"],
  },
  {
    name: "resolvers that answer nothing at all",
    zone: "unknown",
    all: { silent: "timeout" },
    change: (survey) => {
      const [home, other = home] = survey.resolvers;
      const silent = { targetA: unknown("timeout"), targetAaaa: unknown("timeout") };
      return {
        ...survey,
        ...silent,
        resolvers: [
          { ...home, ...silent },
          { ...other, ...silent },
        ],
        caa: { kind: "unknown", at: "pets.shelter.org", reason: "timeout", bogus: false },
      };
    },
    state: "unknown",
    codes: ["resolver_unreachable"],
  },
  {
    name: "name servers right, resolvers fail",
    resolvers: { home: { silent: "servfail" }, public: { silent: "servfail" } },
    state: "unknown",
    codes: ["servfail", "cname_found"],
  },
  {
    name: "a name server whose name has no address",
    change: zoneWith({ unasked: [{ name: "ns3.dns.test", reason: "unresolved" }] }),
    state: "verified",
    codes: ["lame_server", "cname_found"],
  },
  {
    name: "a name server whose name could not be looked up",
    change: zoneWith({ unasked: [{ name: "ns3.dns.test", reason: "unlearned" }] }),
    state: "verified",
    codes: ["dns_unreachable", "cname_found"],
  },
  {
    name: "signatures that do not fit",
    resolvers: {
      home: { silent: "servfail", bogus: true },
      public: { silent: "servfail", bogus: true },
    },
    state: "blocked",
    codes: ["dnssec_bogus", "cname_found"],
  },
  {
    name: "signatures that one resolver alone finds wrong",
    resolvers: { home: { silent: "servfail", bogus: true } },
    state: "verified",
    codes: ["dnssec_bogus", "cname_found"],
  },
  {
    name: "signatures that the only validating resolver finds wrong",
    resolvers: { home: { silent: "servfail", bogus: true } },
    change: (survey) => withValidation(survey, true, false),
    state: "blocked",
    codes: ["dnssec_bogus", "cname_found"],
  },
  {
    name: "a signed zone and resolvers that do not validate",
    change: (survey) => withValidation(signed(survey), false, false),
    state: "verified",
    codes: ["dnssec_unchecked", "cname_found"],
  },
  {
    name: "a signed zone and one resolver of two that validates",
    change: (survey) => withValidation(signed(survey), false, true),
    state: "verified",
    codes: ["cname_found"],
  },
  {
    name: "a signed zone, a resolver that does not validate, and one that is silent",
    change: (survey) => withValidation(signed(survey), undefined, false),
    state: "verified",
    codes: ["dnssec_unchecked", "cname_found"],
  },
  {
    name: "an unsigned zone and resolvers that do not validate",
    change: (survey) => withValidation(survey, false, false),
    state: "verified",
    codes: ["cname_found"],
  },
  {
    name: "a resolver that takes a CNAME made of a DNAME for forged, but not the addresses behind it",
    state: "verified",
    codes: ["cname_found"],
    change: (survey) => {
      const [first, ...others] = survey.resolvers;
      const cname = unknown("servfail", { bogus: true });
      return { ...survey, resolvers: [{ ...first, cname }, ...others] };
    },
  },
  {
    name: "a wildcard leads here",
    change: (survey) => ({
      ...survey,
      wildcard: {
        ...survey.wildcard,
        a: {
          ...found(OURS.a),
          aliases: [{ name: survey.wildcard.name, target: TARGET, ttlSeconds: 60 }],
        },
      },
    }),
    state: "verified",
    codes: ["wildcard_match", "cname_found"],
  },
  {
    name: "a wildcard leads elsewhere",
    ...NAMECHEAP,
    all: { a: ["203.0.113.9"] },
    change: (survey) => ({
      ...survey,
      wildcard: { ...survey.wildcard, a: found(["203.0.113.9"]) },
    }),
    state: "blocked",
    codes: ["no_record", "wildcard_match"],
  },
  {
    name: "a subdomain whose CNAME is flattened",
    all: ALIAS,
    state: "verified",
    codes: ["flattened"],
  },
  { name: "an apex with ALIAS", ...APEX, all: ALIAS, state: "verified", codes: ["flattened"] },
  {
    name: "an apex with IPv4 alone",
    ...APEX,
    all: { a: OURS.a },
    state: "verified",
    codes: ["flattened"],
  },
  {
    name: "an apex with the addresses of the edge, written otherwise",
    ...APEX,
    all: { a: ["198.51.100.8"], aaaa: ["2001:db8::8"] },
    facts: { edgeAddresses: ["198.51.100.8", "2001:DB8:0::8"] },
    state: "verified",
    codes: ["flattened"],
  },
  {
    name: "an apex that led here when it was added, unproven",
    ...APEX,
    all: ALIAS,
    facts: doubtful("led_here_when_added"),
    state: "blocked",
    codes: ["ownership_missing", "flattened"],
  },
  {
    name: "an apex that led here when it was added, proven",
    ...APEX,
    all: { ...ALIAS, txt: ["v=spf1 -all", TOKEN] },
    facts: doubtful("led_here_when_added"),
    state: "verified",
    codes: ["flattened", "ownership_found"],
  },
  {
    name: "an apex with another one's proof",
    ...APEX,
    ...NAMECHEAP,
    all: { ...ALIAS, txt: ["petstore-domain=0000"] },
    facts: doubtful("contested"),
    state: "blocked",
    codes: ["ownership_mismatch", "flattened"],
  },
  {
    name: "an apex whose proof is not on every server",
    ...APEX,
    all: { ...ALIAS, txt: [TOKEN] },
    servers: { ns2: { txt: [] } },
    facts: doubtful("attached_before"),
    state: "propagating",
    codes: ["ns_disagree", "flattened"],
  },
  {
    name: "an apex whose proof could not be asked for",
    ...APEX,
    all: { ...ALIAS, txt: "timeout" },
    facts: doubtful("contested"),
    state: "unknown",
    codes: ["dns_unreachable", "flattened"],
  },
  {
    name: "a contested name with its own target as CNAME",
    facts: doubtful("contested", "attached_before"),
    state: "verified",
    codes: ["cname_found"],
  },
  { name: "an apex with nothing", ...APEX, all: {}, state: "blocked", codes: ["no_record"] },
  {
    name: "an apex with nothing but mail",
    ...APEX,
    all: { mx: ["mx.shelter.org"] },
    change: (survey) => ({ ...survey, apexHasMail: true }),
    state: "blocked",
    codes: ["no_record", "apex_cname_breaks_mail"],
  },
  {
    name: "an apex with nothing, at Cloudflare",
    ...APEX,
    ...CLOUDFLARE,
    all: {},
    facts: EDGE,
    state: "blocked",
    codes: ["no_record"],
  },
  {
    name: "an apex with nothing, at a provider without ALIAS",
    ...APEX,
    ...ROUTE53,
    all: {},
    state: "blocked",
    codes: ["apex_needs_alias"],
  },
  {
    name: "an apex with nothing, without ALIAS but with our addresses",
    ...APEX,
    ...ROUTE53,
    all: {},
    facts: EDGE,
    state: "blocked",
    codes: ["no_record"],
  },
  {
    name: "an apex with a CNAME",
    ...APEX,
    all: RIGHT,
    change: (survey) => ({ ...survey, apexHasMail: true }),
    state: "verified",
    codes: ["apex_needs_alias", "apex_cname_breaks_mail", "cname_found"],
  },
  {
    name: "an apex with another host's address",
    ...APEX,
    ...CLOUDFLARE,
    all: { a: ["203.0.113.9"] },
    state: "blocked",
    codes: ["conflicting_a"],
  },
  {
    name: "an apex and a wildcard with another host's address",
    ...APEX,
    all: { a: ["203.0.113.9"] },
    change: (survey) => ({
      ...survey,
      wildcard: { ...survey.wildcard, a: found(["203.0.113.9"]) },
    }),
    state: "blocked",
    codes: ["conflicting_a"],
  },
  {
    name: "an address of Cloudflare beside one of another host",
    all: { a: ["104.21.5.9", "203.0.113.9"] },
    state: "blocked",
    codes: ["conflicting_a"],
  },
  {
    name: "an apex with one address too many",
    ...APEX,
    all: { a: [...OURS.a, "203.0.113.9"], aaaa: OURS.aaaa },
    state: "blocked",
    codes: ["extra_address"],
  },
  {
    name: "an apex whose IPv6 leads elsewhere",
    ...APEX,
    all: { a: OURS.a, aaaa: ["2001:db8:9::1"] },
    state: "blocked",
    codes: ["aaaa_elsewhere"],
  },
  {
    name: "an apex with IPv6 where we have none",
    ...APEX,
    all: { a: OURS.a, aaaa: ["2001:db8:9::1"] },
    change: (survey) => ({
      ...survey,
      targetAaaa: absent,
      resolvers: [{ ...survey.resolvers[0], targetAaaa: absent }],
    }),
    state: "blocked",
    codes: ["aaaa_elsewhere"],
  },
  {
    name: "a delegated zone below the registered domain",
    hostname: "pets.shelter.org",
    zone: "pets.shelter.org",
    all: {},
    state: "blocked",
    codes: ["no_record"],
  },
  {
    name: "a proxy of Cloudflare",
    ...CLOUDFLARE,
    all: { a: ["104.21.5.9"], aaaa: ["2606:4700:3030::1"] },
    state: "blocked",
    codes: ["proxied", "ownership_missing"],
  },
  {
    name: "a proxy that is seen to lead here, proven",
    all: { a: ["151.101.1.5"], txt: [TOKEN] },
    facts: { answersBehindProxy: true },
    state: "verified",
    codes: ["proxied", "ownership_found"],
  },
  {
    name: "a proxy that is seen to lead here, unproven",
    all: { a: ["151.101.1.5"] },
    facts: { answersBehindProxy: true },
    state: "blocked",
    codes: ["ownership_missing", "proxied"],
  },
  {
    name: "CAA records for another authority",
    ...NAMECHEAP,
    ...caa(["issue", "digicert.com"], ["iodef", "mailto:hello@shelter.org"]),
    state: "blocked",
    codes: ["caa_forbids", "cname_found"],
  },
  {
    name: "CAA records for nobody",
    ...caa(["issue", ";"]),
    state: "blocked",
    codes: ["caa_forbids", "cname_found"],
  },
  {
    name: "CAA records for another account",
    ...caa(["issue", "letsencrypt.org; accounturi=https://ca.example/1"]),
    state: "blocked",
    codes: ["caa_forbids", "cname_found"],
  },
  {
    name: "CAA records for another method",
    ...caa(["issue", "letsencrypt.org; validationmethods=dns-01"]),
    state: "blocked",
    codes: ["caa_forbids", "cname_found"],
  },
  {
    name: "CAA records that allow it",
    ...caa(["issue", "letsencrypt.org"]),
    state: "verified",
    codes: ["cname_found"],
  },
  {
    name: "CAA records against the first of two issuers",
    ...caa(["issue", "pki.goog"]),
    facts: {
      issuers: [
        { id: "letsencrypt", caa: { identities: ["letsencrypt.org"], methods: ["http-01"] } },
        { id: "google", caa: { identities: ["pki.goog"], methods: ["http-01"] } },
      ],
    },
    state: "verified",
    codes: ["caa_forbids", "cname_found"],
  },
  {
    name: "CAA records and an issuer whose name in them could not be asked for",
    ...caa(["issue", "letsencrypt.org"]),
    facts: { issuers: [{ id: "ca", caa: { identities: [], methods: ["http-01"] } }] },
    state: "unknown",
    codes: ["ca_unavailable", "cname_found"],
  },
  {
    name: "no CAA records and an issuer whose name in them could not be asked for",
    facts: { issuers: [{ id: "ca", caa: { identities: [], methods: ["http-01"] } }] },
    state: "verified",
    codes: ["cname_found"],
  },
  {
    name: "CAA records and an issuer that they do not bind",
    ...caa(["issue", ";"]),
    facts: { issuers: [{ id: "internal" }] },
    state: "verified",
    codes: ["cname_found"],
  },
  {
    name: "CAA records at our own target",
    change: (survey) => ({
      ...survey,
      caa: caaFound("pki.goog", "pets.shelter.org", TARGET),
    }),
    state: "blocked",
    codes: ["caa_forbids", "cname_found"],
  },
  {
    name: "CAA records at the name behind our own target",
    ...caaAt("pets.shelter.org", "edge.petstore.app"),
    state: "blocked",
    codes: ["caa_forbids", "cname_found"],
  },
  {
    name: "CAA records of the top-level domain",
    ...NAMECHEAP,
    ...caaAt("org"),
    state: "blocked",
    codes: ["caa_forbids", "cname_found"],
  },
  {
    name: "CAA records of the top-level domain, for the registered domain itself",
    ...APEX,
    all: ALIAS,
    ...caaAt("org"),
    state: "blocked",
    codes: ["caa_forbids", "flattened"],
  },
  {
    name: "CAA records of a foreign parent of the zone, with a critical one of an unknown kind",
    hostname: "www.pets.shelter.org",
    zone: "pets.shelter.org",
    ...caaAt("shelter.org", "shelter.org", { flags: 128, tag: "tbs", value: "unknown" }),
    state: "blocked",
    codes: ["caa_forbids", "cname_found"],
  },
  {
    name: "CAA records at the end of an alias of the parent",
    hostname: "www.pets.shelter.org",
    ...caaAt("pets.shelter.org", "pages.example"),
    state: "blocked",
    codes: ["caa_forbids", "cname_found"],
  },
  {
    name: "CAA records at the end of an alias of a higher parent",
    hostname: "a.b.pets.shelter.org",
    ...caaAt("pets.shelter.org", "pages.example"),
    state: "blocked",
    codes: ["caa_forbids", "cname_found"],
  },
  {
    name: "CAA records at the end of an alias of the parent, and no record yet",
    hostname: "www.pets.shelter.org",
    all: {},
    ...caaAt("pets.shelter.org", "pages.example"),
    state: "blocked",
    codes: ["no_record", "caa_forbids"],
  },
  {
    name: "CAA records of a public suffix whose zone has the registered name",
    hostname: "shelter.dyndns.example",
    registrable: "shelter.dyndns.example",
    zone: "dyndns.example",
    ...caaAt("dyndns.example"),
    state: "blocked",
    codes: ["caa_forbids", "cname_found"],
  },
  {
    name: "CAA records of a public suffix whose zone has a name below the registered one",
    hostname: "www.shelter.dyndns.example",
    registrable: "shelter.dyndns.example",
    zone: "dyndns.example",
    ...caaAt("dyndns.example"),
    state: "blocked",
    codes: ["caa_forbids", "cname_found"],
  },
  {
    name: "CAA records at the name that needs a CNAME",
    all: { a: ["203.0.113.9"] },
    ...caaAt("pets.shelter.org"),
    state: "blocked",
    codes: ["conflicting_a", "caa_forbids"],
  },
  {
    name: "CAA records at a name with our addresses",
    all: ALIAS,
    ...caaAt("pets.shelter.org"),
    state: "blocked",
    codes: ["caa_forbids", "flattened"],
  },
  {
    name: "CAA records of the same zone at the end of an alias of the parent",
    hostname: "www.pets.shelter.org",
    ...caaAt("pets.shelter.org", "web.shelter.org"),
    state: "blocked",
    codes: ["caa_forbids", "cname_found"],
  },
  {
    name: "CAA records of the host that is left",
    all: { cname: ["shelter.pages.example"], onwards: ["edge.pages.example"] },
    change: (survey) => ({
      ...survey,
      caa: caaFound("digicert.com", "pets.shelter.org", "edge.pages.example"),
    }),
    state: "blocked",
    codes: ["cname_mismatch", "dangling_target"],
  },
  {
    name: "CAA records that a resolver still has in its cache",
    change: (survey) => ({
      ...survey,
      caaCached: [
        {
          vantage: "public",
          lookup: caaFound("digicert.com"),
          until: survey.finishedAt + 1_800_000,
        },
      ],
    }),
    state: "verified",
    codes: ["propagating", "cname_found"],
  },
  {
    name: "CAA records that one name server does not have yet",
    change: (survey) => ({
      ...survey,
      caa: caaFound("letsencrypt.org"),
      caaBehind: [
        {
          at: "shelter.org",
          servers: ["ns2.dns.test"],
          ahead: ["ns1.dns.test"],
          lookup: caaFound("digicert.com"),
        },
      ],
    }),
    state: "propagating",
    codes: ["ns_disagree", "cname_found"],
  },
  {
    name: "CAA records that one name server does not have yet, and that allow it all the same",
    change: (survey) => ({
      ...survey,
      caa: caaFound("letsencrypt.org"),
      caaBehind: [
        {
          at: "shelter.org",
          servers: ["ns2.dns.test"],
          ahead: ["ns1.dns.test"],
          lookup: { kind: "absent" },
        },
      ],
    }),
    state: "verified",
    codes: ["cname_found"],
  },
  {
    name: "CAA records for which every resolver gets nothing but failure",
    change: (survey) => ({
      ...survey,
      caaCached: [
        {
          vantage: "home",
          lookup: { kind: "unknown", at: "shelter.org", reason: "servfail", bogus: false },
          until: survey.finishedAt,
        },
      ],
    }),
    state: "unknown",
    codes: ["caa_error", "cname_found"],
  },
  {
    name: "CAA records behind an alias of the parent that leads in a circle",
    hostname: "www.pets.shelter.org",
    change: (survey) => ({
      ...survey,
      caa: { kind: "unknown", at: "pets.shelter.org", reason: "cname_loop", bogus: false },
    }),
    state: "unknown",
    codes: ["caa_error", "cname_found"],
  },
  {
    name: "CAA records not to be read",
    change: (survey) => ({
      ...survey,
      caa: { kind: "unknown", at: "shelter.org", reason: "servfail", bogus: false },
    }),
    state: "unknown",
    codes: ["caa_error", "cname_found"],
  },
];

/** Says which of the two resolvers validate. */
function withValidation(
  survey: Survey,
  home: boolean | undefined,
  other: boolean | undefined,
): Survey {
  const [first, second = first] = survey.resolvers;
  return {
    ...survey,
    resolvers: [
      { ...first, validates: home },
      { ...second, validates: other },
    ],
  };
}

/** The parent zone has a DS record. */
function signed(survey: Survey): Survey {
  if (survey.zone.kind !== "found") return survey;
  return { ...survey, zone: { kind: "found", zone: { ...survey.zone.zone, signed: true } } };
}
