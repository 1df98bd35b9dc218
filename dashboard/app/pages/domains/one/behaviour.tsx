import type { JSX } from "preact";

import { DAY_MS, SECOND_MS } from "../../../../../lib/base/clock.ts";
import type { DomainView } from "../../../../../lib/management/domain-view.ts";
import { Card } from "../../../components/card.tsx";
import { confirm } from "../../../components/confirm.tsx";
import { SelectField } from "../../../components/field.tsx";
import { mayChange } from "../../../state/me.ts";
import { domainWords } from "../../../words/domain-words.ts";
import { updateDomain } from "../deeds.ts";
import { hstsChoices } from "./hsts.ts";

/** From there on it is asked before: what browsers have heard cannot be called back. */
const LONG_MS: number = 30 * DAY_MS;

/** What visitors meet under a domain: the site or the way to it, and how long browsers insist on HTTPS. */
export function Behaviour({
  projectId,
  domain,
  onChanged,
}: {
  readonly projectId: string;
  readonly domain: DomainView;
  readonly onChanged: (domain: DomainView) => void;
}): JSX.Element {
  const { view } = domainWords.words();
  const { role, redirectTo, redirectStatus, hstsSeconds, project } = domain;
  const choose = async (seconds: number): Promise<void> => {
    const longer = seconds > hstsSeconds && seconds * SECOND_MS >= LONG_MS;
    const sure =
      !longer ||
      (await confirm({
        title: view.askHsts(hstsText(seconds)),
        text: view.askHstsText,
        action: view.hsts,
      }));
    const changed = sure
      ? await updateDomain(projectId, domain, { hstsSeconds: seconds })
      : undefined;
    onChanged(changed ?? { ...domain });
  };
  return (
    <Card title={view.behaviour}>
      <p>
        {role === "primary" ? (
          view.primary
        ) : (
          <>
            {view.leadsTo(redirectTo ?? "")} <span class="soft">({redirectStatus})</span>
          </>
        )}{" "}
        · <a href={`/projects/${project}/domains`}>{view.redirects}</a>
      </p>
      {mayChange.value && (
        <SelectField
          label={view.hsts}
          hint={view.hstsHint}
          value={String(hstsSeconds)}
          options={hstsChoices(hstsSeconds).map((seconds) => ({
            value: String(seconds),
            label: hstsText(seconds),
          }))}
          onInput={(value) => void choose(Number(value))}
        />
      )}
    </Card>
  );
}

function hstsText(seconds: number): string {
  const { view } = domainWords.words();
  const known: Readonly<Partial<Record<number, string>>> = view.hstsChoices;
  return known[seconds] ?? view.hstsOther(seconds);
}
