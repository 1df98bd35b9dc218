import { aClock, anything, aText, checkOptions, listOf, optional } from "../../lib/base/options.ts";
import type { Eventual } from "../../lib/base/eventual.ts";
import { MINUTE_MS, SECOND_MS, type Clock } from "../../lib/base/clock.ts";
import type { ChallengeKind } from "../model/domain.ts";
import type { Issuer } from "../model/verification.ts";
import type { CertificateAuthority } from "../ports/authority.ts";

/** Options of the CAs from which certificates are ordered. */
export interface IssuersOptions {
  /** The CAs, in order of preference. */
  readonly authorities: readonly CertificateAuthority[];
  /** Reads the accounts with the CAs: a `DomainStore` has it. */
  readonly store: {
    readonly accounts: {
      /** Returns our account with an authority. */
      of(authority: string): Eventual<{ readonly url?: string } | undefined>;
    };
  };
  /** The challenges that this service can answer, preferred first. */
  readonly challenges: readonly ChallengeKind[];
  /** Names in CAA records of the first authority, if it has none of its own. Default: those in its directory, or the host of the directory. */
  readonly caaIdentities?: readonly string[] | undefined;
  /** `systemClock`, or a clock of your own. */
  readonly clock: Clock;
}

/** Longest wait for a directory: a check of a domain has ten seconds in total. */
const DIRECTORY_MS: number = 3 * SECOND_MS;
/** A directory that did not answer is asked again after this time. */
const RETRY_MS: number = MINUTE_MS;

/** Names in CAA records by host of the directory, for when the directory is unavailable. */
const WELL_KNOWN: ReadonlyMap<string, readonly string[]> = new Map([
  ["acme-v02.api.letsencrypt.org", ["letsencrypt.org"]],
  ["acme-staging-v02.api.letsencrypt.org", ["letsencrypt.org"]],
]);

/**
 * Returns what CAA records must permit for each authority. The internal one ignores them. Throws a `TypeError` for
 * invalid options.
 */
export function issuersOf(options: IssuersOptions): () => Promise<readonly Issuer[]> {
  checkOptions("issuersOf", options, {
    authorities: listOf(anything, 1),
    store: anything,
    challenges: listOf(aText),
    caaIdentities: optional(listOf(aText)),
    clock: aClock,
  });
  const { authorities, store, challenges, caaIdentities, clock } = options;
  const known = new Map<string, readonly string[]>();
  /** When each authority last failed to answer: checks of many names must not ask it again and again. */
  const unanswered = new Map<string, number>();

  const identitiesOf = async (authority: CertificateAuthority): Promise<readonly string[]> => {
    const kept = known.get(authority.id);
    if (kept !== undefined) return kept;
    const { hostname } = new URL(authority.id);
    const sinceMs = clock.now() - (unanswered.get(authority.id) ?? -Infinity);
    const asks = sinceMs < 0 || sinceMs >= RETRY_MS;
    const directory = asks
      ? await within(clock, (signal) => authority.directory(signal))
      : undefined;
    if (asks && directory?.ok !== true) unanswered.set(authority.id, clock.now());
    // A guess could reject valid records. Not cached: the next request may succeed.
    if (directory?.ok !== true) return WELL_KNOWN.get(hostname) ?? [];
    const { caaIdentities: said } = directory.value;
    const told = said.length === 0 ? [hostname] : said;
    known.set(authority.id, told);
    return told;
  };

  return () =>
    Promise.all(
      authorities.map(async (authority, index): Promise<Issuer> => {
        const { id, kind } = authority;
        if (kind === "internal") return { id };
        const given = authority.caaIdentities ?? (index === 0 ? caaIdentities : undefined);
        const identities = given ?? (await identitiesOf(authority));
        const accountUri = (await store.accounts.of(id))?.url;
        const account = accountUri === undefined ? {} : { accountUri };
        return { id, caa: { identities, ...account, methods: challenges } };
      }),
    );
}

/** Resolves with undefined after `DIRECTORY_MS`. */
async function within<Value>(
  clock: Clock,
  ask: (signal: AbortSignal) => Promise<Value>,
): Promise<Value | undefined> {
  const over = new AbortController();
  const tooLate = clock.sleep(DIRECTORY_MS, over.signal).then(
    () => undefined,
    () => undefined,
  );
  try {
    return await Promise.race([ask(over.signal).catch(() => undefined), tooLate]);
  } finally {
    over.abort();
  }
}
