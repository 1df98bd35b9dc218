import { ownProblem, type AuthorityProblem } from "../model/acme-problem.ts";
import type { CertificateFacts } from "../model/certificate.ts";
import type { ChallengeKind } from "../model/domain.ts";
import type { OpenOrder } from "../model/order-state.ts";
import type { Account, CertificateAuthority } from "../ports/authority.ts";
import type { OpenChallenge } from "../ports/domain-change.ts";

/** What came of a step, not written down yet. */
export type Taken =
  | {
      readonly kind: "moved";
      readonly to: Partial<
        Pick<OpenOrder, "state" | "authorizationUrls" | "challenge" | "fallback" | "finalizeUrl">
      >;
      /** To be answered from now on. */
      readonly challenge?: OpenChallenge;
      /** The CA was asked to do something: its result is asked for later, not before `retryAt`. */
      readonly asked?: { readonly retryAt: number | undefined };
    }
  /** The CA is not done; `retryAt` is on the host's clock, as authorities give it. */
  | { readonly kind: "waits"; readonly retryAt: number | undefined }
  /** The certificate is not valid before `until`, in the CA's time. */
  | { readonly kind: "held"; readonly until: number }
  | { readonly kind: "examined"; readonly chainPem: string; readonly facts: CertificateFacts }
  /** The proof failed in a way that leaves another: a new order can try it. */
  | {
      readonly kind: "unproven";
      readonly problem: AuthorityProblem;
      readonly fallback: ChallengeKind;
    }
  | { readonly kind: "failed"; readonly problem: AuthorityProblem };

/** What steps are taken with. */
export interface StepTools {
  readonly authority: CertificateAuthority;
  readonly account: Account;
  readonly privateKeyPem: string;
  readonly now: number;
  /** Whether `now` can be compared with the dates in certificates. */
  readonly timeKnown: boolean;
  /** Which way of proving is tried, if the CA offers it. */
  readonly preferred: ChallengeKind;
  readonly challenges: readonly ChallengeKind[];
  /** The certificate that the new one takes the place of (RFC 9773 §5); absent: none, or the CA does not care. */
  readonly replaces?: string;
  readonly signal: AbortSignal;
}

export const failed = (problem: AuthorityProblem): Taken => ({ kind: "failed", problem });
export const moved = (to: Extract<Taken, { readonly kind: "moved" }>["to"]): Taken => ({
  kind: "moved",
  to,
});
export const asked = (
  to: Extract<Taken, { readonly kind: "moved" }>["to"],
  retryAt: number | undefined,
): Taken => ({ kind: "moved", to, asked: { retryAt } });
export const restart = (message: string): Taken => failed(ownProblem("order_gone", message));
