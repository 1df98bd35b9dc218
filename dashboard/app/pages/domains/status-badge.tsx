import type { JSX } from "preact";

import type { DomainView } from "../../../../lib/management/domain-view.ts";
import { Badge } from "../../components/badge.tsx";
import type { IconName } from "../../components/icon.tsx";
import type { Tone } from "../../components/notice.tsx";
import { domainWords } from "../../words/domain-words.ts";

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
