import type { JSX } from "preact";

import type { DomainView } from "../../../../../lib/management/domain-view.ts";
import { Badge } from "../../../components/badge.tsx";
import { Card } from "../../../components/card.tsx";
import { Countdown } from "../../../components/countdown.tsx";
import { domainWords } from "../../../words/domain-words.ts";
import { dateTime } from "../../../words/format.ts";
import { propagationOf, type ServerSays } from "./propagation.ts";

/** Which server has heard of the records by now, and when the others will. */
export function Propagation({ domain }: { readonly domain: DomainView }): JSX.Element | null {
  const { view } = domainWords();
  const seen = domain.records
    .map((record) => ({ record, rows: propagationOf(record, domain.dns) }))
    .filter(({ rows }) => rows.length > 0);
  if (seen.length === 0) return null;
  return (
    <Card title={view.propagation} bare>
      <p class="inside soft">{view.propagationText}</p>
      {seen.map(({ record, rows }) => (
        <table class="table folds" key={record.type + record.fqdn + record.value}>
          <caption class="small">
            {record.typeText} <code>{record.fqdn}</code>
          </caption>
          <thead>
            <tr>
              <th scope="col">{view.server}</th>
              <th scope="col">{view.says}</th>
              <th scope="col">{view.spread}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Row key={row.server} row={row} />
            ))}
          </tbody>
        </table>
      ))}
    </Card>
  );
}

function Row({ row }: { readonly row: ServerSays }): JSX.Element {
  const { view } = domainWords();
  const { server, values, state, ttl, until } = row;
  const old = state === "old";
  return (
    <tr>
      <td data-label={view.server} class="mono">
        {server}
      </td>
      <td data-label={view.says}>
        {values.length === 0 ? (
          <span class="soft">{view.nothing}</span>
        ) : (
          <ul>
            {values.map(({ type, value }) => (
              <li key={type + value} class="mono">
                {type} {value}
              </li>
            ))}
          </ul>
        )}
      </td>
      <td data-label={view.spread}>
        <div class="stack tight">
          <span>
            <Badge tone={old ? "warn" : "good"} icon={old ? "clock" : "check"}>
              {view.serverStates[state]}
            </Badge>
          </span>
          {until !== undefined && (
            <span class="small soft">
              {view.forgotten} {dateTime(until)} (
              <Countdown at={until} passed={view.nextCheckNow} />)
            </span>
          )}
          {old && until === undefined && ttl !== undefined && (
            <span class="small soft">{view.rememberedFor(view.seconds(ttl))}</span>
          )}
        </div>
      </td>
    </tr>
  );
}
