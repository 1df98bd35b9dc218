import type { JSX } from "preact";

import type { BaseDomainReport } from "../../../../lib/management/system.ts";
import { Badge } from "../../components/badge.tsx";
import { Card } from "../../components/card.tsx";
import { Copy } from "../../components/copy.tsx";
import { Table } from "../../components/table.tsx";
import { setupWords } from "../../words/setup-words.ts";

/** The records that a name needs, each with what became of it. */
export function DomainRecords({
  report: { records, checks },
}: {
  readonly report: BaseDomainReport;
}): JSX.Element {
  const { domain } = setupWords.words();
  const { columns } = domain;
  return (
    <Card title={domain.records} bare>
      <Table
        label={domain.records}
        columns={[columns.type, columns.name, columns.value, columns.ttl, columns.state]}
      >
        {records.map(({ type, name, value, ttl, check }) => {
          const state = checks.find(({ id }) => id === check)?.state ?? "skipped";
          return (
            <tr key={`${type} ${name} ${value ?? ""}`}>
              <td data-label={columns.type}>{type}</td>
              <td data-label={columns.name}>
                <span class="cell">
                  <code>{name}</code>
                  <Copy text={name} what={domain.recordName(name)} />
                </span>
              </td>
              <td data-label={columns.value}>
                {value === null ? (
                  <em>{domain.openValue}</em>
                ) : (
                  <span class="cell">
                    <code>{value}</code>
                    <Copy text={value} what={domain.value(name)} />
                  </span>
                )}
              </td>
              <td data-label={columns.ttl}>{ttl}</td>
              <td data-label={columns.state}>
                <Badge tone={state === "ok" ? "good" : "warn"}>{domain.states[state]}</Badge>
              </td>
            </tr>
          );
        })}
      </Table>
    </Card>
  );
}
