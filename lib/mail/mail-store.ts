import type { Eventual } from "../base/eventual.ts";
import type { Result } from "../base/result.ts";

/** A mail that waits. Instants are in milliseconds since the Unix epoch. */
export interface QueuedMail {
  /** `mail_` and 24 characters; the same for each mail with the same key and recipient. */
  readonly id: string;
  readonly kind: string;
  /** Absent for a mail about no account. */
  readonly accountId?: string;
  /** Recipient, language and contents, sealed. */
  readonly sealed: string;
  readonly createdAt: number;
  /** When it is of no use any more. */
  readonly expiresAt: number;
  /** The attempts that have begun. */
  readonly attempts: number;
  /** When the next attempt is due. While an attempt runs: when it counts as failed. */
  readonly nextAt: number;
}

/** How a mail ended: `expired` if no attempt succeeded in time. */
export type MailEnd = "sent" | "refused" | "expired";

/** A write, as data. `at` is when it was decided. Instants are in milliseconds since the Unix epoch. */
export type MailChange =
  /**
   * Queues a mail. Refused `exists` if a mail with its id waits, or has ended and was not purged since; `full` if `max`
   * mails wait.
   */
  | { readonly kind: "mail.add"; readonly mail: QueuedMail; readonly max: number }
  /**
   * Begins the attempt after `attempts` others, which no other process begins before `until`. Refused `gone` if the mail has
   * ended, or if another attempt has begun.
   */
  | {
      readonly kind: "mail.claim";
      readonly id: string;
      readonly attempts: number;
      readonly until: number;
    }
  /** Ends the attempt with this number and plans another one. Refused `gone` if a later one has begun. */
  | {
      readonly kind: "mail.retry";
      readonly id: string;
      readonly attempts: number;
      readonly nextAt: number;
    }
  /**
   * Ends a mail after the attempt with this number: deletes its recipient and contents. Refused `gone` if a later one has
   * begun.
   */
  | {
      readonly kind: "mail.end";
      readonly id: string;
      readonly attempts: number;
      readonly end: MailEnd;
      readonly at: number;
    }
  /**
   * Of each kind, at most `limit` rows: ends mails that have expired as `expired`; removes mails that ended before
   * `endedBefore`, and those of deleted accounts.
   */
  | {
      readonly kind: "purge";
      readonly at: number;
      readonly endedBefore: number;
      readonly limit: number;
    };

/** Why a change was refused. */
export type MailStoreRefusal = "exists" | "full" | "gone";

/** The state of the queue. Instants are in milliseconds since the Unix epoch. */
export interface MailQueueState {
  readonly waiting: number;
  /** When the mail that waits longest was queued; absent if none waits. */
  readonly oldestAt?: number;
}

/**
 * Stores mails that wait, in the same database as the store. Every adapter must guarantee (`mailStoreContract`):
 *
 * - `commit` applies all of its changes or none, in order, and resolves only when they are durable. It resolves with the
 *   first refusal, if there is one.
 * - A read sees every commit of this process that had resolved when the read was called.
 * - Of several processes that claim the same attempt, one succeeds.
 * - A mail that has ended keeps neither its recipient nor its contents.
 */
export interface MailStore {
  /** Mails that are due and have not expired, the longest due first. */
  due(at: number, limit: number): Eventual<readonly QueuedMail[]>;
  state(): Eventual<MailQueueState>;
  commit(changes: readonly MailChange[]): Promise<Result<undefined, MailStoreRefusal>>;
}
