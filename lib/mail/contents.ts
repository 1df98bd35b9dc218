import type { MailKind, MailKinds } from "./kinds.ts";
import type { MailLanguage } from "./words.ts";

/** What is sealed in a row of the queue. */
export type MailContents = {
  readonly [Kind in MailKind]: {
    readonly kind: Kind;
    readonly to: string;
    readonly language: MailLanguage;
    readonly data: MailKinds[Kind];
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
  test: { address: 20 },
};

/** Returns whether a row has a kind that this version can write; an older version may have queued another. */
export function isMailKind(kind: string): kind is MailKind {
  return kind in mailRates;
}
