import { refused, type Result } from "../base/result.ts";
import type { MailKind, MailKinds } from "./kinds.ts";

/** A mail to one recipient, not written yet. */
export interface NewMail<Kind extends MailKind = MailKind> {
  readonly kind: Kind;
  /** The recipient's email address. */
  readonly to: string;
  /** A language tag (BCP 47). German tags get a German mail, all others an English one. */
  readonly language: string;
  readonly data: MailKinds[Kind];
  /** The account that the mail is about: deleting the account also deletes the mail. Default: none. */
  readonly accountId?: string | undefined;
  /**
   * Names what the mail is about, such as `enquiry 12`, in at most 200 characters: while the first one waits, and for three
   * days after it was queued, another mail with this key to the same recipient is not queued. Default: each mail is new.
   */
  readonly key?: string | undefined;
  /** The page where the recipient can end mails of this kind. Default: none. */
  readonly unsubscribe?: string | undefined;
  /**
   * After this instant, in milliseconds since the Unix epoch, the mail is of no use and is dropped. At most, and by default,
   * three days from now.
   */
  readonly expiresAt?: number | undefined;
}

/**
 * Why a mail was not queued:
 *
 * - `off`: the operator has configured no mail server.
 * - `address`: the recipient's address cannot be one.
 * - `too_large`: the mail is larger than a mail may be.
 * - `too_many`: the recipient has got too many mails of this kind in the last hour.
 * - `full`: too many mails wait already.
 */
export type MailRefusal = "off" | "address" | "too_large" | "too_many" | "full";

/** Sends mail. */
export interface Mail {
  /** False if the operator has configured no mail server: `enqueue` refuses with `off`. */
  readonly enabled: boolean;
  /**
   * Stores a mail, which is sent within seconds, or later if the server cannot take it now. Resolves when it is durable.
   * Rejects with `StoreUnavailable`.
   */
  enqueue<Kind extends MailKind>(mail: NewMail<Kind>): Promise<Result<undefined, MailRefusal>>;
}

/** The mail of an installation without a mail server. */
export const noMail: Mail = {
  enabled: false,
  enqueue: () => Promise.resolve(refused("off")),
};
