/**
 * A name that its authoritative servers led elsewhere at the last look that they answered. Instants are in milliseconds
 * since the Unix epoch.
 */
export interface Drift {
  /** The first of these looks. */
  readonly since: number;
  /** The last of them. */
  readonly lookedAt: number;
  /** How many of them count. */
  readonly looks: number;
  /**
   * For how long the looks have seen it. Gaps between looks count at most `MAX_GAP_MS`, and not while drift stands still. So
   * neither a wrong clock nor a pause of this service brings the next stage closer.
   */
  readonly seenMs: number;
  /** The last look does not count, because drift stands still for all names. */
  readonly doubted?: true;
  /** Absent: too few looks yet. */
  readonly stage?: { readonly kind: "drifting" | "moved"; readonly at: number };
}

/** The facts of a domain that say whether it drifts. */
interface Drifting {
  readonly drift?: Drift;
  readonly dns: { readonly passedAt?: number };
}

/** Returns the drift of a name; undefined if a later check passed, possibly by a process of the version before. */
export function driftOf({ drift, dns }: Drifting): Drift | undefined {
  return drift === undefined || (dns.passedAt ?? 0) > drift.lookedAt ? undefined : drift;
}

/** Returns the stage of the drift of a name; undefined if it is not known to drift. */
export function driftStage(domain: Drifting): NonNullable<Drift["stage"]>["kind"] | undefined {
  return driftOf(domain)?.stage?.kind;
}
