import type { MailFault } from "../../lib/mail/index.ts";

interface Path {
  readonly path: string;
}
interface Files {
  readonly files: number;
  readonly bytes: number;
}
/** A mail server that could not be used. */
interface FailedMail {
  readonly server: string;
  readonly fault: MailFault;
  /** What the server or the system said, in its own words. */
  readonly said: string;
}
interface Because {
  /** The system's own message, in English. */
  readonly reason: string;
}
/** A CA that takes orders. */
export interface IssuerState {
  readonly ca: string;
  /** The address of our account. Null: created by the first order. */
  readonly account: string | null;
  /** Its names in CAA records. Empty: unknown. */
  readonly caa: readonly string[];
  /** The profile of the options. Null: the CA chooses. */
  readonly profile: string | null;
  /** When it takes new orders again. Null: it takes them. */
  readonly pausedUntil: number | null;
  /** Why it cannot be used now, in English. Null: it can. */
  readonly problem: string | null;
}
interface Named {
  readonly domain: string;
}
export interface Process {
  readonly pid: number;
  readonly address: string;
}
interface Visited {
  readonly http: number;
  readonly https: number;
}
export interface Until {
  readonly path: string;
  readonly notAfter: number;
}
/** The last good backup. */
export interface GoodBackup {
  readonly at: number;
  readonly to: string;
  readonly bytes: number;
  /** Whether it was restored on trial. */
  readonly rehearsed: boolean;
}
/** The last attempt, if it failed. */
export interface FailedBackup {
  readonly failed?: { readonly at: number; readonly reason: string };
}
export interface Backups extends FailedBackup {
  readonly good: GoodBackup;
  readonly nextAt: number;
}
/** Why CAA records are not the ones to enter; domains/model/caa-lock.ts describes each. */
export type LockFault =
  | "other_issuer"
  | "other_account"
  | "letter_case"
  | "missing_method"
  | "malformed";
/** The CAA records that names below the CNAME target should have. */
export interface CaaLocks extends Named {
  /** The records in zone file syntax, one for each CA and account: `*.cname.pets.example.org. CAA 0 issue "…"`. */
  readonly records: readonly string[];
  /** Every record names an account; otherwise one has yet to be registered. */
  readonly complete: boolean;
}
/** Reasons why a host cannot have a certificate. */
export type HostFault =
  | "no_record"
  | "caa_forbids"
  | "caa_error"
  | "ca_unavailable"
  | "unknown"
  | (string & {});

