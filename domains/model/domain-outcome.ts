import type { PauseCause } from "./authority-pause.ts";
import type { FailureClass } from "./backoff.ts";
import type {
  ActiveCertificate,
  ChallengeKind,
  DnsFacts,
  Domain,
  Gates,
  Granted,
  IssuanceFailure,
  IssuerOptions,
  Removal,
  ReplacementReason,
} from "./domain.ts";
import type { IssuerFacts } from "./issuer-choice.ts";
import type { LookCircumstances } from "./drift.ts";
import type { RenewalWindow } from "./renewal.ts";
import type { OutsideView } from "./outside.ts";
import type { News } from "./timeline.ts";

/** The outcome of a task or of a request. */
export type Outcome =
  /** A check was requested. */
  | { readonly kind: "check_requested" }
  | {
      readonly kind: "checked";
      readonly state: Exclude<DnsFacts["state"], "unchecked">;
      /** Codes of the blocking findings. */
      readonly codes: readonly string[];
      readonly eta?: number | undefined;
      /** The same as in `DnsFacts`. */
      readonly forbidden?: readonly string[] | undefined;
      /** The name leads to this service, whether or not that suffices. */
      readonly leadsHere: boolean;
      /** Addresses to check from outside. Absent: none. */
      readonly addresses?: readonly string[] | undefined;
      /** `held`: another account holds the name and still verifies; `given_up`: it no longer verifies. */
      readonly name: "free" | "held" | "given_up";
      /** False: the time is in doubt, so that a claim does not end yet. Default: true. */
      readonly mayEnd?: boolean;
      /** When the check started: later requests are not answered by it. Default: now. */
      readonly beganAt?: number;
      /** The look that the check belongs to. Absent: none. */
      readonly look?: Omit<LookCircumstances, "now">;
    }
  /** A look at a live name. */
  | ({ readonly kind: "looked" } & Omit<LookCircumstances, "now">)
  /** The look waits for the next day. */
  | { readonly kind: "look_missed" }
  | ({ readonly kind: "gates" } & Pick<
      Gates,
      "plan" | "deploy" | "project" | "suspended" | "deletedAt"
    >)
  | {
      readonly kind: "order_begun";
      readonly resumeAt: number;
      /** Says which authority gets the order, if it is not the first one, and why. */
      readonly instead?: string;
    }
  | { readonly kind: "order_moved"; readonly resumeAt: number }
  /** One challenge failed; the order continues with another. */
  | {
      readonly kind: "unproven";
      readonly failedBefore: ChallengeKind;
      readonly fallback: ChallengeKind;
      /** The CA's message. */
      readonly message: string;
      readonly resumeAt: number;
    }
  | ({
      readonly kind: "order_failed";
      readonly failure: FailureClass;
      /** Absent: unknown. */
      readonly issuer?: IssuerOptions;
      /** The CA refuses the orders of all names, not just this one. */
      readonly ofAll?: boolean;
      /** Authorizations of the failed order, which the next one may reuse. */
      readonly granted?: Pick<Granted, "authority" | "urls">;
      /** Other authorities that may get the next order. Default: none, as the owner has to act, or none is configured. */
      readonly others?: readonly IssuerFacts[];
    } & Omit<IssuanceFailure, "at" | "by" | "held">)
  /** The program started, or its clock was set back. `issuer` takes new orders. */
  | {
      readonly kind: "reviewed";
      readonly issuer: IssuerOptions;
      /** The other authorities that take new orders. Default: none. */
      readonly others?: readonly IssuerOptions[];
      /** The clock follows the CA's time. */
      readonly timeKnown: boolean;
      /** The time by our own clock. Default: the same. */
      readonly ownNow?: number;
    }
  /** A replacement was requested. */
  | { readonly kind: "replace"; readonly reason: ReplacementReason }
  /** Orders are on hold until `until`, for no fault of the name. An open one is dropped. */
  | {
      readonly kind: "order_held";
      readonly issuer: IssuerOptions;
      /** When the order may start, as far as is known. */
      readonly until: number;
      /** When to look whether it may start earlier. */
      readonly lookAt: number;
      readonly message: string;
      /** The CA limits all names, or does not answer; or we limit orders for this name. */
      readonly cause: PauseCause | "name";
      /** Other authorities that may get the order. Default: none is configured. */
      readonly others?: readonly IssuerFacts[];
      /** The order was sent to find out whether the pause is over, and refused. */
      readonly probed?: boolean;
    }
  /** The order is not due before `until`, by our own clock. */
  | { readonly kind: "order_postponed"; readonly until: number }
  /** The order and its authorizations are dropped, for no fault of the name. */
  | { readonly kind: "order_dropped" }
  | {
      readonly kind: "issued";
      readonly certificate: Omit<
        ActiveCertificate,
        "activeSince" | "warnedAt" | "warned" | "probedAt"
      >;
      /** The order's authorizations. */
      readonly authorizationUrls: readonly string[];
      /** The challenge that worked. */
      readonly challenge?: ChallengeKind;
      /** The chain has no certificate of the issuer, so that some clients cannot verify it. */
      readonly alone?: boolean;
    }
  /** This service cannot present the certificate. */
  | { readonly kind: "unservable"; readonly certificateId: string; readonly message: string }
  | { readonly kind: "probed"; readonly answered: boolean }
  /** The check from outside. */
  | { readonly kind: "outside_checked"; readonly view: OutsideView }
  /** The CA was asked for renewal information. */
  | {
      readonly kind: "renewal_info";
      /** The certificate in question. */
      readonly certificateId: string;
      /** Absent: no information. */
      readonly info?: { readonly window: RenewalWindow; readonly explanationUrl?: string };
      readonly checkAt: number;
      /** A random number from 0 to below 1. */
      readonly spread: number;
    }
  /** The CA was asked to revoke the certificate. */
  | {
      readonly kind: "revoked";
      /** Absent: it is revoked. */
      readonly refusal?: {
        readonly message: string;
        /** The CA may revoke it later. */
        readonly retry: boolean;
        readonly retryAt?: number;
      };
    }
  | { readonly kind: "stopped" }
  | { readonly kind: "warned" }
  /** The name moved to another account. */
  | { readonly kind: "lost" }
  | { readonly kind: "removed"; readonly reason: Removal["reason"] };

/** A domain after an outcome, with its news. */
export interface AppliedOutcome {
  readonly domain: Domain;
  readonly news: readonly News[];
}

/** One kind of outcome. */
export type OutcomeOf<Kind extends Outcome["kind"]> = Extract<Outcome, { readonly kind: Kind }>;
