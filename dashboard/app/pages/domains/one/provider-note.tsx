import type { JSX } from "preact";

import { isProvider, providerFacts, type Provider } from "../../../../../domains/texts.ts";
import type {
  DnsProviderView,
  DomainRecordView,
} from "../../../../../lib/management/domain-view.ts";
import { AWAY } from "../../../components/button.tsx";
import { domainWords } from "../../../words/domain-words.ts";

/** Where the record goes, in the words of whoever runs the name servers. */
export function ProviderNote({
  record,
  provider,
}: {
  readonly record: DomainRecordView;
  readonly provider: DnsProviderView | null;
}): JSX.Element {
  const { view, notes } = domainWords.words();
  const zone = record.name === "@" ? record.fqdn : record.fqdn.slice(record.name.length + 1);
  const known = provider !== null && isProvider(provider.id) ? provider.id : undefined;
  const note = known === undefined ? undefined : notes[known];
  const facts = known === undefined ? undefined : providerFacts(known);
  return (
    <div class="inside stack tight">
      <p>
        {provider === null ? (
          view.recordsText(zone)
        ) : (
          <>
            {view.previewProvider(provider.name)}{" "}
            {provider.help !== null && (
              <a href={provider.help} {...AWAY}>
                {view.factHow}
              </a>
            )}
          </>
        )}
      </p>
      <ul class="dots small">
        {facts === undefined ? (
          record.name !== "@" && <li>{view.genericName(record.name, zone)}</li>
        ) : (
          <Fields record={record} zone={zone} facts={facts} />
        )}
        {note !== undefined && <li>{note}</li>}
        {record.name === "@" && facts?.apexType === undefined && <li>{view.aliasNote}</li>}
        <li>{view.ttlNote}</li>
      </ul>
    </div>
  );
}

function Fields({
  record: { name },
  zone,
  facts: { name: provider, nameField, valueField, appendsZone, valueEndsInDot, apexName },
}: {
  readonly record: DomainRecordView;
  readonly zone: string;
  readonly facts: Provider;
}): JSX.Element {
  const { view } = domainWords.words();
  const typed = name === "@" ? (apexName ?? name) : name;
  const field = nameField ?? view.record.name;
  const adds = appendsZone === true && name !== "@" ? ` ${view.addsZone(provider, zone)}` : "";
  return (
    <>
      <li>
        {typed === "" ? view.enterEmpty(field) : view.enterName(field, typed)}
        {adds}
      </li>
      {valueEndsInDot === true && <li>{view.enterDot(valueField ?? view.record.value)}</li>}
      {valueEndsInDot !== true && valueField !== undefined && valueField !== view.record.value && (
        <li>{view.enterValue(valueField)}</li>
      )}
    </>
  );
}
