import {
  findingCodes,
  findingWords,
  headlineWords,
  type FindingCode,
  type FindingWording,
  type HeadlineWording,
  type ProviderId,
} from "../../../../domains/texts.ts";
import { view } from "./domains.ts";

/** What only the views of domains say. */
export interface DomainWords {
  readonly view: typeof view;
  /** A few words for each finding. */
  readonly titles: Readonly<Record<FindingCode, string>>;
  readonly findings: FindingWording;
  readonly headlines: HeadlineWording;
  /** What else has to be set at a provider for a record that leads here. */
  readonly notes: Readonly<Partial<Record<ProviderId, string>>>;
}

// One for each code of the table.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const titles = Object.fromEntries(
  Object.entries(findingCodes).map(([code, { title }]) => [code, title]),
) as DomainWords["titles"];

/** The service's own texts; where those speak of commands, what there is to be clicked. */
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
