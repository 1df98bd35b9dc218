/**
 * What the mails of each kind say. Texts are plain and may contain anything that a person typed: rendering escapes them, and
 * no header is made from one without a check. Instants are in milliseconds since the Unix epoch.
 */
export interface MailKinds {
  /** Invites a new member to choose a password. */
  readonly invitation: {
    /** Display name of the new member; may be empty. */
    readonly name: string;
    /** Name of the account; absent for an operator, who belongs to none. */
    readonly account?: string;
    /** Name or email address of the member who invites; absent if a program or a command does. */
    readonly inviter?: string;
    /** The link that sets the password. A secret. */
    readonly url: string;
    readonly expiresAt: number;
  };
  /** Lets a member choose another password. */
  readonly password_reset: {
    /** Display name of the member; may be empty. */
    readonly name: string;
    /** The link that sets the password. A secret. */
    readonly url: string;
    readonly expiresAt: number;
  };
  /** Forwards a visitor's enquiry to the shelter. A reply goes to the visitor. */
  readonly enquiry: {
    /** Title of the site on which the visitor asked. */
    readonly site: string;
    /** Name of the animal; absent for an enquiry about none. */
    readonly animal?: string;
    /** The visitor's name. */
    readonly name: string;
    /** The visitor's email address, which `faultOfEmail` has accepted. */
    readonly email: string;
    readonly phone?: string;
    /** One or several lines. Mails contain the first 8,000 characters. */
    readonly message: string;
    /** Address of the enquiry in the dashboard. */
    readonly url: string;
  };
  /** Says that certificates should have been replaced by now. */
  readonly certificates_overdue: {
    /** Whether the reader runs the service; otherwise the domains belong to the reader's account. */
    readonly operator: boolean;
    /** How many of the four such mails have been sent with this one. The last one says that a certificate has expired. */
    readonly stage: 1 | 2 | 3 | 4;
    readonly overdue: number;
    /** How many of them have expired. */
    readonly expired: number;
    readonly firstExpiresAt: number;
    /** The domains whose certificates expire first. */
    readonly names: readonly string[];
    /** Address of the page of the dashboard that says what to do. */
    readonly url: string;
  };
  /** Shows the operator that mail works. */
  readonly test: {
    /** Address of the dashboard. */
    readonly url: string;
  };
}

/** The name of a kind. */
export type MailKind = keyof MailKinds;
