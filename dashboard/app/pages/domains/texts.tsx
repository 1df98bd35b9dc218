import type { JSX } from "preact";

import {
  type Headline,
  headlineFor,
  type Words,
  wordsFor,
} from "../../../../domains/view/texts.ts";
import type {
  DomainFindingView,
  DomainRecordView,
  DomainView,
} from "../../../../domains/view/shapes.ts";
import { Badge, type BadgeLooks } from "../../components/indicators.tsx";
import { inLocalTime, language } from "../../words/format.ts";
import { domainWords } from "../../words/late.tsx";
import { typed } from "../../words/typed.ts";

/** Describes a finding in the user's language and local time. */
export function findingText(finding: DomainFindingView): Words {
  const { observed, expected, fix } = wordsFor(domainWords.words().findings, finding);
  return {
    observed: inLocalTime(observed),
    expected: inLocalTime(expected),
    // The service's own text of a later version, too.
    fix: typed(inLocalTime(fix)),
  };
}

/** Describes a domain's status and the next action in the user's language and local time. */
export function headlineText(domain: DomainView): Headline {
  const { headlineData, dns } = domain;
  const named = dns.findings.find(({ code }) => code === headlineData["finding"]);
  const text = named === undefined ? { observed: "", fix: "" } : findingText(named);
  const { headline, nextAction } = headlineFor(domainWords.words().headlines, domain, text);
  return {
    headline: inLocalTime(headline),
    nextAction: nextAction === null || nextAction === "" ? null : typed(inLocalTime(nextAction)),
  };
}

/** Returns a record's type as its DNS provider calls it, or all common names if the provider is unknown. */
export function typeName({ type, typeText }: Pick<DomainRecordView, "type" | "typeText">): string {
  const known = type !== "ALIAS" || /^\w+$/.test(typeText);
  return known ? typeText : domainWords.words().view.aliasOrAname;
}

/** Translates the list of servers in a finding. */
export function serverNames(servers: string): string {
  const { view } = domainWords.words();
  const names = servers
    .split(/, | and /)
    .map((name) => name.replace(/^(\d+) more$/, (_, count: string) => view.andMore(count)));
  return new Intl.ListFormat(language()).format(names);
}

/** Returns the title of a finding; undefined for a code of a later version. */
export function titleOf(code: string): string | undefined {
  const titles: Readonly<Partial<Record<string, string>>> = domainWords.words().titles;
  return titles[code];
}

const LOOKS: BadgeLooks<DomainView["status"]> = {
  awaiting_dns: { tone: "warn", icon: "clock" },
  checking: { tone: "accent", icon: "refresh" },
  verified: { tone: "accent", icon: "check" },
  issuing: { tone: "accent", icon: "clock" },
  live: { tone: "good", icon: "check" },
  attention: { tone: "bad", icon: "warn" },
  removed: { tone: "plain", icon: "trash" },
};

export function StatusBadge({ status }: { readonly status: DomainView["status"] }): JSX.Element {
  return <Badge {...LOOKS[status]}>{domainWords.words().view.statuses[status]}</Badge>;
}

/** Returns the colour of a status. */
export function toneOf(status: DomainView["status"]): string {
  return LOOKS[status].tone ?? "plain";
}

/** Names the target and the status code of a redirect. */
export function RedirectText({
  domain: { redirectTo, redirectStatus },
}: {
  readonly domain: DomainView;
}): JSX.Element {
  return (
    <span>
      {domainWords.words().view.leadsTo(redirectTo ?? "")}{" "}
      <span class="soft">({redirectStatus})</span>
    </span>
  );
}
