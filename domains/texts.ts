import type { DomainFindingView, DomainView } from "../lib/management/domain-view.ts";
import { fromWire } from "../lib/management/wire.ts";
import type { FindingCode, Wording, Words } from "./model/finding-facts.ts";
import type { FindingTexts, Headline, HeadlineWording } from "./model/headlines.ts";

// What it takes to say in other languages what the API says in English: pure, and fit for a browser.

export { findingCodes } from "./model/finding-facts.ts";
export type { FindingCode } from "./model/finding-facts.ts";
export type { FactsOf, WantedRecord } from "./model/finding-facts.ts";
export { differenceOf } from "./model/findings/text.ts";
export { findingWords } from "./model/finding.ts";
export type { Wording, Words } from "./model/finding-facts.ts";
export { headlineWords } from "./model/headlines.ts";
export type { FindingTexts, Headline, HeadlineWording } from "./model/headlines.ts";
export { isProvider, providerFacts } from "./model/provider.ts";
export type { Provider, ProviderId } from "./model/provider.ts";
export { specialUseOf } from "./model/special-use.ts";
export { timelineKinds } from "./model/timeline.ts";

/** A catalogue of findings in one language. */
export type FindingWording = Wording<FindingCode>;

/** The texts of a finding in the words of `wording`; its own English ones where those do not know it. */
export function wordsFor(wording: FindingWording, finding: DomainFindingView): Words {
  const { code, data, observed, expected, fix } = finding;
  if (!knows(wording, code) || data === null) return { observed, expected, fix };
  // Facts are kept and sent under the very code that they belong to: what comes back fits it.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return wording[code](fromWire(data) as never);
}

/**
 * The headline of a domain in the words of `wording`; the English one where those do not know it. `told` has the texts
 * of the finding that `headlineData` names.
 */
export function headlineFor(
  wording: HeadlineWording,
  domain: Pick<DomainView, "headline" | "nextAction" | "headlineCode" | "headlineData">,
  told: FindingTexts,
): Headline {
  const { headline, nextAction, headlineCode: code, headlineData } = domain;
  if (!knows(wording, code)) return { headline, nextAction };
  // Likewise.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return wording[code](fromWire(headlineData) as never, told);
}

function knows<By extends object>(wording: By, code: string): code is keyof By & string {
  return Object.hasOwn(wording, code);
}
