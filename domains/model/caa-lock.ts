import { recordsOf, type CaaRecord } from "./answer.ts";
import { evaluateCaa, parseIssue, type CaaRequest, type CaaVerdict } from "./caa.ts";
import type { CaaLookup, CaaResponse } from "./caa-lookup.ts";

/**
 * The CAA record of the names that CNAME records lead to (RFC 8659 §3). It allows one issuer, and there only our
 * account, with the methods that this service supports (RFC 8657).
 */
export interface CaaLock {
  /** The issuer's ID. */
  readonly issuer: string;
  /** The account is known, so the record names it. */
  readonly complete: boolean;
  /** The record in zone file syntax: `0 issue "letsencrypt.org; accounturi=…; validationmethods=http-01"`. */
  readonly record: string;
}

/** Returns the record for an issuer; undefined if the issuer did not report its name in CAA records. */
export function lockOf(issuer: string, request: CaaRequest): CaaLock | undefined {
  const [identity] = request.identities;
  if (identity === undefined) return undefined;
  const { accountUri, methods } = request;
  const account = accountUri === undefined ? "" : `; accounturi=${accountUri}`;
  const value = `${identity}${account}; validationmethods=${methods.join(",")}`;
  return { issuer, complete: accountUri !== undefined, record: `0 issue "${value}"` };
}

/** Why records are not the ones of a lock. */
export type LockFault =
  /** They forbid every issuer, or allow only others. */
  | "other_issuer"
  /** They allow the issuer, but not our account. */
  | "other_account"
  /** They name our account, but in other letter case: CAs compare byte for byte. */
  | "letter_case"
  /** They do not allow every method that this service uses. */
  | "missing_method"
  /** They are invalid, or include an unknown record that is marked critical. */
  | "malformed";

export type LockState =
  /** No record exists: every CA may issue to every account. */
  | { readonly kind: "absent" }
  /** The records allow our accounts only. */
  | { readonly kind: "locked" }
  /** The records allow our accounts, and others as well. */
  | { readonly kind: "open" }
  /** The reasons are distinct. */
  | { readonly kind: "wrong"; readonly faults: readonly LockFault[] };

/** An issuer that the records have to allow. */
export interface LockedIssuer {
  readonly caa: CaaRequest;
  /** The account that is about to replace the present one; both may be named. */
  readonly successorUri?: string | undefined;
}

/** Judges the records for all our issuers. */
export function judgeLock(
  records: readonly CaaRecord[],
  issuers: readonly LockedIssuer[],
): LockState {
  if (records.length === 0) return { kind: "absent" };
  const faults = issuers.flatMap(({ caa }) => {
    const verdict = evaluateCaa(records, caa);
    if (verdict.kind === "forbidden") return [faultOf(records, caa, verdict.reason)];
    return verdict.methods.length < caa.methods.length ? ["missing_method" as const] : [];
  });
  if (faults.length > 0) return { kind: "wrong", faults: [...new Set(faults)] };
  const issues = issuesIn(records);
  const isOurs = ({ issuer, account }: (typeof issues)[number]): boolean =>
    account !== undefined &&
    issuers.some(
      ({ caa, successorUri }) =>
        caa.identities.includes(issuer) && [caa.accountUri, successorUri].includes(account),
    );
  // Without a record of kind issue, every CA may issue.
  const locked =
    records.some(({ tag }) => tag.toLowerCase() === "issue") &&
    issues.every((one) => one.issuer === "" || isOurs(one));
  return { kind: locked ? "locked" : "open" };
}

