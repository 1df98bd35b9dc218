import type { Problem } from "../base/problem.ts";
import type { Result } from "../base/result.ts";
import type { Account } from "../model/account.ts";
import type { ProjectView } from "../publishing/shapes/projects.ts";

/**
 * What the program that serves this API knows of itself: its options, its machine, and the world that leads to it.
 * Each looks at most once at a time, and for a bounded time; what was found seconds ago is told again.
 */
export interface System {
  /** Looks at everything that the service needs, without changing anything. */
  report(): Promise<SystemReport>;
  /**
   * What `name`, which is a domain or an address, lacks to be the base domain; without a name, what the present one
   * does. Refused `unavailable` when too many names wait for their turn.
   */
  baseDomain(name: string | undefined): Promise<Result<BaseDomainReport, Problem>>;
  /** An account with animals, and a site that shows them, to try things with. `author` is written into its deploy. */
  sampleShelter(author: string): Promise<Result<SampleShelter, Problem>>;
}

export const checkStates = ["ok", "warning", "failed", "skipped"] as const;
/** `warning` is worth a look; `failed` keeps something from working; `skipped` does not matter here. */
export type CheckState = (typeof checkStates)[number];

/** What was found of one thing. */
export interface SystemCheck {
  /** In kebab-case; it does not change. */
  readonly id: string;
  /** For people, in English as all texts here. */
  readonly title: string;
  readonly state: CheckState;
  readonly message: string;
  readonly fix: string | null;
}

/** An option as the program was given it. */
export interface SystemSetting {
  readonly name: string;
  /** As it could be written; `(set)` for a secret, empty for what is not set. */
  readonly value: string;
  readonly origin: SettingOrigin;
}

export const settingOrigins = ["flag", "environment", "file", "default"] as const;
export type SettingOrigin = (typeof settingOrigins)[number];

export interface SystemReport {
  readonly version: string;
  readonly startedAt: number;
  readonly baseDomain: string;
  /** Where people find the dashboard. */
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
export type BaseDomainCheckId = (typeof baseDomainCheckIds)[number];

/** What can be said of a name that is to be the base domain; which of them a check can say depends on the check. */
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
export type BaseDomainCode = (typeof baseDomainCodes)[number];

export interface BaseDomainCheck {
  readonly id: BaseDomainCheckId;
  readonly state: CheckState;
  /** Says what was found to programs, and to people in their language. */
  readonly code: BaseDomainCode;
  /** The name that was looked at; a wildcard as it stands in a zone, `*.pets.example.org`. */
  readonly subject: string;
  /** Values as they were found, separated by commas; null where there are none. */
  readonly observed: string | null;
  readonly expected: string | null;
  /** One sentence, in English. */
  readonly fix: string | null;
}

/** A record to enter where the DNS of the name is managed. */
export interface BaseDomainRecord {
  readonly type: "A" | "AAAA";
  readonly name: string;
  /** Null where the service does not know its own public address. */
  readonly value: string | null;
  /** Seconds. */
  readonly ttl: number;
  /** The check that looks at it. */
  readonly check: BaseDomainCheckId;
}

/** An option to be changed, by all the names that it has. */
export interface BaseDomainOption {
  /** As a key of the configuration file; a flag has two hyphens before it. */
  readonly name: string;
  readonly environment: string;
  readonly value: string;
}

export interface BaseDomainReport {
  readonly name: string;
  /** Public addresses of this service, as far as it knows them. */
  readonly addresses: readonly string[];
  readonly checks: readonly BaseDomainCheck[];
  readonly records: readonly BaseDomainRecord[];
  /** What is to be changed for it: nothing is by itself. Empty where all is as it should be. */
  readonly configuration: readonly BaseDomainOption[];
}

export interface SampleShelter {
  readonly account: Account;
  readonly project: ProjectView;
}
