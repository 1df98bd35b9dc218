import type { Answer, CaaRecord, MxRecord, UnknownReason } from "./answer.ts";
import type { CaaSurvey } from "./caa-lookup.ts";
import type { Hostname } from "./hostname.ts";

/** A zone's server at one of its addresses. */
export interface NameServer {
  /** The name in the NS record. */
  readonly name: string;
  /** The IP address. */
  readonly address: string;
  /** Which side of the delegation lists it. */
  readonly listedBy: readonly ("parent" | "child")[];
}

/** A name server that was not queried, and why. */
export interface UnaskedServer {
  readonly name: string;
  /** `unresolved`: no address. `unlearned`: the lookup failed. `over_limit`: enough others were queried. */
  readonly reason: "unresolved" | "unlearned" | "forbidden_address" | "over_limit";
}

/** The zone of a name. */
export interface Zone {
  /** The name of the zone. */
  readonly apex: string;
  readonly servers: readonly NameServer[];
  readonly unasked: readonly UnaskedServer[];
  /** All NS names of parent and child, sorted; they identify the DNS provider. */
  readonly nameServers: readonly string[];
  /** The parent has a DS record, so validating resolvers check the zone's signatures. */
  readonly signed: boolean;
}

/** The zone of a name, or why it was not found. */
export type ZoneSearch =
  | {
      readonly kind: "found";
      readonly zone: Zone;
      /** A lookup failed, so another search may find more. */
      readonly doubtful?: true;
    }
  /** No zone above the name exists: not registered, or not delegated. */
  | { readonly kind: "absent" }
  | { readonly kind: "unknown"; readonly reason: UnknownReason };

/** The records of a name from one vantage point. Answers concern the name itself unless noted. */
export interface NameView {
  readonly cname: Answer<string>;
  readonly a: Answer<string>;
  readonly aaaa: Answer<string>;
  /** The ownership record, at its own name. */
  readonly ownership: Answer<string>;
  readonly caa: Answer<CaaRecord>;
  readonly mx: Answer<MxRecord>;
  readonly https: Answer<string>;
}

/**
 * One authoritative server's answers. Only records of the name itself are `found`; a CNAME is not followed, but is
 * in `aliases` beside an absence.
 */
export interface AuthoritativeView extends NameView {
  readonly server: NameServer;
  /** The zone's serial on this server; lower on servers that lag behind. Undefined if it did not answer. */
  readonly serial: number | undefined;
  /** Negative TTL in seconds; 0 if unknown. */
  readonly negativeTtlSeconds: number;
  /** The server sends signatures; a signed delegation fails validation without them. */
  readonly signed: boolean;
  /** The longest response time, in milliseconds. */
  readonly roundTripMs: number;
}

/** One resolver's answers, as seen by the visitors that use it. Aliases are followed. */
export interface ResolverView extends NameView {
  /** The resolver's address; `internal-1` for the first configured one if that address is not public. */
  readonly vantage: string;
  /** When the last answer arrived; answers are cached until `at` + `ttlSeconds`. */
  readonly at: number;
  /** The addresses of our target from this resolver. */
  readonly targetA: Answer<string>;
  readonly targetAaaa: Answer<string>;
  /**
   * Whether the resolver reports that it validates signatures. Undefined: it did not answer that question. Without it, an
   * answer may come from a zone with invalid signatures.
   */
  readonly validates: boolean | undefined;
  readonly roundTripMs: number;
}

/**
 * The signatures of a signed zone, checked at its servers because no resolver validates: those of its keys, and of the
 * records at the name and of CAA records above it. `invalid`: on no server that answered are all of them valid.
 * `unknown`: no server answered, or the zone uses only algorithms that cannot be checked. That a record does not exist
 * is not checked.
 */
export type SignatureCheck = "valid" | "invalid" | "unknown";

/** Everything that verification needs to know about a name's DNS; plain data, collected within one time limit. */
export interface Survey extends CaaSurvey {
  readonly hostname: Hostname;
  /** The name that a CNAME should point to. */
  readonly target: string;
  /** The name of the ownership TXT record. */
  readonly ownershipName: string;
  readonly startedAt: number;
  readonly finishedAt: number;
  readonly zone: ZoneSearch;
  /** The name is a zone apex, by delegation, and so cannot have a CNAME. */
  readonly apex: boolean;
  /** The zone apex has MX records; undefined if unknown. */
  readonly apexHasMail: boolean | undefined;
  /** Every queried authoritative server address; empty if the zone is unknown. */
  readonly authoritative: readonly AuthoritativeView[];
  /** The resolvers in the order of the configuration. */
  readonly resolvers: readonly [ResolverView, ...ResolverView[]];
  /** Addresses of our target, merged from the servers of its zone. */
  readonly targetA: Answer<string>;
  readonly targetAaaa: Answer<string>;
  /** A CNAME at the name with its zone repeated, the result of entering a full name where a relative one belongs. */
  readonly doubled: { readonly name: string; readonly cname: Answer<string> };
  /** Addresses of a random sibling name, which only a wildcard can provide. */
  readonly wildcard: { readonly name: string; readonly a: Answer<string> };
  /** `_acme-challenge.<name>`; a CNAME delegates challenges to another service. */
  readonly challenge: { readonly name: string; readonly cname: Answer<string> };
  /** Negative TTL of the zone in seconds; 0 if unknown. */
  readonly negativeTtlSeconds: number;
  /** Absent: a resolver validates, or the zone is not signed. */
  readonly signatures?: SignatureCheck;
  /** The time limit was reached; missing answers are `unknown` with `timeout`. */
  readonly cutShort: boolean;
}

/** Replaces the address of a resolver in the operator's network by its position in the configuration, from 1. */
export function internalVantage(place: number): string {
  return `internal-${place}`;
}

/** Whether a vantage is such a resolver, whose label means nothing to an owner. */
export function isInternal(vantage: string): boolean {
  return /^internal-\d+$/.test(vantage);
}
