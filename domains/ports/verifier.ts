import type { DnsFacts, Domain } from "../model/domain.ts";

/** The domain to verify, and which proof is required. */
export type VerifySubject = Pick<Domain, "name" | "targetLabel" | "ownershipToken"> & {
  readonly ledHere?: Domain["ledHere"] | undefined;
  /** Another account attached the name earlier, or attaches it now without holding it. */
  readonly attachedBefore: boolean;
  /** Another account holds the name now. */
  readonly contested: boolean;
  /**
   * When the check became due, by the host's clock in milliseconds since the Unix epoch: earlier answers to other checks are not
   * used. Default: now.
   */
  readonly dueSince?: number | undefined;
};

/** The result of a DNS check. */
export interface VerifierReport {
  readonly state: Exclude<DnsFacts["state"], "unchecked">;
  /** Codes of the blocking findings, most important first. */
  readonly blocking: readonly string[];
  /** Codes of all findings. Default: `blocking`. */
  readonly findings?: readonly string[];
  /** When the last outdated cached answer expires. */
  readonly eta?: number | undefined;
  /** Ids of the authorities that CAA records forbid while they permit another one. Absent: none. */
  readonly forbidden?: readonly string[] | undefined;
  /** The name points here, whether or not that suffices. */
  readonly leadsHere: boolean;
  /** Addresses still to be checked from outside; absent: none. */
  readonly addresses?: readonly string[] | undefined;
  /** Findings and records for the owner, stored as JSON of at most `MAX_REPORT` characters. */
  readonly details: unknown;
}

/**
 * Checks DNS and CAA and judges the result within ten seconds; whatever could not be learned makes the state
 * `unknown`. Rejects only with the signal's reason, or on a defect.
 */
export type Verifier = (subject: VerifySubject, signal: AbortSignal) => Promise<VerifierReport>;

/** Longest stored report in characters; longer details are omitted, as a zone's content is not under our control. */
export const MAX_REPORT = 200_000;
