import { isoTime } from "../../lib/base/clock.ts";

/** The English headlines. */
export const headlineWords: HeadlineWording = {
  asking: ({ unicode }) => ({
    headline: `The DNS of ${unicode} is being checked.`,
    nextAction: "Enter the records below at your DNS provider.",
  }),
  blocked: (_, { observed, fix }) => ({ headline: observed, nextAction: fix }),
  propagating: ({ unicode, until }) => ({
    headline:
      until === undefined
        ? `The records of ${unicode} are correct. Some resolvers have the old ones cached.`
        : `The records of ${unicode} are correct. The last cached copy of the old ones expires at ${minute(until)}.`,
    nextAction: null,
  }),
  unanswered: ({ unicode }) => ({
    headline: `The DNS of ${unicode} could not be queried. The check is repeated automatically.`,
    nextAction: null,
  }),
  watching: ({ unicode }) => ({
    headline: `The records of ${unicode} are checked automatically.`,
    nextAction: null,
  }),
  verified: ({ unicode }) => ({
    headline: `${unicode} is verified. Its certificate is ordered next.`,
    nextAction: null,
  }),
  issuing: ({ unicode }) => ({
    headline: `${unicode} is verified, and its certificate is being issued. This usually takes a few minutes.`,
    nextAction: null,
  }),
  live: ({ unicode, leadsTo, until, finding }, { fix }) => ({
    headline:
      `https://${unicode} is live${until === undefined ? "" : ` until ${minute(until)}`}` +
      `${leadsTo === undefined ? "" : ` and redirects to ${leadsTo}`}.`,
    nextAction: finding === undefined ? null : fix,
  }),
  claimed: ({ unicode, until }) => ({
    headline: `Another account holds ${unicode}. You have proven that it is yours, and it moves to your account at ${minute(until)}.`,
    nextAction: "Keep the ownership record in place until then.",
  }),
  lapsed: ({ unicode }) => ({
    headline: `${unicode} is not served: the account's plan no longer includes custom domains. The name stays reserved.`,
    nextAction: "Upgrade the account to Pro or higher. The domain is then served again at once.",
  }),
  drifting: ({ unicode }, { observed, fix }) => ({
    headline: `${unicode} is still served, but its certificate cannot be renewed. ${observed}`,
    nextAction: fix,
  }),
  certificate_ending: ({ unicode, endsAt, retryAt }) => ({
    headline: `The certificate of ${unicode} expires at ${minute(endsAt)} and has not been renewed yet.`,
    nextAction: retry(retryAt),
  }),
  certificate_ended: ({ unicode, endsAt, retryAt }) => ({
    headline: `The certificate of ${unicode} expired at ${minute(endsAt)}.`,
    nextAction: retry(retryAt),
  }),
  issuance_failed: ({ unicode, message, retryAt }) => ({
    headline: `${unicode} has no certificate yet: ${message}`,
    nextAction: retry(retryAt),
  }),
  issuance_stalled: ({ unicode, retryAt }) => ({
    headline: `${unicode} is verified but has no certificate yet.`,
    nextAction: retry(retryAt),
  }),
  given_up: ({ unicode, unanswered }) => ({
    headline: unanswered
      ? `The DNS of ${unicode} could not be queried for two days.`
      : `The records of ${unicode} were not found within two days.`,
    nextAction: "Enter the records below and choose Verify.",
  }),
  removed: ({ unicode, removedAt, returnsUntil }) => ({
    headline: `${unicode} was removed at ${minute(removedAt)} and is no longer served.`,
    nextAction:
      returnsUntil === undefined
        ? null
        : `Until ${minute(returnsUntil)}, you can add it again and get its certificate back at once.`,
  }),
};

function retry(at: number | undefined): string {
  return at === undefined
    ? "Choose Re-verify to try again."
    : `Nothing to do: the order is retried at ${minute(at)}. Choose Re-verify to retry sooner.`;
}

/** `2026-11-21 14:03 UTC`. */
function minute(at: number): string {
  return `${isoTime(at).slice(0, 16).replace("T", " ")} UTC`;
}

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
