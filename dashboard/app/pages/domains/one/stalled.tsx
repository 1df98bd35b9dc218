import type { JSX } from "preact";

import type { DomainView } from "../../../../../lib/management/domain-view.ts";
import { Button } from "../../../components/button.tsx";
import { Card } from "../../../components/card.tsx";
import { Icon, type IconName } from "../../../components/icon.tsx";
import { mayChange } from "../../../state/me.ts";
import { domainWords } from "../../../words/domain-words.ts";
import { checklistOf, type Verdict } from "./checklist.ts";

const ICONS: Readonly<Record<Verdict, IconName>> = { ok: "check", no: "cross", unknown: "help" };

/** What to go through when half an hour after verification there is no certificate. */
export function Stalled({
  domain,
  busy,
  onVerify,
}: {
  readonly domain: DomainView;
  readonly busy: boolean;
  readonly onVerify: () => void;
}): JSX.Element | null {
  const { view } = domainWords.words();
  if (!domain.dns.findings.some(({ code }) => code === "stalled_30m")) return null;
  const { reason } = domain.certificate;
  return (
    <Card title={view.stalled}>
      <p>{view.stalledText}</p>
      <ul class="points">
        {checklistOf(domain).map(({ point, verdict }) => (
          <li key={point} class={verdict}>
            <Icon name={ICONS[verdict]} />
            <span>
              {view.stalledChecks[point]}: <b>{view.stalledStates[verdict]}</b>
            </span>
          </li>
        ))}
      </ul>
      {reason !== null && (
        <p>
          {view.factReason}: <q>{reason}</q>
        </p>
      )}
      {mayChange.value && (
        <p>
          <Button busy={busy} onClick={onVerify}>
            {view.reverify}
          </Button>
        </p>
      )}
    </Card>
  );
}
