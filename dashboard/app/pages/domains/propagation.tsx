import type { JSX } from "preact";

import type { DomainRecordView, DomainView } from "../../../../domains/view/shapes.ts";
import { Badge, type BadgeLooks } from "../../components/indicators.tsx";
import { Card } from "../../components/page.tsx";
import { Table } from "../../components/table.tsx";
import { Countdown, Moment } from "../../components/time.tsx";
import { domainWords } from "../../words/late.tsx";
import { isPropagating, type ServerAnswer, serverAnswers } from "./server-answers.ts";
import { typeName } from "./texts.tsx";

/** Each server's answer for the records, and when old answers expire. */
export function Propagation({ domain }: { readonly domain: DomainView }): JSX.Element | null {
  const { view } = domainWords.words();
  const seen = domain.records
    .map((record) => ({ record, rows: serverAnswers(record, domain.dns) }))
    .filter(({ rows }) => rows.length > 0);
  if (seen.length === 0) return null;
  const tables = seen.map(({ record, rows }) => (
    <AnswerTable key={record.type + record.fqdn + record.value} record={record} rows={rows} />
  ));
  const text = <p class="inside soft">{view.propagationText}</p>;
  if (seen.some(({ rows }) => isPropagating(rows))) {
    return (
      <Card title={view.propagation} bare>
        {text}
        {tables}
      </Card>
    );
  }
  return (
    <details class="card">
      <summary>{view.propagation}</summary>
      {text}
      {tables}
    </details>
  );
}

function AnswerTable({
  record,
  rows,
}: {
  readonly record: DomainRecordView;
  readonly rows: readonly ServerAnswer[];
}): JSX.Element {
  const { view } = domainWords.words();
  return (
    <Table
      label={`${view.propagation}: ${record.fqdn}`}
      caption={
        <>
          {typeName(record)} <code>{record.fqdn}</code>
        </>
      }
      columns={[{ name: view.server, cell: "mono" }, view.says, view.spread]}
      rows={rows.map(({ server, values, state, until }) => ({
        key: server,
        cells: [
          server,
          values.length === 0 ? (
            <span class="soft">{view.nothing}</span>
          ) : (
            <ul>
              {values.map(({ type, value }) => (
                <li key={type + value} class="mono">
                  {type} {value}
                </li>
              ))}
            </ul>
          ),
          <div class="stack tight">
            <span>
              <Badge {...LOOKS[state]}>{view.serverStates[state]}</Badge>
            </span>
            {until !== undefined && (
              <span class="small soft">
                {view.forgotten} <Moment at={until} /> (
                <Countdown at={until} passed={view.nextCheckNow} />)
              </span>
            )}
          </div>,
        ],
      }))}
    />
  );
}

const LOOKS: BadgeLooks<ServerAnswer["state"]> = {
  new: { tone: "good", icon: "check" },
  old: { tone: "warn", icon: "clock" },
  other: { tone: "bad", icon: "cross" },
};
