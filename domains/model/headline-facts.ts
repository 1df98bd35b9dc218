/**
 * How a domain is, told apart by code, and what each sentence is made of. `finding` is the code of the one that is to
 * be mended first. Codes are contract: add, never rename.
 */
export interface HeadlineFacts {
  readonly asking: Named;
  /** Its record is not right: the finding says how, and what to do. */
  readonly blocked: Named & { readonly finding: string };
  readonly propagating: Named & {
    /** When the last resolver forgets the old records. */
    readonly until?: number;
  };
  readonly unanswered: Named;
  readonly watching: Named;
  readonly verified: Named;
  readonly issuing: Named;
  readonly live: Named & {
    /** The domain that it leads to. */
    readonly leadsTo?: string;
    /** When it stops being served, for the plan of the account lapsed. */
    readonly until?: number;
    readonly finding?: string;
  };
  /** Another account holds it, and it comes to this one then. */
  readonly claimed: Named & { readonly until: number };
  readonly lapsed: Named;
  /** It is served still, and its certificate cannot be renewed. */
  readonly drifting: Named & { readonly finding: string };
  readonly certificate_ending: Named & Retried & { readonly endsAt: number };
  readonly certificate_ended: Named & Retried & { readonly endsAt: number };
  readonly issuance_failed: Named &
    Retried & {
      /** The last words of the certificate authority. */
      readonly message: string;
    };
  readonly issuance_stalled: Named & Retried;
  /** Its records were looked for during two days. */
  readonly given_up: Named & {
    /** Not even its name servers could be asked. */
    readonly unanswered: boolean;
  };
  readonly removed: Named & {
    readonly removedAt: number;
    /** Until then it can be added again, and has its certificate at once. */
    readonly returnsUntil?: number;
  };
}

export type HeadlineCode = keyof HeadlineFacts;

interface Named {
  /** As people write it. */
  readonly unicode: string;
}

interface Retried {
  /** When it is tried again by itself; absent: only when somebody asks for it. */
  readonly retryAt?: number;
}

/** How a domain is in one sentence, and what its owner should do now; null: nothing. */
export interface Headline {
  readonly headline: string;
  readonly nextAction: string | null;
}

/** The texts of the finding that a headline names. */
export interface FindingTold {
  readonly observed: string;
  readonly fix: string;
}

/** How headlines are put into words; `told` has the texts of the finding that the facts name, empty where there is none. */
export type HeadlineWording = {
  readonly [Code in HeadlineCode]: (facts: HeadlineFacts[Code], told: FindingTold) => Headline;
};