/** Returns the reason for a refusal more closely: the smallest change that helps. */
function faultOf(
  records: readonly CaaRecord[],
  { accountUri, identities }: CaaRequest,
  reason: Extract<CaaVerdict, { kind: "forbidden" }>["reason"],
): LockFault {
  const wanted = identities.map((identity) => identity.toLowerCase());
  const account = accountUri?.toLowerCase();
  const inOtherCase = issuesIn(records).some(
    (issue) =>
      wanted.includes(issue.issuer.toLowerCase()) &&
      (issue.account === undefined || issue.account.toLowerCase() === account),
  );
  switch (reason) {
    case "critical_tag":
    case "malformed":
      return "malformed";
    case "other_method":
      return "missing_method";
    case "other_account":
    case "other_issuer":
      return inOtherCase ? "letter_case" : reason;
    default:
      return reason satisfies never;
  }
}

/** Returns the values that name issuers, for wildcards as well; invalid ones allow nothing. */
function issuesIn(records: readonly CaaRecord[]) {
  return records.flatMap(({ tag, value }) => {
    const parsed = /^issue(?:wild)?$/i.test(tag) ? parseIssue(value) : undefined;
    if (parsed === undefined) return [];
    const { issuer, parameters } = parsed;
    return [{ issuer, account: parameters.get("accounturi") }];
  });
}

/** Whether CAA records let an account order, as far as the DNS answered. */
export type LockPermission =
  | { readonly kind: "unknown" | "forbidden" }
  | {
      readonly kind: "allowed";
      /** Records name accounts. Without them every account may order, before and after. */
      readonly byName: boolean;
      /** How long a cache may still have the records from before. */
      readonly ttlSeconds: number;
    };

/**
 * Returns whether a CA that asks any of the servers lets the account order. `seen` are the records of one name, as groups
 * of servers with the same records; empty: no server answered.
 */
export function permissionAt(
  seen: readonly Pick<CaaResponse, "answer">[],
  request: CaaRequest,
): LockPermission {
  if (seen.length === 0 || seen.some(({ answer }) => answer.kind === "unknown")) {
    return { kind: "unknown" };
  }
  const sets = seen.map(({ answer }) => recordsOf(answer));
  if (sets.some((records) => evaluateCaa(records, request).kind === "forbidden")) {
    return { kind: "forbidden" };
  }
  const ttls = seen.map(({ answer }) => (answer.kind === "unknown" ? 0 : answer.ttlSeconds));
  const byName = sets.some((records) => namesAccounts(records, request));
  return { kind: "allowed", byName, ttlSeconds: Math.max(...ttls) };
}

/**
 * Returns whether the records of one of our own hosts let the account order. Records that forbid the issuer whatever the
 * account forbid nothing here: no account changes that.
 */
export function ownHostPermission(lookup: CaaLookup, request: CaaRequest): LockPermission {
  if (lookup.kind === "unknown") return { kind: "unknown" };
  const records = lookup.kind === "found" ? lookup.records : [];
  const verdict = evaluateCaa(records, request);
  if (verdict.kind === "forbidden" && verdict.reason === "other_account") {
    return { kind: "forbidden" };
  }
  return { kind: "allowed", byName: namesAccounts(records, request), ttlSeconds: OWN_TTL_SECONDS };
}

/** A lookup reports no TTL; this one is usual for CAA records. */
const OWN_TTL_SECONDS = 3_600;

/** Combines the permissions of several names: all of them have to allow the account. */
export function jointPermission(permissions: readonly LockPermission[]): LockPermission {
  const refusal =
    permissions.find(({ kind }) => kind === "forbidden") ??
    permissions.find(({ kind }) => kind === "unknown");
  if (refusal !== undefined) return refusal;
  const given = permissions.filter((one) => one.kind === "allowed");
  return {
    kind: "allowed",
    byName: given.some(({ byName }) => byName),
    ttlSeconds: Math.max(0, ...given.map(({ byName, ttlSeconds }) => (byName ? ttlSeconds : 0))),
  };
}

function namesAccounts(records: readonly CaaRecord[], { identities }: CaaRequest): boolean {
  return issuesIn(records).some(
    ({ issuer, account }) => identities.includes(issuer) && account !== undefined,
  );
}
