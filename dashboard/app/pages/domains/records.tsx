import type { JSX } from "preact";

import {
  differenceOf,
  isProvider,
  type Provider,
  providerFacts,
} from "../../../../domains/view/texts.ts";
import type { DomainRecordView, DomainView } from "../../../../domains/view/shapes.ts";
import { AWAY } from "../../components/button.tsx";
import { Copy } from "../../components/copy.tsx";
import { Badge, type BadgeLooks } from "../../components/indicators.tsx";
import { Card } from "../../components/page.tsx";
import { Instant } from "../../components/time.tsx";
import { domainWords } from "../../words/late.tsx";
import { isWanted } from "./server-answers.ts";
import { typeName } from "./texts.tsx";

const LOOKS: BadgeLooks<DomainRecordView["state"]> = {
  unchecked: { tone: "plain", icon: "clock" },
  found: { tone: "good", icon: "check" },
  missing: { tone: "warn", icon: "clock" },
  wrong: { tone: "bad", icon: "cross" },
  propagating: { tone: "accent", icon: "refresh" },
  unknown: { tone: "plain", icon: "help" },
};

/** The records to add at the DNS provider, and their status. */
export function Records({
  domain: { records, dns },
}: {
  readonly domain: Pick<DomainView, "records" | "dns">;
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
              {Object.values(view.record).map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
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

/** Names up to this length do not wrap. */
const SHORT = 24;

function Row({ record }: { readonly record: DomainRecordView }): JSX.Element {
  const { view } = domainWords.words();
  const { name, value, ttl, state, purpose, required, checkedAt } = record;
  const type = typeName(record);
  const instead = purpose === "routing" && !required;
  return (
    <tbody>
      <tr>
        <td class={/^\w+$/.test(type) ? "brief" : "words"} data-label={view.record.type}>
          {/* Several possible names of a type are not copied. */}
          {/^\w+$/.test(type) ? <Cell what={view.record.type} text={type} /> : <code>{type}</code>}
        </td>
        <td class={name.length > SHORT ? "" : "brief"} data-label={view.record.name}>
          <Cell what={view.record.name} text={name} />
        </td>
        <td class="value" data-label={view.record.value}>
          <Cell what={view.record.value} text={value} />
        </td>
        <td class="brief" data-label={view.record.ttl}>
          <Cell what={view.record.ttl} text={String(ttl)} />
        </td>
        <td data-label={view.record.state}>
          <Badge {...LOOKS[state]}>{view.recordStates[state]}</Badge>
        </td>
      </tr>
      <tr class="under">
        <td colSpan={5}>
          <span class="small soft">
            {type}: {instead ? view.insteadOf : view.purposes[purpose]}
            {!required && !instead && ` (${view.optional})`}
            {state === "found" && checkedAt !== null && (
              <>
                , {view.recordSeen} <Instant at={checkedAt} />
              </>
            )}
          </span>
          <FoundInstead record={record} />
        </td>
      </tr>
    </tbody>
  );
}

function Cell({ what, text }: { readonly what: string; readonly text: string }): JSX.Element {
  return (
    <span class="cell">
      <code>{text}</code>
      <Copy text={text} what={`${what} ${text}`} />
    </span>
  );
}

/** Instructions in the DNS provider's own terms. */
function ProviderNote({
  record,
  provider,
}: {
  readonly record: DomainRecordView;
  readonly provider: DomainView["dns"]["provider"];
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

/** The values found instead of the expected one, and the servers that reported them. */
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

/** Marks the difference to the expected value. */
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
  // Values with little in common are not compared.
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

/** Groups other values by the servers that reported them. */
function othersIn(record: DomainRecordView): readonly Other[] {
  const servers = new Map<string, Set<string>>();
  for (const { type, value, server } of record.found) {
    if (isWanted(record, { type, value })) continue;
    const found = `${type} ${value}`;
    servers.set(found, (servers.get(found) ?? new Set()).add(server));
  }
  const others = new Map<string, Other>();
  for (const [found, names] of servers) {
    const key = [...names].join(", ");
    const [type = "", ...value] = found.split(" ");
    const values = [...(others.get(key)?.values ?? []), { type, value: value.join(" ") }];
    others.set(key, { servers: key, values });
  }
  return [...others.values()];
}

/** The records of a removed domain, which the user should delete. */
export function CleanupCard({ domain }: { readonly domain: DomainView }): JSX.Element | null {
  const { view } = domainWords.words();
  if (domain.records.length === 0) return null;
  return (
    <Card title={view.cleanup}>
      <p>{view.cleanupText}</p>
      <ul class="stack tight">
        {domain.records.map((record) => (
          <li key={record.type + record.fqdn + record.value}>
            <code>
              {typeName(record)} {record.fqdn} → {record.value}
            </code>
          </li>
        ))}
      </ul>
    </Card>
  );
}
