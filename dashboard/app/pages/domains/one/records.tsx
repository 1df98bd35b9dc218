import type { JSX } from "preact";

import type { DomainRecordView, DomainView } from "../../../../../lib/management/domain-view.ts";
import { Badge } from "../../../components/badge.tsx";
import { Card } from "../../../components/card.tsx";
import { Copy } from "../../../components/copy.tsx";
import type { IconName } from "../../../components/icon.tsx";
import type { Tone } from "../../../components/notice.tsx";
import { domainWords } from "../../../words/domain-words.ts";
import { typeTold } from "../told.ts";
import { FoundInstead } from "./found-instead.tsx";
import { ProviderNote } from "./provider-note.tsx";

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
