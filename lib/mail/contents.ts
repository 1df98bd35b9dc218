import type { MailKind, MailKinds } from "./kinds.ts";
import type { MailLanguage } from "./words.ts";

/** What is sealed in a row of the queue. */
export type MailContents = {
  readonly [Kind in MailKind]: {
    readonly kind: Kind;
    readonly to: string;
    readonly language: MailLanguage;
    readonly data: MailKinds[Kind];
    readonly unsubscribe?: string | undefined;
  };
}[MailKind];

/** How many mails of a kind an address, and an account, gets in an hour. */
interface MailRates {
  readonly address: number;
  readonly account?: number;
}

/** Invitations have texts that members choose, to any address: no account may send them to the whole world. */
export const mailRates: Readonly<Record<MailKind, MailRates>> = {
  invitation: { address: 5, account: 60 },
  password_reset: { address: 3 },
  enquiry: { address: 60 },
  certificates_overdue: { address: 20 },
  // An outage of a provider may concern all domains of an account: the first mails say enough.
  domain_attention: { address: 10 },
  backup_failed: { address: 3 },
  quota_reached: { address: 5 },
  webhook_disabled: { address: 10 },
  new_device: { address: 5 },
  test: { address: 20 },
};

/** Returns whether a row has a kind that this version can write; an older version may have queued another. */
export function isMailKind(kind: string): kind is MailKind {
  return kind in mailRates;
}
