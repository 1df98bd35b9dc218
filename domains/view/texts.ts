import type { DomainFindingView, DomainView } from "./shapes.ts";
import { fromWire } from "../../lib/base/wire.ts";
import type { FindingCode, Wording, Words } from "../model/finding-facts.ts";
import type { FindingTexts, Headline, HeadlineWording } from "../model/headlines.ts";

// Everything needed to translate the API's English texts: pure, and usable in a browser.

export { findingCodes } from "../model/finding-facts.ts";
export type { FindingCode } from "../model/finding-facts.ts";
export type { FactsOf, ReadBy, WantedRecord } from "../model/finding-facts.ts";
export { differenceOf } from "../model/findings/text.ts";
export { findingWords } from "../model/finding.ts";
export type { Wording, Words } from "../model/finding-facts.ts";
export { headlineWords } from "../model/headlines.ts";
export type { FindingTexts, Headline, HeadlineWording, Retried } from "../model/headlines.ts";
export { isProvider, providerFacts } from "../model/provider.ts";
export type { Provider, ProviderId } from "../model/provider.ts";
export { isInternal } from "../model/survey.ts";
export { specialUseOf } from "../model/special-use.ts";
export { timelineKinds } from "../model/timeline.ts";

/**
 * True if the record to enter leads to a name of the server's own machine, as with the base domain localhost: no visitor gets
 * there. A domain that is itself a name of that machine needs none from elsewhere.
 */
export function leadsOnlyHere({
  domain,
  records,
}: Pick<DomainView, "domain" | "records">): boolean {
  const ofThisMachine = (name: string): boolean => /(?:^|\.)localhost$/.test(name);
  return (
    !ofThisMachine(domain) &&
    records.some(({ purpose, value }) => purpose === "routing" && ofThisMachine(value))
  );
}

/** A catalogue of findings in one language. */
export type FindingWording = Wording<FindingCode>;

/** Returns a finding's texts from `wording`; its English ones if the code is unknown. */
export function wordsFor(wording: FindingWording, finding: DomainFindingView): Words {
  const { code, data, observed, expected, fix } = finding;
  if (!knows(wording, code) || data === null) return { observed, expected, fix };
  // A finding's data always belongs to its code.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return wording[code](fromWire(data) as never);
}

/**
 * Returns a domain's headline from `wording`; the English one if the code is unknown. `findingTexts` are those of the
 * finding that `headlineData` names.
 */
export function headlineFor(
  wording: HeadlineWording,
  domain: Pick<DomainView, "headline" | "nextAction" | "headlineCode" | "headlineData">,
  findingTexts: FindingTexts,
): Headline {
  const { headline, nextAction, headlineCode: code, headlineData } = domain;
  if (!knows(wording, code)) return { headline, nextAction };
  // As above.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return wording[code](fromWire(headlineData) as never, findingTexts);
}

function knows<By extends object>(wording: By, code: string): code is keyof By & string {
  return Object.hasOwn(wording, code);
}
