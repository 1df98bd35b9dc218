import type { JSX } from "preact";

import type { ProjectView } from "../../../../../lib/management/client.ts";
import type { DomainView } from "../../../../../lib/management/domain-view.ts";
import { at, get } from "../../../api.ts";
import { Card } from "../../../components/card.tsx";
import { Instant } from "../../../components/instant.tsx";
import { useResource } from "../../../state/resource.ts";
import { domainWords } from "../../../words/domain-words.ts";
import { removedIn, type RemovalEvent } from "./removed-in.ts";

/** Domains that are not served any more, for as long as they can be had back at once. */
export function RemovedLately({
  project,
  domains,
}: {
  readonly project: ProjectView;
  readonly domains: readonly DomainView[];
}): JSX.Element | null {
  const { view } = domainWords.words();
  const attached = domains.map(({ domain }) => domain);
  const events = useResource(`${project.id} ${attached.join()}`, () =>
    get<readonly RemovalEvent[]>(at`/accounts/${project.accountId}/events`, {
      types: "domain.removed",
      order: "newest",
      limit: 200,
    }),
  );
  const removed = removedIn(events.value ?? [], { projectId: project.id, attached });
  if (removed.length === 0) return null;
  return (
    <Card title={view.removedLately}>
      <ul class="stack tight">
        {removed.map(({ domain, removedAt }) => (
          <li key={domain} class="row apart">
            <a href={`/projects/${project.slug}/domains/${domain}`}>{domain}</a>
            <span class="soft small">
              {view.removedAt} <Instant at={removedAt} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
