import type { Environment } from "../model/account.ts";

/**
 * What a domain needs its owner for:
 *
 * - `records`: a check found that its DNS is wrong.
 * - `stalled`: it is verified, and has had no certificate for half an hour.
 * - `moved`: it has led elsewhere for a week.
 * - `released`: it has led elsewhere for a month and was removed.
 * - `contested`: two accounts claim it.
 * - `lost`: it went to the other account.
 * - `plan`: it is not served, because the account's plan has no custom domains.
 * - `suspended`: it is not served, because the account is suspended.
 */
export type DomainTrouble =
  | "records"
  | "stalled"
  | "moved"
  | "released"
  | "contested"
  | "lost"
  | "plan"
  | "suspended";

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
  /** Says that a domain needs its owner, or no longer leads to the site. */
  readonly domain_attention: {
    /** The domain in Unicode. */
    readonly domain: string;
    readonly trouble: DomainTrouble;
    /** Address of the domain's page in the dashboard. */
    readonly url: string;
  };
  /** Says that a scheduled backup failed. */
  readonly backup_failed: {
    /** What the program said about it. */
    readonly reason: string;
    /** When the last good backup was made; absent if there is none. */
    readonly lastGoodAt?: number;
    /** Address of the page of the dashboard that has the checks. */
    readonly url: string;
  };
  /** Says that the API keys of an account have used most of a day's requests, or all of them. */
  readonly quota_reached: {
    readonly percent: 80 | 100;
    /** Requests a day. */
    readonly limit: number;
    readonly environment: Environment;
    /** When counting starts again. */
    readonly resetsAt: number;
    /** Address of the page that shows which keys send the requests. */
    readonly url: string;
  };
  /** Says that a webhook gets no more events. */
  readonly webhook_disabled: {
    /** The host of its address. */
    readonly host: string;
    /** What its owner wrote about it. */
    readonly description?: string;
    /** `gone`: the receiver answered 410. `failing`: nothing has arrived for days. */
    readonly reason: "gone" | "failing";
    /** The status of the last answer; absent if there was none. */
    readonly status?: number;
    readonly firstFailureAt?: number;
    /** The ID of a webhook of the installation, which the dashboard does not show. */
    readonly systemId?: string;
    /** Address of the page of the dashboard that has the webhooks. */
    readonly url: string;
  };
  /** Says that a member signed in with a browser that has not signed in as this member before. */
  readonly new_device: {
    /** Display name of the member; may be empty. */
    readonly name: string;
    readonly at: number;
    /** The browser and its system by their common names; absent if unknown. */
    readonly browser?: string;
    readonly system?: string;
    /** The network of the client, such as `203.0.113.…`; absent if unknown. */
    readonly network?: string;
    /** Address of the member's profile in the dashboard. */
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
