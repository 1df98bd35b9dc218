import { ownProblem, type AuthorityProblem } from "../model/acme-problem.ts";
import type { ChallengeKind } from "../model/domain.ts";
import type { OpenOrder } from "../model/order-state.ts";
import type { ReadChain } from "../acme/inspect.ts";
import type { Rehearse } from "../ports/certificates.ts";
import type { Account, CertificateAuthority } from "../ports/authority.ts";
import type { OpenChallenge } from "../ports/domain-change.ts";

/** The result of a step, not saved yet. */
export type StepResult =
  | {
      readonly kind: "moved";
      readonly to: Partial<
        Pick<
          OpenOrder,
          "state" | "authorizationUrls" | "challenge" | "fallback" | "finalizeUrl" | "expiresAt"
        >
      >;
      /** The challenge to respond to from now on. */
      readonly challenge?: OpenChallenge;
      /** The CA has started work: poll for its result, not before `retryAt`. */
      readonly asked?: { readonly retryAt: number | undefined };
    }
  /** The CA is not done; `retryAt` is on the host's clock. */
  | { readonly kind: "waits"; readonly retryAt: number | undefined }
  /** The certificate is not valid before `until`, in the CA's time. */
  | { readonly kind: "held"; readonly until: number }
  /** The certificate has passed every check and a local handshake. */
  | {
      readonly kind: "examined";
      readonly chain: ReadChain;
      /** By how much it is not valid yet by our clocks, which are behind. Absent: it is valid. */
      readonly earlyMs?: number;
    }
  /** The proof failed; a new order can try another challenge. */
  | {
      readonly kind: "unproven";
      readonly problem: AuthorityProblem;
      readonly fallback: ChallengeKind;
    }
  | { readonly kind: "failed"; readonly problem: AuthorityProblem };

/** The dependencies of a step. */
export interface StepTools {
  readonly authority: CertificateAuthority;
  readonly account: Account;
  readonly privateKeyPem: string;
  readonly now: number;
  /** Likewise by our own clock. */
  readonly ownNow: number;
  /** Whether `now` can be compared with the dates in certificates. */
  readonly timeKnown: boolean;
  /** The challenge to use if the CA offers it. */
  readonly preferred: ChallengeKind;
  readonly challenges: readonly ChallengeKind[];
  /** `renewalId` of the certificate to be replaced (RFC 9773 §5); absent: none, or unsupported by the CA. */
  readonly replaces?: string;
  /** Called when the CA refused the profile, before the order is requested without it. */
  readonly onProfileRefused: (problem: AuthorityProblem) => void;
  readonly rehearse: Rehearse;
  readonly signal: AbortSignal;
}

export const failed = (problem: AuthorityProblem): StepResult => ({ kind: "failed", problem });
export const moved = (to: Extract<StepResult, { readonly kind: "moved" }>["to"]): StepResult => ({
  kind: "moved",
  to,
});
export const asked = (
  to: Extract<StepResult, { readonly kind: "moved" }>["to"],
  retryAt: number | undefined,
): StepResult => ({ kind: "moved", to, asked: { retryAt } });
export const restart = (message: string): StepResult => failed(ownProblem("order_gone", message));
