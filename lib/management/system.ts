import type { Actor } from "../model/actor.ts";
import type { Problem } from "../base/problem.ts";
import type { Result } from "../base/result.ts";
import type { MailFault } from "../mail/mailer.ts";
import type { Account } from "../model/account.ts";
import type { ProjectView } from "../publishing/shapes/projects.ts";

/**
 * Information about the program that serves this API: its options, its machine, and the DNS that leads to it. Each method
 * runs once at a time and for a bounded time, and reuses results for a few seconds.
 */
export interface System {
  /** Checks everything that the service needs. Changes nothing. */
  report(): Promise<SystemReport>;
  /**
   * Checks whether `name`, a domain or an address, can be the base domain. Default: the current base domain.
   * `unavailable` when too many names are waiting.
   */
  baseDomain(name: string | undefined): Promise<Result<BaseDomainReport, Problem>>;
  /** Lists the processes that serve this installation, by name. */
  nodes(): Promise<readonly NodeView[]>;
  /**
   * Sends a test mail to an address now, and returns what the mail server said. `not_found` if none is configured,
   * `invalid_value` for an address that cannot be one.
   */
  testMail(to: string, language: string): Promise<Result<MailTest, Problem>>;
  /** Creates a sample account with animals, and a site that shows them. `author` is the author of its deploy, `actor` of all changes. */
  sampleShelter(author: string, actor: Actor): Promise<Result<SampleShelter, Problem>>;
}

export const mailTestOutcomes = ["sent", "later", "refused"] as const;

/** The outcome of a test mail. */
export interface MailTest {
  /** `later`: another attempt may succeed. `refused`: none can. */
  readonly outcome: (typeof mailTestOutcomes)[number];
  /** Why the server did not take it; null if it did. */
  readonly fault: MailFault | null;
  /** The server's reply code; null if it gave none. */
  readonly code: number | null;
  /** What the server or the system said; null if the mail was sent. */
  readonly said: string | null;
}

/** The states of a node. */
export const nodeStates = ["active", "lost"] as const;
/** `lost` has not reported for ten seconds. */
export type NodeState = (typeof nodeStates)[number];

export const limitsPlaces = ["memory", "postgres", "redis", "moving"] as const;
/** Where a node believes that limits are counted. */
export type LimitsPlace = (typeof limitsPlaces)[number];

export const redisStates = ["off", "ok", "unavailable"] as const;
/** Whether a node reaches Redis; `off` if none is configured. */
export type RedisState = (typeof redisStates)[number];

/**
 * A process that serves this installation. Instants are by the clock of the database. Instants are in milliseconds
 * since the Unix epoch.
 */
export interface NodeView {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly state: NodeState;
  readonly startedAt: number;
  readonly seenAt: number;
  readonly addresses: readonly string[];
  /** How old its copies of keys, routes and sites could be when it reported. */
  readonly lagMs: number;
  /** How long the database took to confirm the report before. */
  readonly databaseMs: number;
  /** The milliseconds by which its clock was ahead of the database's. */
  readonly clockAheadMs: number;
  readonly limitsIn: LimitsPlace;
  /** When the counting last moved; absent if it never has. */
  readonly limitsMovedAt?: number;
  readonly redis: RedisState;
  /** Since when Redis has been `ok` or `unavailable` to this node. */
  readonly redisChangedAt?: number;
}

export const checkStates = ["ok", "warning", "failed", "skipped"] as const;
/** `warning` deserves attention, `failed` keeps something from working, `skipped` does not apply here. */
export type CheckState = (typeof checkStates)[number];

/** The result of one check. */
export interface SystemCheck {
  /** The id in kebab-case, which never changes. */
  readonly id: string;
  /** The title for people; like all texts here, in English. */
  readonly title: string;
  readonly state: CheckState;
  /** The result, for programs and for translated texts. Later versions may add codes. */
  readonly code: string;
  /** The values in the texts, by `code`. */
  readonly data: object;
  readonly message: string;
  readonly fix: string | null;
}

/** An option of the program. */
export interface SystemSetting {
  readonly name: string;
  /** The value as text; `(set)` for a secret, empty for an unset option. */
  readonly value: string;
  readonly origin: SettingOrigin;
}

export const settingOrigins = ["flag", "environment", "file", "default"] as const;
/** Where the value of an option comes from. */
export type SettingOrigin = (typeof settingOrigins)[number];

/** The report about this installation. Instants are in milliseconds. */
export interface SystemReport {
  readonly version: string;
  readonly startedAt: number;
  readonly baseDomain: string;
  /** Address of the dashboard. */
  readonly address: string;
  readonly checks: readonly SystemCheck[];
  readonly settings: readonly SystemSetting[];
}

export const baseDomainCheckIds = [
  "name",
  "address",
  "staging",
  "wildcard",
  "targets",
  "http",
  "https",
  "caa",
] as const;
/** The name of a check of a base domain. */
export type BaseDomainCheckId = (typeof baseDomainCheckIds)[number];

/** The results of the checks of a base domain. Each check uses some of them. */
export const baseDomainCodes = [
  "right",
  "this_computer",
  "ip_address",
  "special_use",
  "public_suffix",
  "no_record",
  "elsewhere",
  "partly_elsewhere",
  "dns_silent",
  "no_public_address",
  "somebody_else",
  "refused",
  "timeout",
  "circle",
  "open",
  "https_off",
  "ca_forbidden",
  "ca_unasked",
  "not_needed",
] as const;
/** The result of a check of a base domain. */
export type BaseDomainCode = (typeof baseDomainCodes)[number];

/** A check of a base domain and its result. */
export interface BaseDomainCheck {
  readonly id: BaseDomainCheckId;
  readonly state: CheckState;
  /** The result, for programs and for translated texts. */
  readonly code: BaseDomainCode;
  /** The name that was checked; a wildcard as in a zone, `*.pets.example.org`. */
  readonly subject: string;
  /** The values that were found, separated by commas; null without any. */
  readonly observed: string | null;
  readonly expected: string | null;
  /** One sentence, in English. */
  readonly fix: string | null;
}

/** A DNS record to create. */
export interface BaseDomainRecord {
  readonly type: "A" | "AAAA";
  readonly name: string;
  /** Null if the service does not know its own public address. */
  readonly value: string | null;
  /** Seconds. */
  readonly ttl: number;
  /** The check that needs it. */
  readonly check: BaseDomainCheckId;
}

/** An option to change, with all its names. */
export interface BaseDomainOption {
  /** The key in the configuration file; the flag is the same with two hyphens. */
  readonly name: string;
  readonly environment: string;
  readonly value: string;
}

/** The report about a base domain: its checks, and the records and options that it needs. */
export interface BaseDomainReport {
  readonly name: string;
  /** Public addresses of this service, as far as it knows them. */
  readonly addresses: readonly string[];
  readonly checks: readonly BaseDomainCheck[];
  readonly records: readonly BaseDomainRecord[];
  /** The options to change by hand; empty if all are right. */
  readonly configuration: readonly BaseDomainOption[];
}

/** A sample account with a project. */
export interface SampleShelter {
  readonly account: Account;
  readonly project: ProjectView;
}
