import { readableMinute } from "../../lib/base/readable.ts";
import type { ReadBy } from "./finding-facts.ts";

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
        : `The records of ${unicode} are correct. The last cached copy of the old ones expires on ${readableMinute(until)}.`,
    nextAction: null,
  }),
  unanswered: ({ unicode }) => ({
    headline: `The DNS of ${unicode} could not be queried. Checks continue automatically.`,
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
  live: ({ unicode, leadsTo, awaits, finding }, { fix }) => ({
    headline:
      `https://${unicode} is live` +
      `${leadsTo === undefined ? "" : ` and redirects to ${leadsTo}`}.` +
      (awaits === undefined ? "" : ` It shows the site itself until ${awaits} does.`),
    nextAction: finding === undefined ? null : fix,
  }),
  claimed: ({ unicode, until }) => ({
    headline: `Another account holds ${unicode}. You have proven that it is yours, and it moves to your account on ${readableMinute(until)}.`,
    nextAction: "Keep the ownership record in place until then.",
  }),
  lapsed: ({ unicode, readBy }) => ({
    headline: `${unicode} is not served: the account's plan no longer includes custom domains. The name stays reserved.`,
    nextAction:
      readBy === "operator"
        ? "If the account should have custom domains, change its plan to Pro or higher. The domain is then served again at once."
        : "Upgrade the account to Pro or higher. The domain is then served again at once.",
  }),
  drifting: ({ unicode }, { observed, fix }) => ({
    headline: `${unicode} is still served, but its certificate cannot be renewed. ${observed}`,
    nextAction: fix,
  }),
  moved: ({ unicode, since, releasedAt }, { observed, fix }) => ({
    headline:
      `${unicode} has pointed elsewhere since ${readableMinute(since)}, so its certificate is no longer renewed. ${observed}`.trimEnd(),
    nextAction: `${fix === "" ? "" : `If it should point here: ${fix} `}Otherwise remove the domain; it is removed automatically on ${readableMinute(releasedAt)}.`,
  }),
  certificate_ending: ({ unicode, endsAt, ...retried }) => ({
    headline: `The certificate of ${unicode} expires on ${readableMinute(endsAt)} and has not been renewed yet.`,
    nextAction: overdue({ unicode, ...retried }),
  }),
  certificate_ended: ({ unicode, endsAt, ...retried }) => ({
    headline: `The certificate of ${unicode} expired on ${readableMinute(endsAt)}. Most visitors cannot open the site.`,
    nextAction: overdue({ unicode, ...retried }),
  }),
  issuance_failed: ({ unicode, message, ...retried }) => ({
    headline: `${unicode} has no certificate yet: "${message}"`,
    nextAction: retry(retried),
  }),
  issuance_stalled: ({ unicode, ...retried }) => ({
    headline: `${unicode} is verified but has no certificate yet.`,
    nextAction: retry(retried),
  }),
  given_up: ({ unicode, unanswered }) => ({
    headline: unanswered
      ? `The DNS of ${unicode} could not be queried for two days.`
      : `The records of ${unicode} were not found within two days.`,
    nextAction: "Enter the records below and choose Verify.",
  }),
  removed: ({ unicode, removedAt, returnsUntil }) => ({
    headline: `${unicode} was removed on ${readableMinute(removedAt)} and is no longer served.`,
    nextAction:
      returnsUntil === undefined
        ? null
        : `Until ${readableMinute(returnsUntil)}, you can add it again and get its certificate back at once.`,
  }),
  released: ({ unicode, removedAt, returnsUntil }) => ({
    headline: `${unicode} pointed elsewhere for 30 days. It was removed on ${readableMinute(removedAt)} and is no longer served.`,
    nextAction: `If it should point here, add it again. Until ${readableMinute(returnsUntil)}, its records are the same as before.`,
  }),
};

/** Says what to do about a certificate that should have been replaced: there is always something. */
function overdue({ unicode, retryAt, limited, readBy }: Named & Retried & ReadBy): string {
  const next =
    retryAt === undefined ? "" : ` The next automatic attempt is on ${readableMinute(retryAt)}.`;
  if (readBy === "operator")
    return `Run petstore doctor, and order now: petstore certs renew ${unicode}.${next}`;
  return limited === true
    ? `Tell the operator of this service.${next}`
    : `Choose Re-verify. If that does not help, tell the operator of this service.${next}`;
}

function retry({ retryAt, limited }: Retried): string {
  if (retryAt === undefined) return "Choose Re-verify to try again.";
  const wait = `Nothing to do: the order is retried on ${readableMinute(retryAt)}.`;
  return limited === true ? wait : `${wait} Choose Re-verify to retry sooner.`;
}

/**
 * The states of a domain by code, with the values in their texts. `finding` is the code of the finding to fix first.
 * Codes are a contract: add, never rename.
 */
export interface HeadlineFacts {
  readonly asking: Named;
  /** A record is wrong; the finding has the details. */
  readonly blocked: Named & { readonly finding: string };
  readonly propagating: Named & {
    /** When the last cached old record expires. */
    readonly until?: number;
  };
  readonly unanswered: Named;
  readonly watching: Named;
  readonly verified: Named;
  readonly issuing: Named;
  readonly live: Named & {
    /** The target of the redirect. */
    readonly leadsTo?: string;
    /** The target of the redirect, which does not show the site yet. */
    readonly awaits?: string;
    readonly finding?: string;
  };
  /** Another account holds the domain until then. */
  readonly claimed: Named & { readonly until: number };
  readonly lapsed: Named & ReadBy;
  /** Still served, but the certificate cannot be renewed. */
  readonly drifting: Named & { readonly finding: string };
  /** As `drifting`, but for so long that no more certificates are ordered. */
  readonly moved: Named & {
    readonly since: number;
    /** The earliest time at which it is removed. */
    readonly releasedAt: number;
    readonly finding?: string;
  };
  readonly certificate_ending: Named & Retried & ReadBy & { readonly endsAt: number };
  readonly certificate_ended: Named & Retried & ReadBy & { readonly endsAt: number };
  readonly issuance_failed: Named &
    Retried & {
      /** The certificate authority's last message. */
      readonly message: string;
    };
  readonly issuance_stalled: Named & Retried;
  /** No records were found within two days. */
  readonly given_up: Named & {
    /** The name servers did not answer either. */
    readonly unanswered: boolean;
  };
  readonly removed: Named & {
    readonly removedAt: number;
    /** Until then the domain can be restored with its certificate. */
    readonly returnsUntil?: number;
  };
  /** Removed because it led elsewhere for thirty days. */
  readonly released: Named & {
    readonly removedAt: number;
    /** Until then the domain can be restored. */
    readonly returnsUntil: number;
  };
}

export type HeadlineCode = keyof HeadlineFacts;

interface Named {
  /** The name in Unicode. */
  readonly unicode: string;
}

export interface Retried {
  /** The next automatic attempt. Absent: none. */
  readonly retryAt?: number;
  /** The certificate authority asks for the wait, so the owner cannot end it. */
  readonly limited?: true;
}

/** The state in one sentence, and what the owner should do now. Null: nothing. */
export interface Headline {
  readonly headline: string;
  readonly nextAction: string | null;
}

/** The texts of the finding in the headline. */
export interface FindingTexts {
  readonly observed: string;
  readonly fix: string;
}

/** The texts of all headlines. `texts` has the texts of the finding, empty if there is none. */
export type HeadlineWording = {
  readonly [Code in HeadlineCode]: (facts: HeadlineFacts[Code], texts: FindingTexts) => Headline;
};
