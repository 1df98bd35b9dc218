import { ownProblem, type AuthorityProblem } from "../model/acme-problem.ts";
import type { CertificateFacts } from "../model/certificate.ts";
import type { ChallengeKind } from "../model/domain.ts";
import type { OpenOrder } from "../model/order-state.ts";
import type { Account, CertificateAuthority } from "../ports/authority.ts";
import type { OpenChallenge } from "../ports/stored.ts";

/** What came of a step, not written down yet. */
export type Taken =
  | {
      readonly kind: "moved";
      readonly to: Partial<Pick<OpenOrder, "state" | "authorizationUrls" | "challenge">>;
      /** To be answered from now on. */
      readonly challenge?: OpenChallenge;
    }
  /** The CA is not done. */
  | { readonly kind: "waits"; readonly retryAt: number | undefined }
  | { readonly kind: "examined"; readonly chainPem: string; readonly facts: CertificateFacts }
  | { readonly kind: "failed"; readonly problem: AuthorityProblem };

/** What steps are taken with. */
export interface StepTools {
  readonly authority: CertificateAuthority;
  readonly account: Account;
  readonly privateKeyPem: string;
  readonly now: number;
  /** Which way of proving is tried, if the CA offers it. */
  readonly preferred: ChallengeKind;
  readonly challenges: readonly ChallengeKind[];
  readonly signal: AbortSignal;
}

export const failed = (problem: AuthorityProblem): Taken => ({ kind: "failed", problem });
export const moved = (to: Extract<Taken, { readonly kind: "moved" }>["to"]): Taken => ({
  kind: "moved",
  to,
});
export const restart = (message: string): Taken => failed(ownProblem("order_gone", message));
