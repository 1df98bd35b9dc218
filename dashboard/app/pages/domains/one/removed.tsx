import type { JSX } from "preact";

import type { DomainView } from "../../../../../lib/management/domain-view.ts";
import { Card } from "../../../components/card.tsx";
import { domainWords } from "../../../words/domain-words.ts";
import { typeTold } from "../told.ts";

/** What stays behind at the DNS provider when a domain was removed. */
export function Cleanup({ domain }: { readonly domain: DomainView }): JSX.Element | null {
  const { view } = domainWords.words();
  if (domain.records.length === 0) return null;
  return (
    <Card title={view.cleanup}>
      <p>{view.cleanupText}</p>
      <ul class="stack tight">
        {domain.records.map((record) => (
          <li key={record.type + record.fqdn + record.value}>
            <code>
              {typeTold(record)} {record.fqdn} → {record.value}
            </code>
          </li>
        ))}
      </ul>
    </Card>
  );
}
