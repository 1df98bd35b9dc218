import type { JSX } from "preact";

import { type Headline, headlineFor, type Words, wordsFor } from "../../../../domains/texts.ts";
import type {
  DomainFindingView,
  DomainRecordView,
  DomainView,
} from "../../../../lib/management/domain-view.ts";
import { Badge } from "../../components/indicators.tsx";
import type { IconName } from "../../components/icon.tsx";
import type { Tone } from "../../components/feedback.tsx";
import { domainWords } from "../../words/late.tsx";
import { language } from "../../words/format.ts";
import { inLocalTime } from "../../words/local-time.ts";

/** What a finding says, in the reader's language and by the reader's clock. */
export function findingTold(finding: DomainFindingView): Words {
  const { observed, expected, fix } = wordsFor(domainWords.words().findings, finding);
  return {
    observed: inLocalTime(observed),
    expected: inLocalTime(expected),
    fix: inLocalTime(fix),
  };
}

/** How a domain is and what to do, likewise. */
export function headlineTold(domain: DomainView): Headline {
  const { headlineData, dns } = domain;
  const named = dns.findings.find(({ code }) => code === headlineData["finding"]);
  const told = named === undefined ? { observed: "", fix: "" } : findingTold(named);
  const { headline, nextAction } = headlineFor(domainWords.words().headlines, domain, told);
  return {
    headline: inLocalTime(headline),
    nextAction: nextAction === null || nextAction === "" ? null : inLocalTime(nextAction),
  };
}

/** The type of a record as its DNS provider calls it; where that is not known, all that it may be called. */
export function typeTold({ type, typeText }: Pick<DomainRecordView, "type" | "typeText">): string {
  const known = type !== "ALIAS" || /^\w+$/.test(typeText);
  return known ? typeText : domainWords.words().view.aliasOrAname;
}

/** Those who said something, as a finding lists them in English. */
export function namesTold(servers: string): string {
  const { view } = domainWords.words();
  const names = servers
    .split(/, | and /)
    .map((name) => name.replace(/^(\d+) more$/, (_, count: string) => view.andMore(count)));
  return new Intl.ListFormat(language()).format(names);
}

/** A finding or a refusal in a few words; undefined for one of a later version. */
export function titleOf(code: string): string | undefined {
  const titles: Readonly<Partial<Record<string, string>>> = domainWords.words().titles;
  return titles[code];
}

interface Look {
  readonly tone: Tone | "accent";
  readonly icon: IconName;
}

const LOOKS: Readonly<Record<DomainView["status"], Look>> = {
  awaiting_dns: { tone: "warn", icon: "clock" },
  checking: { tone: "accent", icon: "refresh" },
  verified: { tone: "accent", icon: "check" },
  issuing: { tone: "accent", icon: "clock" },
  live: { tone: "good", icon: "check" },
  attention: { tone: "bad", icon: "warn" },
  removed: { tone: "plain", icon: "trash" },
};

/** How a domain is, in a colour, a sign and a word. */
export function StatusBadge({ status }: { readonly status: DomainView["status"] }): JSX.Element {
  const { tone, icon } = LOOKS[status];
  return (
    <Badge tone={tone} icon={icon}>
      {domainWords.words().view.statuses[status]}
    </Badge>
  );
}

/** The colour of what stands around it. */
export function toneOf(status: DomainView["status"]): Look["tone"] {
  return LOOKS[status].tone;
}
