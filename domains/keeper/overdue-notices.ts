import { DAY_MS, MINUTE_MS, isoTime } from "../../lib/base/clock.ts";
import type { Log } from "../../lib/base/log.ts";
import type { Errand } from "../../lib/base/rounds.ts";
import { system } from "../../lib/model/actor.ts";
import type { AuthorityTime } from "../acme/authority-time.ts";
import {
  isOverdue,
  lastNotice,
  operatorToldAt,
  toldEveryMs,
  type NoticeStage,
} from "../model/overdue.ts";
import { isOwnHost } from "../model/own-host.ts";
import type { Domain } from "../model/domain.ts";
import type { DomainStore } from "../ports/domain-store.ts";

/**
 * One notice about all certificates of an account, or of the installation, that should have been replaced. Instants are
 * in milliseconds since the Unix epoch.
 */
export interface OverdueNotice {
  /** Absent: for the operator, about those of all accounts and of the service's own hosts. */
  readonly accountId?: string | undefined;
  /** How many quarters of the time from renewal to expiry have passed for the certificate that is furthest. 4: it has expired. */
  readonly stage: 1 | 2 | 3 | 4;
  readonly overdue: number;
  /** How many of them have expired. */
  readonly expired: number;
  readonly firstExpiresAt: number;
  /** The names of those that expire first, at most `MAX_NAMED_OVERDUE`. */
  readonly names: readonly string[];
}

/** The most names in a notice. */
export const MAX_NAMED_OVERDUE = 10;

/** Groups the domains that reach a stage at about the same time. */
const TELL_EVERY_MS: number = MINUTE_MS;
/** The most notices that wait for the host to take them. */
const MAX_WAITING = 1_000;
const PAGE = 200;

/** Tells the operator and accounts about overdue certificates. */
export interface OverdueNotices {
  /** Takes a domain whose stage was announced, now or before this process started. */
  announced(domain: Domain): void;
  /** Sends the notices, each for all domains. */
  readonly errand: Errand;
}

/** What was announced about the certificates of an account, or of all. */
interface Announced {
  /** The highest stage. */
  readonly stage: NoticeStage;
  /** In what time it is told once. */
  readonly everyMs: number;
}

/**
 * Creates the notices. Of several processes, one tells a stage: it records that in the store first. A process that is
 * killed before it does leaves the notice to the first one that starts within a day. `hand` is called once for each
 * notice, again after a failure; the log gets one line about all certificates.
 */
export function createOverdueNotices({
  store,
  clock,
  log,
  hand,
}: {
  readonly store: Pick<DomainStore, "domains" | "commit">;
  readonly clock: Pick<AuthorityTime, "now" | "host">;
  readonly log: Log;
  readonly hand: (notice: OverdueNotice) => Promise<void>;
}): OverdueNotices {
  /** The notices by account; those for the operator under an empty one. */
  let pending = new Map<string, Announced>();
  /** What was recorded as told and not taken by the host yet. */
  let waiting: readonly OverdueNotice[] = [];

  const add = (scope: string, announced: Announced): void => {
    if (announced.stage > (pending.get(scope)?.stage ?? 0)) pending.set(scope, announced);
  };

  const noticeOf = async (
    scope: string,
    stage: NoticeStage,
  ): Promise<OverdueNotice | undefined> => {
    const now = clock.now();
    if (scope !== "") return accountNotice(store, scope, stage, now);
    const { firstExpiresAt, ...counts } = await store.domains.overdue(now);
    if (firstExpiresAt === undefined) return undefined;
    const names = await store.domains.firstOverdue(now, MAX_NAMED_OVERDUE);
    return { stage, ...counts, firstExpiresAt, names };
  };

  const tell = async (
    scope: string,
    { stage, everyMs }: Announced,
  ): Promise<OverdueNotice | undefined> => {
    const notice = await noticeOf(scope, stage);
    // All have been replaced meanwhile.
    if (notice === undefined) return undefined;
    const accountId = scope === "" ? undefined : scope;
    const at = clock.host.now();
    const change = { kind: "overdue.tell", accountId, stage, at, everyMs } as const;
    const written = await store.commit([change], system);
    if (!written.ok) return undefined;
    if (scope === "") logNotice(log, notice);
    return notice;
  };

  const run = async (): Promise<void> => {
    const batch = pending;
    pending = new Map();
    for (const [scope, announced] of batch) {
      try {
        const notice = await tell(scope, announced);
        if (notice !== undefined) waiting = [...waiting, notice].slice(-MAX_WAITING);
      } catch (error) {
        for (const [left, of] of batch) add(left, of);
        throw error;
      }
      batch.delete(scope);
    }
    const toHand = waiting;
    waiting = [];
    const failures: unknown[] = [];
    for (const notice of toHand) {
      try {
        await hand(notice);
      } catch (error) {
        waiting = [...waiting, notice];
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  };

  return {
    announced: (domain) => {
      const { certificate, accountId } = domain;
      const last = certificate && lastNotice(certificate);
      const now = clock.now();
      if (last === undefined || Math.abs(now - last.at) > DAY_MS) return;
      if (certificate === undefined || !isOverdue(domain, now)) return;
      const announced = { stage: last.stage, everyMs: toldEveryMs(certificate) };
      if (operatorToldAt(domain) !== undefined) add("", announced);
      if (!isOwnHost(domain)) add(accountId, announced);
    },
    errand: {
      what: "telling of overdue certificates",
      everyMs: TELL_EVERY_MS,
      run,
    },
  };
}

async function accountNotice(
  { domains }: Pick<DomainStore, "domains">,
  accountId: string,
  stage: NoticeStage,
  now: number,
): Promise<OverdueNotice | undefined> {
  const found: { readonly unicode: string; readonly notAfter: number }[] = [];
  for (let after: string | undefined; ;) {
    const page = await domains.ofAccount(accountId, { after, limit: PAGE });
    for (const domain of page) {
      const { unicode, certificate } = domain;
      if (certificate === undefined || !isOverdue(domain, now)) continue;
      found.push({ unicode, notAfter: certificate.notAfter });
    }
    after = page.at(-1)?.id;
    if (page.length < PAGE) break;
  }
  const sorted = found.toSorted((a, b) => a.notAfter - b.notAfter);
  const [first] = sorted;
  if (first === undefined) return undefined;
  return {
    accountId,
    stage,
    overdue: sorted.length,
    expired: sorted.filter(({ notAfter }) => notAfter <= now).length,
    firstExpiresAt: first.notAfter,
    names: sorted.slice(0, MAX_NAMED_OVERDUE).map(({ unicode }) => unicode),
  };
}

function logNotice(log: Log, { stage, overdue, expired, firstExpiresAt }: OverdueNotice): void {
  const first = isoTime(firstExpiresAt);
  const ended = expired === 0 ? "" : `, ${expired} of them expired`;
  log.warn(
    `certificates overdue: ${overdue}${ended}, the first ${expired === 0 ? "expires" : "expired"} on ${first}; petstore doctor says what to do`,
    { overdue, expired, firstExpiresAt: first, stage },
  );
}
