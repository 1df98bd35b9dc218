import type { JSX } from "preact";

import {
  differenceOf,
  isProvider,
  type Provider,
  providerFacts,
} from "../../../../domains/texts.ts";
import type {
  DnsProviderView,
  DomainRecordView,
  DomainView,
} from "../../../../lib/management/domain-view.ts";
import { Badge } from "../../components/indicators.tsx";
import { AWAY } from "../../components/button.tsx";
import { Card } from "../../components/page.tsx";
import { Copy } from "../../components/copy.tsx";
import type { IconName } from "../../components/icon.tsx";
import type { Tone } from "../../components/feedback.tsx";
import { domainWords } from "../../words/late.tsx";
import { isWanted } from "./seen.ts";
import { typeTold } from "./texts.tsx";

const LOOKS: Readonly<
  Record<DomainRecordView["state"], { readonly tone: Tone | "accent"; readonly icon: IconName }>
> = {
  unchecked: { tone: "plain", icon: "clock" },
  found: { tone: "good", icon: "check" },
  missing: { tone: "warn", icon: "clock" },
  wrong: { tone: "bad", icon: "cross" },
  propagating: { tone: "accent", icon: "refresh" },
  unknown: { tone: "plain", icon: "help" },
};

/** What is to be entered at the DNS provider, and what of it is there by now. */
export function Records({
  domain: { records, dns },
}: {
  readonly domain: DomainView;
}): JSX.Element | null {
  const { view } = domainWords.words();
  const [first] = records;
  if (first === undefined) return null;
  const found = records.every(({ state }) => state === "found");
  return (
    <Card title={found ? view.recordsFound : view.records} bare>
      {!found && <ProviderNote record={first} provider={dns.provider} />}
      <div class="table-wrap">
        <table class="table folds records">
          <thead>
            <tr>
              <th scope="col">{view.record.type}</th>
              <th scope="col">{view.record.name}</th>
              <th scope="col">{view.record.value}</th>
              <th scope="col">{view.record.ttl}</th>
              <th scope="col">{view.record.state}</th>
            </tr>
          </thead>
          {records.map((record) => (
            <Row key={record.type + record.fqdn + record.value} record={record} />
          ))}
        </table>
      </div>
    </Card>
  );
}

/** Up to so many characters a name stands in one line, however long the value beside it is. */
const SHORT = 24;

function Row({ record }: { readonly record: DomainRecordView }): JSX.Element {
  const { view } = domainWords.words();
  const { name, value, ttl, state, purpose, required } = record;
  const { tone, icon } = LOOKS[state];
  const type = typeTold(record);
  const instead = purpose === "routing" && !required;
  return (
    <tbody>
      <tr>
        <td class="words" data-label={view.record.type}>
          {/* Only what a provider calls by that very word is worth copying. */}
          <Cell what={view.record.type} text={type} copied={/^\w+$/.test(type) ? type : ""} />
        </td>
        <td class={name.length > SHORT ? "" : "brief"} data-label={view.record.name}>
          <Cell what={view.record.name} text={name} copied={name} />
        </td>
        <td class="value" data-label={view.record.value}>
          <Cell what={view.record.value} text={value} copied={value} />
        </td>
        <td class="brief" data-label={view.record.ttl}>
          <Cell what={view.record.ttl} text={String(ttl)} copied={String(ttl)} />
        </td>
        <td data-label={view.record.state}>
          <Badge tone={tone} icon={icon}>
            {view.recordStates[state]}
          </Badge>
        </td>
      </tr>
      <tr class="under">
        <td colSpan={5}>
          <span class="small soft">
            {type}: {instead ? view.insteadOf : view.purposes[purpose]}
            {!required && !instead && ` (${view.optional})`}
          </span>
          <FoundInstead record={record} />
        </td>
      </tr>
    </tbody>
  );
}

function Cell({
  what,
  text,
  copied,
}: {
  readonly what: string;
  readonly text: string;
  /** Empty: it is not to be copied. */
  readonly copied: string;
}): JSX.Element {
  return (
    <span class="cell">
      <code>{text}</code>
      {copied !== "" && <Copy text={copied} what={`${what} ${copied}`} />}
    </span>
  );
}

/** Where the record goes, in the words of whoever runs the name servers. */
function ProviderNote({
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

/** What is there in place of a record, and who says so. */
function FoundInstead({ record }: { readonly record: DomainRecordView }): JSX.Element | null {
  const { view } = domainWords.words();
  const others = othersIn(record);
  if (others.length === 0) return null;
  return (
    <div class="instead">
      <p class="small">{view.instead}</p>
      <ul class="stack tight">
        {others.map(({ servers, values }) => (
          <li key={servers}>
            {values.map(({ type, value }) => (
              <p key={type + value}>
                <Found type={type} value={value} record={record} />
              </p>
            ))}
            <p class="small soft">{view.insteadAt(servers)}</p>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** With what is different in it marked, so that nobody has to compare letter by letter. */
function Found({
  type,
  value,
  record,
}: {
  readonly type: string;
  readonly value: string;
  readonly record: DomainRecordView;
}): JSX.Element {
  const { view } = domainWords.words();
  const { start, observed, expected, end } = differenceOf(value, record.value);
  const alike = type === record.type && (start + end).length * 2 >= record.value.length;
  // Two texts that have next to nothing in common are just two texts.
  if (!alike) {
    return (
      <code>
        {type} {value}
      </code>
    );
  }
  return (
    <>
      <code>
        {type} {start}
        <mark title={view.differs}>{observed}</mark>
        {end}
      </code>
      <br />
      <span class="small soft">{view.expected}</span>{" "}
      <code>
        {start}
        <mark class="good" title={view.differs}>
          {expected}
        </mark>
        {end}
      </code>
    </>
  );
}

interface Other {
  readonly servers: string;
  readonly values: readonly { readonly type: string; readonly value: string }[];
}

/** Put together by who says the same. */
function othersIn(record: DomainRecordView): readonly Other[] {
  const servers = new Map<string, Set<string>>();
  for (const { type, value, server } of record.found) {
    if (isWanted(record, { type, value })) continue;
    const told = `${type} ${value}`;
    servers.set(told, (servers.get(told) ?? new Set()).add(server));
  }
  const others = new Map<string, Other>();
  for (const [told, names] of servers) {
    const key = [...names].join(", ");
    const [type = "", ...value] = told.split(" ");
    const values = [...(others.get(key)?.values ?? []), { type, value: value.join(" ") }];
    others.set(key, { servers: key, values });
  }
  return [...others.values()];
}

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
