import { unknown, type Answer, type UnknownReason } from "../../domains/model/answer.ts";
import type { CaaRecord } from "../../domains/model/answer.ts";
import type { Hostname } from "../../domains/model/hostname.ts";
import type {
  AuthoritativeView,
  NameView,
  ResolverView,
  Survey,
} from "../../domains/model/survey.ts";
import type { DomainFacts } from "../../domains/model/verification.ts";

export const NOW: number = Date.parse("2026-11-21T14:00:00Z");
export const TARGET = "k3vq7.cname.petstore.app";
export const OURS = { a: ["198.51.100.7"], aaaa: ["2001:db8::7"] } as const;
export const TOKEN = "petstore-domain=4f1d";

/** The records of a name; a word instead of a list is the reason why they are unknown. */
export interface Lines {
  readonly cname?: readonly string[] | UnknownReason;
  readonly a?: readonly string[] | UnknownReason;
  readonly aaaa?: readonly string[] | UnknownReason;
  readonly txt?: readonly string[] | UnknownReason;
  readonly mx?: readonly string[];
  /** The target of the name's alias. Default: directly an address. */
  readonly onwards?: readonly string[];
  /** No result, for this reason. */
  readonly silent?: UnknownReason;
  /** `silent` because of its signatures. */
  readonly bogus?: boolean;
  readonly ttl?: number;
  readonly serial?: number;
}

export interface Situation {
  readonly hostname?: string;
  readonly registrable?: string;
  /** The apex of its zone; `absent` or `unknown` if not found. Default: the registrable name. */
  readonly zone?: string;
  /** NS names, which identify the provider. */
  readonly nameServers?: readonly string[];
  /** The records at all name servers and resolvers. Default: everything is correct. */
  readonly all?: Lines;
  /** Different records at single name servers, by their names `ns1` and `ns2`. */
  readonly servers?: Readonly<Record<string, Lines>>;
  /** Different records at single resolvers, by their names `home` and `public`. */
  readonly resolvers?: Readonly<Record<string, Lines>>;
  readonly change?: (survey: Survey) => Survey;
  readonly facts?: Partial<DomainFacts>;
}

export const RIGHT: Lines = { cname: [TARGET] };

export function surveyOf({
  hostname = "pets.shelter.org",
  zone = "shelter.org",
  nameServers = ["ns1.dns.test", "ns2.dns.test"],
  all = RIGHT,
  servers = {},
  resolvers = {},
  change = (survey) => survey,
}: Situation = {}): Survey {
  const view = (lines: Lines, follow: boolean) => nameView(hostname, lines, follow);
  const authoritative = ["ns1", "ns2"].map((name, index): AuthoritativeView => {
    const lines = { ...all, ...servers[name] };
    return {
      ...view(lines, false),
      server: { name: `${name}.dns.test`, address: `192.0.2.${index + 1}`, listedBy: ["parent"] },
      serial: lines.silent === undefined ? (lines.serial ?? 1) : undefined,
      negativeTtlSeconds: 900,
      signed: false,
      roundTripMs: 20,
    };
  });
  const [home, other] = ["home", "public"].map((vantage): ResolverView => ({
    ...view({ ...all, ...resolvers[vantage] }, true),
    vantage,
    at: NOW,
    targetA: found(OURS.a),
    targetAaaa: found(OURS.aaaa),
    validates: true,
    roundTripMs: 10,
  })) as [ResolverView, ResolverView];
  const located = zone !== "absent" && zone !== "unknown";
  const apex = located && zone === hostname;
  return change({
    hostname: hostname as Hostname,
    target: TARGET,
    ownershipName: `_petstore.${hostname}`,
    startedAt: NOW - 200,
    finishedAt: NOW,
    zone: located
      ? {
          kind: "found",
          zone: {
            apex: zone,
            servers: authoritative.map(({ server }) => server),
            unasked: [],
            nameServers,
            signed: false,
          },
        }
      : zone === "absent"
        ? { kind: "absent" }
        : { kind: "unknown", reason: "timeout" },
    apex,
    apexHasMail: false,
    authoritative: located ? authoritative : [],
    resolvers: [home, other],
    targetA: found(OURS.a),
    targetAaaa: found(OURS.aaaa),
    doubled: { name: `${hostname}.${located ? zone : "shelter.org"}`, cname: absent },
    wildcard: { name: `0b7e.${hostname.slice(hostname.indexOf(".") + 1)}`, a: absent },
    challenge: { name: `_acme-challenge.${hostname}`, cname: absent },
    caa: { kind: "absent" },
    caaBehind: [],
    caaCached: [],
    negativeTtlSeconds: 900,
    cutShort: false,
  });
}

export function factsOf({ facts, registrable = "shelter.org" }: Situation = {}): DomainFacts {
  return {
    registrable,
    edgeAddresses: [],
    ownership: { value: TOKEN, reasons: [] },
    issuers: [
      {
        id: "letsencrypt",
        caa: { identities: ["letsencrypt.org"], methods: ["http-01", "tls-alpn-01"] },
      },
    ],
    ...facts,
  };
}

export const absent: Answer<never> = {
  kind: "absent",
  reason: "nxdomain",
  ttlSeconds: 900,
  aliases: [],
  authenticated: false,
};

export function found<Data>(records: readonly Data[], ttlSeconds = 3_600): Answer<Data> {
  const [first, ...rest] = records;
  if (first === undefined) return absent;
  return {
    kind: "found",
    records: [first, ...rest],
    ttlSeconds,
    aliases: [],
    authenticated: false,
  };
}

export function caaSet(...records: readonly (readonly [string, string])[]): readonly CaaRecord[] {
  return records.map(([tag, value]) => ({ flags: 0, tag, value }));
}

function nameView(hostname: string, lines: Lines, follow: boolean): NameView {
  const { silent, bogus = false, ttl = 3_600, onwards = [], mx = [] } = lines;
  const answer = (given: readonly string[] | UnknownReason = []): Answer<string> => {
    if (silent !== undefined) return unknown(silent, { bogus });
    return typeof given === "string" ? unknown(given) : found(given, ttl);
  };
  const cname = answer(lines.cname);
  const names =
    cname.kind === "found" ? [hostname, cname.records[0], ...(follow ? onwards : [])] : [];
  const aliases = names.slice(1).map((target, index) => ({
    name: names[index] ?? hostname,
    target,
    ttlSeconds: ttl,
  }));
  const end = names.at(-1);
  const address = (own: Lines["a"], ours: readonly string[]): Answer<string> => {
    const itself = answer(own);
    if (itself.kind === "found" || end === undefined) return itself;
    if (itself.kind === "unknown") return { ...itself, aliases };
    return { ...(follow && end === TARGET ? found(ours, ttl) : absent), aliases };
  };
  return {
    cname,
    a: address(lines.a, OURS.a),
    aaaa: address(lines.aaaa, OURS.aaaa),
    ownership: answer(lines.txt),
    caa: absent,
    mx:
      silent === undefined
        ? found(
            mx.map((exchange) => ({ preference: 10, exchange })),
            ttl,
          )
        : unknown(silent),
    https: absent,
  };
}
