/** The record types that are queried. */
export type RecordType =
  | "A"
  | "AAAA"
  | "CAA"
  | "CNAME"
  | "DNAME"
  | "DNSKEY"
  | "DS"
  | "HTTPS"
  | "MX"
  | "NS"
  | "SOA"
  | "TXT";

/**
 * The data of each record type. Names are in lower case without the trailing dot. Names and texts have no control
 * characters: octets outside printable ASCII are written `\DDD` (RFC 1035 §5.1).
 */
export interface DataOf {
  /** An address in dotted decimal. */
  readonly A: string;
  /** An address in the canonical form (RFC 5952). */
  readonly AAAA: string;
  readonly CAA: CaaRecord;
  readonly CNAME: string;
  readonly DNAME: string;
  /** The record data in hexadecimal. */
  readonly DNSKEY: string;
  /** The record data in hexadecimal. */
  readonly DS: string;
  /** The record data in hexadecimal (RFC 9460). */
  readonly HTTPS: string;
  readonly MX: MxRecord;
  readonly NS: string;
  readonly SOA: SoaRecord;
  /** The character-strings, joined. */
  readonly TXT: string;
}

/** A permission to issue certificates (RFC 8659 §4.1). */
export interface CaaRecord {
  /** The flags octet as sent. */
  readonly flags: number;
  /** The tag as written; tags are case-insensitive. */
  readonly tag: string;
  readonly value: string;
}

/** A mail server of a name (RFC 5321 §5.1). */
export interface MxRecord {
  /** The lowest is tried first. */
  readonly preference: number;
  readonly exchange: string;
}

/** The SOA record of a zone (RFC 1035 §3.3.13). */
export interface SoaRecord {
  readonly primary: string;
  /** Shows which server lags behind. */
  readonly serial: number;
  /** The longest time that a negative answer of the zone is cached (RFC 2308 §5). */
  readonly negativeTtlSeconds: number;
}

/** One step of a CNAME or DNAME chain. */
export interface Alias {
  readonly name: string;
  readonly target: string;
  readonly ttlSeconds: number;
}

/** Why a server gave no answer. None of these is the fault of a record. */
export type UnknownReason =
  /** No answer in time. */
  | "timeout"
  /** The port is closed, or the network reports the host as unreachable. */
  | "unreachable"
  /** SERVFAIL, or a response code without a reason of its own. */
  | "servfail"
  | "refused"
  /** The message cannot be parsed, or does not answer the query. */
  | "malformed"
  /** The server has no authority over the zone. */
  | "lame"
  /** The address is private, loopback or otherwise not queried. */
  | "forbidden_address"
  /** The aliases form a loop. */
  | "cname_loop"
  /** The chain of aliases is longer than `MAX_ALIASES`. */
  | "cname_too_long";

/** Longest chain of aliases that is followed. */
export const MAX_ALIASES = 8;

/** A server's explanation of its answer (RFC 8914). */
export interface Explanation {
  /** A code of the registry "Extended DNS Error Codes". */
  readonly code: number;
  /** The text has at most 200 characters, and may be empty. */
  readonly text: string;
}

/**
 * What one vantage knows. An absence is an answer; `unknown` means that nothing was learned. `aliases` are the steps
 * from the queried name to the owner of the records.
 */
export type Answer<Data> = Found<Data> | Absent | Unknown;

/** Records of the asked type. */
export interface Found<Data> {
  readonly kind: "found";
  readonly records: readonly [Data, ...Data[]];
  /** How long the answer is cached: the minimum along the chain. */
  readonly ttlSeconds: number;
  readonly aliases: readonly Alias[];
  /** The vantage validated the signatures (AD, RFC 4035 §3.2.3). */
  readonly authenticated: boolean;
}

/** There is no record of the asked type. */
export interface Absent {
  readonly kind: "absent";
  /** `nodata`: the name exists without such a record. `nxdomain`: neither the name nor anything below it exists. */
  readonly reason: "nodata" | "nxdomain";
  /** How long the absence is cached (RFC 2308 §5); 0 if the server did not say. */
  readonly ttlSeconds: number;
  readonly aliases: readonly Alias[];
  readonly authenticated: boolean;
}

/** Nothing was learned. */
export interface Unknown {
  readonly kind: "unknown";
  readonly reason: UnknownReason;
  readonly aliases: readonly Alias[];
  /** The answer exists, but its signatures are invalid (CD, RFC 4035 §3.2.2). */
  readonly bogus: boolean;
  readonly explanation?: Explanation;
}

export function unknown(
  reason: UnknownReason,
  { aliases = [], bogus = false, explanation }: Partial<Omit<Unknown, "kind" | "reason">> = {},
): Unknown {
  return {
    kind: "unknown",
    reason,
    aliases,
    bogus,
    ...(explanation !== undefined && { explanation }),
  };
}

/** Returns the records of an answer; empty if absent or unknown. */
export function recordsOf<Data>(answer: Answer<Data>): readonly Data[] {
  return answer.kind === "found" ? answer.records : [];
}
