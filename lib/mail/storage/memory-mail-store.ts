import type { Eventual } from "../../base/eventual.ts";
import { done, refused, type Result } from "../../base/result.ts";
import type {
  MailChange,
  MailEnd,
  MailStore,
  MailStoreRefusal,
  QueuedMail,
} from "../mail-store.ts";

/** A mail that waits, or what is left of one that has ended. */
type Kept =
  | { readonly mail: QueuedMail; readonly ended?: undefined }
  | {
      readonly mail: Omit<QueuedMail, "sealed" | "nextAt">;
      readonly ended: { readonly end: MailEnd; readonly at: number };
    };

/** Options of a mail store in memory. */
export interface MemoryMailStoreOptions {
  /** Returns whether an account exists. Default: all do. */
  readonly hasAccount?: (accountId: string) => Eventual<boolean>;
}

/** Creates a mail store that forgets its mails with the process. */
export function memoryMailStore({
  hasAccount = () => true,
}: MemoryMailStoreOptions = {}): MailStore {
  let kept: ReadonlyMap<string, Kept> = new Map();
  const waiting = (): readonly QueuedMail[] =>
    [...kept.values()].flatMap((one) => (one.ended === undefined ? [one.mail] : []));
  let last: Promise<unknown> = Promise.resolve();

  const write = async (
    changes: readonly MailChange[],
  ): Promise<Result<undefined, MailStoreRefusal>> => {
    const next = new Map(kept);
    for (const change of changes) {
      const refusal =
        change.kind === "purge" ? await purge(next, change, hasAccount) : apply(next, change);
      if (refusal !== undefined) return refused(refusal);
    }
    kept = next;
    return done(undefined);
  };

  return {
    due: (at, limit) =>
      waiting()
        .filter(({ nextAt, expiresAt }) => nextAt <= at && expiresAt > at)
        .toSorted((a, b) => a.nextAt - b.nextAt || (a.id < b.id ? -1 : 1))
        .slice(0, limit),
    state: () => {
      const created = waiting().map(({ createdAt }) => createdAt);
      return {
        waiting: created.length,
        ...(created.length === 0 ? {} : { oldestAt: Math.min(...created) }),
      };
    },
    commit: (changes) => {
      const written = last.then(() => write(changes));
      last = written.catch(() => undefined);
      return written;
    },
  };
}

/** Applies a change, or returns why it is refused. */
function apply(
  kept: Map<string, Kept>,
  change: Exclude<MailChange, { kind: "purge" }>,
): MailStoreRefusal | undefined {
  if (change.kind === "mail.add") {
    const { mail, max } = change;
    if (kept.has(mail.id)) return "exists";
    if (countWaiting(kept) >= max) return "full";
    kept.set(mail.id, { mail });
    return undefined;
  }
  const { id, attempts } = change;
  const found = kept.get(id);
  if (found === undefined || found.ended !== undefined || found.mail.attempts !== attempts) {
    return "gone";
  }
  const { mail } = found;
  if (change.kind === "mail.end") end(kept, mail, { end: change.end, at: change.at });
  else if (change.kind === "mail.retry") kept.set(id, { mail: { ...mail, nextAt: change.nextAt } });
  else kept.set(id, { mail: { ...mail, attempts: attempts + 1, nextAt: change.until } });
  return undefined;
}

function countWaiting(kept: ReadonlyMap<string, Kept>): number {
  let count = 0;
  for (const { ended } of kept.values()) if (ended === undefined) count++;
  return count;
}

function end(
  kept: Map<string, Kept>,
  { id, kind, accountId, createdAt, expiresAt, attempts }: QueuedMail,
  ended: { readonly end: MailEnd; readonly at: number },
): void {
  const about = accountId === undefined ? {} : { accountId };
  kept.set(id, { mail: { id, kind, ...about, createdAt, expiresAt, attempts }, ended });
}

async function purge(
  kept: Map<string, Kept>,
  { at, endedBefore, limit }: Extract<MailChange, { kind: "purge" }>,
  hasAccount: (accountId: string) => Eventual<boolean>,
): Promise<undefined> {
  const counts = { expired: 0, ended: 0, orphaned: 0 };
  for (const [id, { mail, ended }] of [...kept]) {
    const { accountId } = mail;
    if (accountId !== undefined && counts.orphaned < limit && !(await hasAccount(accountId))) {
      counts.orphaned++;
      kept.delete(id);
    } else if (ended === undefined) {
      if (mail.expiresAt > at || counts.expired === limit) continue;
      counts.expired++;
      end(kept, mail, { end: "expired", at });
    } else if (ended.at < endedBefore && counts.ended < limit) {
      counts.ended++;
      kept.delete(id);
    }
  }
}
