import type { DnsFacts, Domain } from "../model/domain.ts";

/** What is to be verified, and which proof is wanted. */
export type VerifySubject = Pick<Domain, "name" | "targetLabel" | "ownershipToken" | "ledHere"> & {
  /** Another account had attached the name before, or has while nobody holds it. */
  readonly attachedBefore: boolean;
  /** Another account holds the name now. */
  readonly contested: boolean;
};

/** What a look at the DNS found. */
export interface VerifierReport {
  readonly state: Exclude<DnsFacts["state"], "unchecked">;
  /** Codes of the findings that block, the most important one first. */
  readonly blocking: readonly string[];
  /** Codes of all findings. Default: those that block. */
  readonly findings?: readonly string[];
  /** When the last stale answer dies. */
  readonly eta?: number;
  /** The name leads to us, whether or not that is enough. */
  readonly leadsHere: boolean;
  /** Where it is worth looking at from outside, which has not been done yet; absent: nowhere. */
  readonly addresses?: readonly string[];
  /** Findings and records as they are shown to the owner; kept as JSON, at most `MAX_REPORT` characters of it. */
  readonly details: unknown;
}

/**
 * Asks the DNS, and who may issue, and judges. Answers within its budget of ten seconds whatever the network does: what
 * could not be asked makes the state `unknown`. Rejects with the signal's reason and for defects alone.
 */
export type Verifier = (subject: VerifySubject, signal: AbortSignal) => Promise<VerifierReport>;

/** Longer details are left out: a stranger's zone decides how long they are. */
export const MAX_REPORT = 200_000;
