import {
  findingCodes,
  findingWords,
  headlineWords,
  type FindingCode,
  type FindingWording,
  type HeadlineWording,
  type ProviderId,
} from "../../../../domains/view/texts.ts";
import { view } from "./domains.ts";

/** The texts of the views of domains. */
export interface DomainWords {
  readonly view: typeof view;
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

/** The service's own texts, with clicks instead of commands. */
export const domainWords: DomainWords = {
  view,
  titles,
  findings: {
    ...findingWords,
    deploy_required: (facts) => ({
      ...findingWords.deploy_required(facts),
      fix: "Publish your own pages or the storefront first.",
    }),
    redirect_target_removed: (facts) => ({
      ...findingWords.redirect_target_removed(facts),
      fix: "Choose another redirect target, or let this domain serve the site.",
    }),
  },
  headlines: headlineWords,
  notes: { cloudflare: 'Set "Proxy status" to "DNS only".' },
};
