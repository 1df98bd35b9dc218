import type { JSX } from "preact";

import type { ProjectView } from "../../../../../lib/management/client.ts";
import type {
  DomainSuggestionView,
  DomainView,
} from "../../../../../lib/management/domain-view.ts";
import { Button, ButtonLink } from "../../../components/button.tsx";
import { Card } from "../../../components/card.tsx";
import { domainWords } from "../../../words/domain-words.ts";

const SITE_FILE = "petstore.site.json";

/** Names that the published site asks for and that do not lead to it yet. */
export function Suggestions({
  project,
  suggestions,
  domains,
  mayAdd,
  onAdd,
}: {
  readonly project: ProjectView;
  readonly suggestions: readonly DomainSuggestionView[];
  readonly domains: readonly DomainView[];
  readonly mayAdd: boolean;
  readonly onAdd: (name: string) => void;
}): JSX.Element | null {
  const { view } = domainWords.words();
  // One that was added a moment ago may still be among them.
  const open = suggestions.filter(
    ({ domain, step }) => step !== "add" || !domains.some((one) => one.domain === domain),
  );
  if (open.length === 0) return null;
  return (
    <Card title={view.suggestions}>
      <p class="soft">{view.suggestionsText(SITE_FILE)}</p>
      <ul class="stack tight">
        {open.map(({ domain, unicode, step }) => (
          <li key={domain} class="row apart">
            <span>
              <b>{unicode}</b> <span class="soft small">{view.suggestionSteps[step]}</span>
            </span>
            {step === "verify" ? (
              <ButtonLink small href={`/projects/${project.slug}/domains/${domain}`}>
                {view.verify}
              </ButtonLink>
            ) : (
              mayAdd && (
                <Button
                  small
                  onClick={() => {
                    onAdd(unicode);
                  }}
                >
                  {view.addTwin(unicode)}
                </Button>
              )
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}
