import type { FailureClass } from "./backoff.ts";
import type {
  ActiveCertificate,
  ChallengeKind,
  DnsFacts,
  Domain,
  Granted,
  IssuanceFailure,
  IssuerOptions,
  Removal,
  ReplacementReason,
} from "./domain.ts";
import type { RenewalWindow } from "./renewal.ts";
import type { OutsideView } from "./outside.ts";
import type { News } from "./timeline.ts";

/** What came of a task, or of what a person did. */
export type Outcome =
  /** A person wants it looked at now. */
  | { readonly kind: "asked" }
  | {
      readonly kind: "checked";
      readonly state: Exclude<DnsFacts["state"], "unchecked">;
      /** Of the findings that block. */
      readonly codes: readonly string[];
      readonly eta?: number;
      /** The name leads to us, whether or not that is enough. */
      readonly leadsHere: boolean;
      /** Where it is to be looked at from outside; absent: nowhere. */
      readonly addresses?: readonly string[];
      /** `held`: another account has the name and its records still verify; `given_up`: they do not. */
      readonly name: "free" | "held" | "given_up";
      /** Before that nothing was asked: whoever asks later has not been answered by it. Default: now. */
      readonly beganAt?: number;
    }
  | {
      readonly kind: "gates";
      readonly plan: boolean;
      readonly deploy: boolean;
      readonly project: boolean;
    }
  | { readonly kind: "order_begun"; readonly resumeAt: number }
  | { readonly kind: "order_moved"; readonly resumeAt: number }
  /** One way of proving failed; the order goes on with another. */
  | {
      readonly kind: "unproven";
      readonly failedBefore: ChallengeKind;
      readonly fallback: ChallengeKind;
      /** The CA's words. */
      readonly message: string;
      readonly resumeAt: number;
    }
  | ({
      readonly kind: "order_failed";
      readonly failure: FailureClass;
      /** With whom; absent: not known. */
      readonly issuer?: IssuerOptions;
      /** What the order had been granted, which the next one may profit from. */
      readonly granted?: Pick<Granted, "authority" | "urls">;
    } & Omit<IssuanceFailure, "at" | "by">)
  /** The program started, or its clock was put back. `issuer` is whom orders go to now. */
  | {
      readonly kind: "reviewed";
      readonly issuer: IssuerOptions;
      /** Whether the clock follows the CA's time. */
      readonly timeKnown: boolean;
    }
  /** The operator wants the certificate replaced now. */
  | { readonly kind: "replace"; readonly reason: ReplacementReason }
  /** No order may begin before `until`, through no fault of the name; one that is open is given up. */
  | {
      readonly kind: "order_held";
      readonly issuer: IssuerOptions;
      readonly until: number;
      readonly message: string;
    }
  /** Order and authorizations are given up, through no fault of the name. */
  | { readonly kind: "order_dropped" }
  | {
      readonly kind: "issued";
      readonly certificate: Omit<ActiveCertificate, "activeSince" | "warnedAt" | "probedAt">;
      /** Authorizations that the order had. */
      readonly authorizationUrls: readonly string[];
      /** What worked. */
      readonly challenge?: ChallengeKind;
    }
  | { readonly kind: "probed"; readonly answered: boolean }
  /** Somebody looked from outside. */
  | { readonly kind: "looked"; readonly view: OutsideView }
  /** The CA was asked when it wants the certificate replaced. */
  | {
      readonly kind: "renewal_info";
      /** Which one it was asked about. */
      readonly certificateId: string;
      /** Absent: it said nothing. */
      readonly info?: { readonly window: RenewalWindow; readonly explanationUrl?: string };
      readonly checkAt: number;
      /** A random number from 0 up to 1. */
      readonly spread: number;
    }
  /** The CA was told to revoke the certificate that is to be revoked. */
  | {
      readonly kind: "revoked";
      /** Absent: it did, or had before. */
      readonly refusal?: {
        readonly message: string;
        /** It may do so later. */
        readonly retry: boolean;
        readonly retryAt?: number;
      };
    }
  | { readonly kind: "stopped" }
  | { readonly kind: "warned" }
  /** The name went to another account. */
  | { readonly kind: "lost" }
  | { readonly kind: "removed"; readonly reason: Removal["reason"] };

/** A domain after something came of it, and what there is to tell. */
export interface Settled {
  readonly domain: Domain;
  readonly news: readonly News[];
}

/** One kind of outcome. */
export type OutcomeOf<Kind extends Outcome["kind"]> = Extract<Outcome, { readonly kind: Kind }>;
