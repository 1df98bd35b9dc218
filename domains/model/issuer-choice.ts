import type { FailureClass } from "./backoff.ts";
import type { Domain, Issuance, SkippedIssuer } from "./domain.ts";

/** A configured CA, as far as the choice of the CA for an order depends on it. */
export interface IssuerFacts {
  readonly authority: string;
  /** It takes no order for the domain before this instant, as it pauses all orders. Absent: it takes orders. */
  readonly heldUntil?: number;
  /** What the CA said when it paused orders. */
  readonly message?: string;
}

/** The CA for the next order of a domain, and why it is not the first one. */
export interface IssuerChoice {
  readonly authority: string;
  /** The preferred CA that does not get the order. Absent: the first one gets it. */
  readonly instead?: PassedIssuer;
}

/** A CA that a choice passed over. */
export interface PassedIssuer {
  readonly authority: string;
  /** `caa`: CAA records forbid it; `paused`: it takes no orders for now; `failed`: it failed for this name. */
  readonly reason: "caa" | "paused" | "failed";
  /** What the CA said. Absent for `caa`. */
  readonly message?: string;
}

/**
 * Chooses the CA for a domain's next order: the first one, in the order of preference, that CAA records permit, that
 * does not pause orders, and that has not failed for this name lately. If none can be used now, the one that can be
 * used first. A failure that the owner has to resolve never passes a CA over: the next one would fail as well.
 */
export function chooseIssuer(
  { dns, issuance }: Pick<Domain, "dns" | "issuance">,
  issuers: readonly [IssuerFacts, ...IssuerFacts[]],
  now: number,
): IssuerChoice {
  const { skipped = [] } = issuance;
  const barred = (one: IssuerFacts): boolean => dns.forbidden?.includes(one.authority) === true;
  const permitted = issuers.filter((one) => !barred(one));
  const [first = issuers[0], ...rest] = permitted;
  const soonest = rest.reduce(
    (best, one) => (usableAt(one, skipped, now) < usableAt(best, skipped, now) ? one : best),
    first,
  );
  const [preferred] = issuers;
  if (soonest === preferred) return { authority: soonest.authority };
  const { authority } = soonest;
  return {
    authority,
    instead: passed(preferred, { barred: barred(preferred), skipped, now }),
  };
}

function passed(
  { authority, heldUntil = 0, message }: IssuerFacts,
  {
    barred,
    skipped,
    now,
  }: {
    readonly barred: boolean;
    readonly skipped: readonly SkippedIssuer[];
    readonly now: number;
  },
): PassedIssuer {
  if (barred) return { authority, reason: "caa" };
  if (heldUntil > now) {
    return { authority, reason: "paused", ...(message === undefined ? {} : { message }) };
  }
  const failed = skipped.find((one) => one.authority === authority);
  return failed === undefined
    ? { authority, reason: "failed" }
    : { authority, reason: "failed", message: failed.message };
}

/** Returns when a CA can get an order for the domain: now, or when its pause and its failure for this name end. */
function usableAt(
  { authority, heldUntil = 0 }: IssuerFacts,
  skipped: readonly SkippedIssuer[],
  now: number,
): number {
  const { until = now } = skipped.find((one) => one.authority === authority) ?? {};
  return Math.max(now, heldUntil, until);
}

/** Returns when the first of `others` can get an order for the domain; undefined without others. */
export function nextIssuerAt(
  { skipped = [] }: Pick<Issuance, "skipped">,
  others: readonly IssuerFacts[],
  now: number,
): number | undefined {
  if (others.length === 0) return undefined;
  return Math.min(...others.map((one) => usableAt(one, skipped, now)));
}

/**
 * Reports whether after `failures` in a row of one class with a CA another one gets the next order. Orders and accounts
 * that the CA has lost are made again at the same CA once.
 */
export function passesOn(failure: FailureClass, failures: number): boolean {
  switch (failure) {
    case "outage":
    case "rate_limited":
    case "operator":
    case "unusable":
    case "refused":
      return true;
    case "account":
    case "restart":
      return failures > 1;
    case "validation":
      return false;
  }
}

/** Most CAs whose failures for one name are stored. */
const MAX_SKIPPED = 8;

/** Adds a CA that failed for a name; the oldest entries and those that have ended are dropped. */
export function withSkipped(
  skipped: readonly SkippedIssuer[] | undefined,
  failed: SkippedIssuer,
  now: number,
): readonly SkippedIssuer[] {
  const others = (skipped ?? []).filter(
    ({ authority, until }) => authority !== failed.authority && until > now,
  );
  return [...others, failed].slice(-MAX_SKIPPED);
}

/** Returns the CAs that CAA records forbid while they permit another one; undefined if there are none. */
export function forbiddenAmong(
  issuers: readonly { readonly id: string; readonly permission: { readonly kind: string } }[],
): readonly string[] | undefined {
  const forbidden = issuers.filter(({ permission }) => permission.kind === "forbidden");
  if (forbidden.length === 0 || forbidden.length === issuers.length) return undefined;
  return forbidden.map(({ id }) => id);
}
