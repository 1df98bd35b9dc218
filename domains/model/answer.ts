/** The types of record that are asked for. */
export type RecordType =
  | "A"
  | "AAAA"
  | "CAA"
  | "CNAME"
  | "DNAME"
  | "DS"
  | "HTTPS"
  | "MX"
  | "NS"
  | "SOA"
  | "TXT";

/**
 * What a record of each type says. Names are in lower case and without the dot at their end; text and
 * names hold no control characters: octets outside printable ASCII are written `\DDD` (RFC 1035 §5.1).
 */
export interface DataOf {
  /** In dotted decimals. */
  readonly A: string;
  /** In the one form of RFC 5952. */
  readonly AAAA: string;
  readonly CAA: CaaRecord;
  readonly CNAME: string;
  readonly DNAME: string;
  /** The data of the record in hexadecimal digits. */
  readonly DS: string;
  /** The data of the record in hexadecimal digits (RFC 9460). */
  readonly HTTPS: string;
  readonly MX: Exchange;
  readonly NS: string;
  readonly SOA: Authority;
  /** Its character-strings, joined. */
  readonly TXT: string;
}

/** Who may issue certificates (RFC 8659 §4.1). */
export interface CaaRecord {
  /** The octet of flags as it was sent. */
  readonly flags: number;
  /** As it was written; tags are compared without regard to case. */
  readonly tag: string;
  readonly value: string;
}

/** Where mail for a name goes (RFC 5321 §5.1). */
export interface Exchange {
  readonly preference: number;
  readonly exchange: string;
}

/** What the head of a zone says of it (RFC 1035 §3.3.13). */
export interface Authority {
  readonly primary: string;
  /** Compared between servers, it tells which one lags. */
  readonly serial: number;
  /** How long at most a "no" of this zone is believed (RFC 2308 §5). */
  readonly negativeTtlSeconds: number;
}

/** One step of a CNAME or DNAME chain. */
export interface Alias {
  readonly name: string;
  readonly target: string;
  readonly ttlSeconds: number;
}

/** Why a server told nothing. Nothing of the kind is ever the fault of a record. */
export type UnknownReason =
  /** No answer in time. */
  | "timeout"
  /** Nobody listens there, or the network says that it cannot be reached. */
  | "unreachable"
  /** It says itself that it failed (SERVFAIL, and every code without a reason of its own). */
  | "servfail"
  | "refused"
  /** What came cannot be read, or is no answer to the question. */
  | "malformed"
  /** It was asked for a zone that it has no authority over. */
  | "lame"
  /** Its address is one that we do not ask: private, loopback, or of no host. */
  | "forbidden_address"
  /** The chain of aliases comes back to where it was. */
  | "cname_loop"
  /** The chain of aliases is longer than `MAX_ALIASES`. */
  | "cname_too_long";

/** More than so many aliases in a row are not followed. */
export const MAX_ALIASES = 8;

/** What a server added to explain itself (RFC 8914). */
export interface Explanation {
  /** Of the registry "Extended DNS Error Codes". */
  readonly code: number;
  /** At most 200 characters; empty when it gave none. */
  readonly text: string;
}

/**
 * What one vantage knows of a question. Absence is an answer; `unknown` means that nothing was learned.
 * `aliases` are the steps from the name that was asked for to the one whose records these are.
 */
export type Answer<Data> = Found<Data> | Absent | Unknown;

export interface Found<Data> {
  readonly kind: "found";
  readonly records: readonly [Data, ...Data[]];
  /** How long this will be believed by those who heard it now: the least along the way. */
  readonly ttlSeconds: number;
  readonly aliases: readonly Alias[];
  /** The vantage says that it has checked the signatures (AD, RFC 4035 §3.2.3). */
  readonly authenticated: boolean;
}

export interface Absent {
  readonly kind: "absent";
  /** `nodata`: the name is there and has no such record. `nxdomain`: nothing is there, nor below it. */
  readonly reason: "nodata" | "nxdomain";
  /** How long the "no" is believed (RFC 2308 §5); 0 when the server did not say. */
  readonly ttlSeconds: number;
  readonly aliases: readonly Alias[];
  readonly authenticated: boolean;
}

export interface Unknown {
  readonly kind: "unknown";
  readonly reason: UnknownReason;
  readonly aliases: readonly Alias[];
  /** There is an answer when signatures are not checked (CD, RFC 4035 §3.2.2): they are what is wrong. */
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

/** The records of an answer; none when there are none or nothing is known. */
export function recordsOf<Data>(answer: Answer<Data>): readonly Data[] {
  return answer.kind === "found" ? answer.records : [];
}