/** The results of the checks by code, with the values in their texts. Codes are a contract: add, never rename. */
export interface CheckFacts {
  /** The check threw. */
  readonly error: Because;
  readonly too_slow: { readonly seconds: number };
  readonly directory_missing: Path;
  readonly not_a_directory: Path;
  readonly directory_unusable: Path & Because;
  readonly directory_private: Path;
  readonly directory_open: Path & { readonly mode: string };
  readonly space_unknown: object;
  readonly space_free: Path & { readonly bytes: number };
  readonly space_low: Path & { readonly bytes: number };
  readonly key_set: object;
  readonly key_set_unfit: object;
  readonly key_none: object;
  readonly key_needed: object;
  readonly key_missing: Path;
  readonly key_invalid: Path & Because;
  readonly key_unfit: Path;
  readonly key_private: Path;
  readonly key_readable: Path & { readonly mode: string };
  readonly database_none: object;
  readonly database_unread: object;
  readonly database_lost: Because;
  readonly database_damaged: Path & Because;
  readonly database_newer: Path & { readonly version: number; readonly known: number };
  readonly database_sound: Path & { readonly version: number; readonly upgradedTo?: number };
  readonly redis_off: object;
  readonly redis_unusable: Because;
  readonly redis_evicts: { readonly server: string };
  readonly redis_sound: { readonly server: string; readonly version: string };
  readonly files_none: object;
  readonly bucket_unusable: { readonly bucket: string } & Because;
  readonly bucket_sound: { readonly bucket: string };
  readonly files_in_database: Files;
  readonly files_sound: Path & Files;
  readonly backups_off: { readonly good?: GoodBackup };
  readonly backups_none: FailedBackup & { readonly to: string; readonly nextAt: number };
  readonly backups_fresh: Backups;
  readonly backups_old: Backups;
  readonly mail_off: object;
  readonly mail_failed: FailedMail;
  readonly mail_sound: {
    readonly server: string;
    readonly encrypted: boolean;
    readonly signedIn: boolean;
  };
  readonly mail_unencrypted: { readonly server: string };
  readonly mail_late: {
    readonly server: string;
    readonly waiting: number;
    /** When the first of them was queued. */
    readonly since: number;
  };
  readonly server_none: object;
  readonly server_ready: Process;
  readonly server_not_ready: Process;
  readonly server_of_other_version: Process & { readonly version: string; readonly own: string };
  /** The port is not listened on; `value` is the option's value. */
  readonly port_off: { readonly value: string };
  readonly port_any: object;
  readonly port_free: { readonly address: string };
  readonly port_ours: { readonly address: string };
  readonly port_unused: { readonly address: string };
  readonly clock_right: { readonly shownAt: number };
  readonly clock_wrong: { readonly shownAt: number };
  readonly clock_behind: { readonly shownAt: number; readonly writtenAt: number };
  readonly clock_differs: { readonly aheadMs: number };
  readonly clock_jumped: { readonly jumpMs: number; readonly pausedMs: number };
  readonly domain_local: Named;
  readonly domain_resolves: { readonly names: readonly string[] };
  readonly domain_missing: { readonly names: readonly string[] };
  readonly sites_local: Named;
  readonly sites_resolve: Named;
  readonly sites_missing: Named;
  /** A published project is below a domain that is also that of the dashboard. */
  readonly cookies_local: object;
  readonly cookies_apart: { readonly dashboard: string };
  readonly sites_share_cookies: { readonly domain: string; readonly dashboard: string };
  readonly https_off: object;
  readonly no_public_ca: Named;
  readonly ports_used: Visited;
  readonly ports_public: object;
  readonly ports_not_public: Visited & {
    /** Ports to forward. */
    readonly forwards: readonly { readonly from: 80 | 443; readonly to: number }[];
  };
  readonly own_certificate_none: object;
  readonly own_certificate_valid: Until;
  readonly own_certificate_ending: Until;
  readonly own_certificate_expired: Until;
  readonly own_certificate_misses: Until & { readonly names: readonly string[] };
  readonly own_certificate_doubted: Until & {
    /** `alone`: without its issuer's certificate; `unlinked`: not signed by the next one in the file. */
    readonly doubt: "alone" | "unlinked";
  };
  readonly targets_local: Named;
  readonly targets_missing: Named;
  readonly targets_elsewhere: Named & { readonly addresses: readonly string[] };
  readonly targets_resolve: Named & { readonly addresses: readonly string[] };
  readonly resolvers_unneeded: object;
  readonly resolvers_answer: { readonly resolvers: readonly string[] };
  readonly resolvers_unvalidating: {
    readonly resolvers: readonly string[];
    /** No other resolver is configured that validates. */
    readonly none: boolean;
  };
  readonly resolvers_silent: Named & { readonly resolvers: readonly string[] };
  readonly ca_internal: object;
  readonly ca_unreachable: Because & { readonly ca: string };
  readonly clock_skew: { readonly aheadMs: number };
  readonly ca_needs_account: { readonly ca: string };
  /** The page is where the CA lets the operator's account go on. */
  readonly ca_asks_operator: { readonly ca: string; readonly page: string };
  readonly ca_paused: { readonly ca: string; readonly until: number; readonly said: string };
  readonly caa_lock_unneeded: object;
  /** The name servers of the CNAME target's zone, or the CA, did not answer. */
  readonly caa_lock_unknown: Named;
  readonly caa_lock_none: CaaLocks;
  readonly caa_lock_right: Named;
  readonly caa_lock_open: CaaLocks;
  /** An account is about to be replaced; `records` are those of the new one. */
  readonly caa_lock_pending: Named & {
    readonly records: readonly string[];
    /** All name servers have them. */
    readonly visible: boolean;
  };
  readonly caa_lock_behind: CaaLocks & { readonly servers: readonly string[] };
  readonly caa_lock_wrong: CaaLocks & { readonly faults: readonly LockFault[] };
  readonly ca_profile_unknown: {
    readonly ca: string;
    readonly profile: string;
    readonly offered: readonly string[];
  };
  readonly ca_partly: { readonly issuers: readonly IssuerState[] };
  readonly ca_answers: { readonly issuers: readonly IssuerState[] };
  readonly hosts_unneeded: object;
  readonly hosts_internal: object;
  readonly hosts_ready: { readonly hosts: readonly string[] };
  readonly hosts_blocked: {
    readonly hosts: readonly { readonly name: string; readonly faults: readonly HostFault[] }[];
  };
  readonly certificates_none: object;
  readonly certificates_ordered: object;
  readonly certificates_valid: { readonly count: number; readonly notAfter: number };
  readonly certificates_expired: {
    readonly count: number;
    readonly notAfter: number;
    readonly expired: number;
  };
  readonly certificates_overdue: {
    readonly count: number;
    readonly overdue: number;
    /** The first to expire, at most three. */
    readonly names: readonly string[];
    /** Since when the first of them is overdue. */
    readonly since: number;
    /** When the first of them expires. */
    readonly notAfter: number;
  };
  readonly domains_none: object;
  readonly domains_unseen: object;
  readonly domains_stay: object;
  /** Live domains that lead elsewhere. */
  readonly domains_drift: { readonly count: number };
  readonly drift_stands_still: { readonly looks: number; readonly bad: number };
  readonly hosts_drift: { readonly names: readonly string[] };
  readonly certificates_not_servable: { readonly names: readonly string[]; readonly count: number };
}

/** The code of a result. */
export type CheckCode = keyof CheckFacts;
