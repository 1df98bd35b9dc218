import {
  findingCodes,
  findingWords,
  headlineWords,
  type FindingCode,
  type FindingWording,
  type HeadlineWording,
  type ProviderId,
  type ReadBy,
  type Retried,
} from "../../../../domains/view/texts.ts";
import { readableMinute } from "../../../../lib/base/readable.ts";
import { share, view } from "./domains.ts";

/** The texts of the views of domains. */
export interface DomainWords {
  readonly view: typeof view;
  readonly share: typeof share;
  /** The title of each finding. */
  readonly titles: Readonly<Record<FindingCode, string>>;
  readonly findings: FindingWording;
  readonly headlines: HeadlineWording;
  /** An additional setting for the routing record, by provider. */
  readonly notes: Readonly<Partial<Record<ProviderId, string>>>;
}

// The table has every code.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const titles = Object.fromEntries(
  Object.entries(findingCodes).map(([code, { title }]) => [code, title]),
) as DomainWords["titles"];

const { certificate_ending, certificate_ended } = headlineWords;

/** Returns what an operator clicks, in place of commands; undefined for owners. */
function clicks({ readBy, retryAt }: ReadBy & Pick<Retried, "retryAt">): string | undefined {
  if (readBy !== "operator") return undefined;
  const next =
    retryAt === undefined ? "" : ` The next automatic attempt is on ${readableMinute(retryAt)}.`;
  return `Choose Re-verify. The page System says what is wrong.${next}`;
}

/** Headlines whose texts for operators name commands. */
const forClicks: Pick<HeadlineWording, "certificate_ending" | "certificate_ended"> = {
  certificate_ending: (facts, texts) => {
    const { headline, nextAction } = certificate_ending(facts, texts);
    return { headline, nextAction: clicks(facts) ?? nextAction };
  },
  certificate_ended: (facts, texts) => {
    const { headline, nextAction } = certificate_ended(facts, texts);
    return { headline, nextAction: clicks(facts) ?? nextAction };
  },
};

/** The service's own texts, with clicks instead of commands. */
export const domainWords: DomainWords = {
  view,
  share,
  titles,
  findings: {
    ...findingWords,
    account_suspended: (facts) => ({
      ...findingWords.account_suspended(facts),
      ...(facts.readBy === "operator" && {
        fix: "To serve its domains again, resume the account.",
      }),
    }),
    project_deleted: (facts) => ({
      ...findingWords.project_deleted(facts),
      ...(facts.restorableUntil !== undefined && {
        fix: `Until ${readableMinute(facts.restorableUntil)}, the project can be restored with its domains.`,
      }),
    }),
    plan_required: (facts) => ({
      ...findingWords.plan_required(facts),
      ...(facts.readBy === "operator" && {
        fix: "If the account should keep its domains, change its plan to Pro or higher.",
      }),
    }),
    overdue: (facts) => ({
      ...findingWords.overdue(facts),
      ...(facts.readBy === "operator" && {
        fix: `Fix the other findings, if there are any. ${clicks(facts) ?? ""}`,
      }),
    }),
    deploy_required: (facts) => ({
      ...findingWords.deploy_required(facts),
      fix: "Publish your own pages or the storefront first.",
    }),
    redirect_target_removed: (facts) => ({
      ...findingWords.redirect_target_removed(facts),
      fix: "Choose another redirect target, or let this domain serve the site.",
    }),
  },
  headlines: { ...headlineWords, ...forClicks },
  notes: { cloudflare: 'Set "Proxy status" to "DNS only".' },
};
