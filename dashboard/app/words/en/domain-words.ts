import { findingCodes, findingWords, headlineWords } from "../../../../domains/texts.ts";
import type { DomainWords } from "../domain-words.ts";
import { view } from "./domains.ts";

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
      fix: "Publish the project first: with pages of your own, or with the starter storefront.",
    }),
    redirect_target_removed: (facts) => ({
      ...findingWords.redirect_target_removed(facts),
      fix: "Choose another domain for it to lead to, or let it show the site itself.",
    }),
  },
  headlines: headlineWords,
  notes: { cloudflare: 'Set "Proxy status" to "DNS only".' },
};
