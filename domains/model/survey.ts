import type { Answer, CaaRecord, MxRecord, UnknownReason } from "./answer.ts";
import type { CaaSurvey } from "./caa-lookup.ts";
import type { Hostname } from "./hostname.ts";

/** A server of a zone at one of its addresses. */
export interface NameServer {
  /** As the NS record names it. */
  readonly name: string;
  /** Its address, `192.0.2.53` or `2001:db8::53`. */
  readonly address: string;
  /** Whether the zone above, the zone itself, or both name it. */
  readonly listedBy: readonly ("parent" | "child")[];
}

/** A name server that was not asked, and why. */
export interface UnaskedServer {
  readonly name: string;
  /** `unresolved`: it has no address. `unlearned`: nobody could be asked for one. `over_limit`: enough others were asked. */
  readonly reason: "unresolved" | "unlearned" | "forbidden_address" | "over_limit";
}

/** The zone that a name lies in. */
export interface Zone {
  /** The name at its head. */
  readonly apex: string;
  readonly servers: readonly NameServer[];
  readonly unasked: readonly UnaskedServer[];
  /** All its NS names, of parent and child, sorted; DNS providers are recognised by them. */
  readonly nameServers: readonly string[];
  /** The zone above has a DS record for it: resolvers that check signatures will check its own. */
  readonly signed: boolean;
}

export type ZoneSearch =
  | { readonly kind: "found"; readonly zone: Zone }
  /** No name above it exists in the DNS: not registered, or not delegated. */
  | { readonly kind: "absent" }
  | { readonly kind: "unknown"; readonly reason: UnknownReason };

/** What is at a name, as one vantage tells it. Each answer is about the name itself, unless said otherwise. */
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
 * What one authoritative server says. An answer is `found` only for records of the name itself: a CNAME is
 * not followed, it is told in `aliases` beside an absent record.
 */
export interface AuthoritativeView extends NameView {
  readonly server: NameServer;
  /** Of the zone as this server has it: the one that lags has a lower one. Undefined when it does not say. */
  readonly serial: number | undefined;
  /** How long its "no" is believed, seconds; 0 when it does not say. */
  readonly negativeTtlSeconds: number;
  /** It sends signatures: without them a zone that its parent has signed fails wherever they are checked. */
  readonly signed: boolean;
  /** The longest time that any of its questions took, in milliseconds. */
  readonly roundTripMs: number;
}

/** What one resolver says, and so what visitors behind it see. Aliases are followed. */
export interface ResolverView extends NameView {
  /** The address of the resolver; `internal-1` for the first configured one where that address is not public. */
  readonly vantage: string;
  /** When the last of its answers came: what was found is believed until `at` + its `ttlSeconds`. */
  readonly at: number;
  /** What our target leads to from here. */
  readonly targetA: Answer<string>;
  readonly targetAaaa: Answer<string>;
  readonly roundTripMs: number;
}

/** All that verification needs to know of the DNS of a name; plain data, taken within one time budget. */
export interface Survey extends CaaSurvey {
  readonly hostname: Hostname;
  /** Where a CNAME should lead. */
  readonly target: string;
  /** Where the ownership record should be. */
  readonly ownershipName: string;
  readonly startedAt: number;
  readonly finishedAt: number;
  readonly zone: ZoneSearch;
  /** The name is the head of a zone, and so can have no CNAME. By delegation, not by its number of labels. */
  readonly apex: boolean;
  /** The head of the zone has mail exchanges; undefined when that could not be learned. */
  readonly apexHasMail: boolean | undefined;
  /** Every authoritative server at every address that was asked; empty when the zone is not known. */
  readonly authoritative: readonly AuthoritativeView[];
  /** In the order in which they are configured. */
  readonly resolvers: readonly [ResolverView, ...ResolverView[]];
  /** Addresses of our target as the servers of its own zone tell them, all put together. */
  readonly targetA: Answer<string>;
  readonly targetAaaa: Answer<string>;
  /** A CNAME at the name with its zone appended once more: what providers make of a full name in a short field. */
  readonly doubled: { readonly name: string; readonly cname: Answer<string> };
  /** Addresses or aliases of a name beside it that nobody can have created. */
  readonly wildcard: { readonly name: string; readonly a: Answer<string> };
  /** `_acme-challenge.<name>`: somebody answers challenges for it already. */
  readonly challenge: { readonly name: string; readonly cname: Answer<string> };
  /** How long a "no" of this zone is believed, seconds; 0 when not known. */
  readonly negativeTtlSeconds: number;
  /** The budget ended before everything was answered: what is missing is `unknown` with `timeout`. */
  readonly cutShort: boolean;
}
