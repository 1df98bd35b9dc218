/** A mailbox with a display name. */
export interface Mailbox {
  /** An email address that `faultOfEmail` accepts. */
  readonly address: string;
  /** One line without control characters. Default: none. */
  readonly name?: string;
}

/** A written mail to one recipient. */
export interface OutgoingMail {
  /** Identifies the mail at all attempts, so that a mailbox can recognize a second copy: `…@example.org`, without brackets. */
  readonly messageId: string;
  readonly from: Mailbox;
  readonly to: Mailbox;
  /** Where a reply goes. Default: `from`. */
  readonly replyTo?: Mailbox;
  /** One line without control characters. */
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** The language of the texts, as a tag (BCP 47). */
  readonly language: string;
  /** When the mail was written, in milliseconds since the Unix epoch. */
  readonly at: number;
  /** The page where the recipient can end such mails, and that ends them if it gets a POST (RFC 8058). Default: none. */
  readonly unsubscribe?: string;
}

/** Why a server did not take a mail. */
export const mailFaults = [
  "unreachable",
  "timeout",
  "cut",
  "tls",
  "credentials",
  "sender",
  "busy",
  "protocol",
  "recipient",
  "content",
] as const;

/**
 * - `unreachable`: its name has no address, or nothing accepts connections there.
 * - `timeout`: it took too long to answer.
 * - `cut`: it closed the connection, or this process stopped sending.
 * - `tls`: its certificate is not trusted, or it does not offer the encryption that is required.
 * - `credentials`: it requires a sign-in, or refuses the user and password.
 * - `sender`: it refuses the address in `from`.
 * - `busy`: it asks to try again later.
 * - `protocol`: it does not speak SMTP, or gives an answer that SMTP does not have.
 * - `recipient`: it refuses the recipient.
 * - `content`: it refuses the mail itself, as too large for example.
 */
export type MailFault = (typeof mailFaults)[number];

/** A failed attempt. */
export interface MailFailure {
  readonly fault: MailFault;
  /** The reply code of the server (RFC 5321 §4.2); absent if it gave none. */
  readonly code?: number;
  /** What the server or the system said, at most 300 characters of one line. For the operator only: may name the recipient. */
  readonly said: string;
}

/**
 * The outcome of an attempt. `later`: another attempt may succeed, and `server` says whether other mails would fail now as
 * well. `refused`: no attempt with the same mail can succeed.
 */
export type Delivery =
  | { readonly outcome: "sent" }
  | ({ readonly outcome: "later"; readonly server: boolean } & MailFailure)
  | ({ readonly outcome: "refused" } & MailFailure);

/** What a server offered. */
export interface MailServer {
  readonly encrypted: boolean;
  readonly signedIn: boolean;
}

/** The state of a mail server. */
export type MailServerState =
  | ({ readonly reached: true } & MailServer)
  | ({ readonly reached: false } & MailFailure);

/**
 * Hands mails to the operator's mail server. Every adapter must guarantee:
 *
 * - Each call ends within a bounded time, and soon after `signal` is aborted. It never rejects.
 * - `sent` means that the server has taken responsibility for the mail. After another outcome it may have taken it too, if
 *   the connection ended before its answer arrived.
 * - No part of a mail adds a header, a recipient or a command.
 */
export interface Mailer {
  send(mail: OutgoingMail, signal?: AbortSignal): Promise<Delivery>;
  /** Connects, and signs in if a user is configured. Sends nothing. */
  check(signal?: AbortSignal): Promise<MailServerState>;
}
