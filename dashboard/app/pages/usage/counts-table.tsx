import type { ComponentChildren, JSX } from "preact";

import { Table } from "../../components/table.tsx";
import { number } from "../../words/format.ts";
import { usageWords } from "../../words/late.tsx";
import { endings, totalOf, type Counts } from "./periods.ts";

/** Numbers of requests, one row for each period, key or operation. */
export function CountsTable({
  label,
  what,
  rows,
}: {
  readonly label: string;
  /** What a row is about. */
  readonly what: string;
  readonly rows: readonly {
    readonly id: string;
    readonly name: ComponentChildren;
    readonly counts: Counts;
  }[];
}): JSX.Element {
  const usage = usageWords.words();
  return (
    <Table
      label={label}
      columns={[
        what,
        { name: usage.total, cell: "number" },
        ...endings.map((ending) => ({ name: usage.endings[ending], cell: "number" })),
      ]}
    >
      {rows.map(({ id, name, counts }) => (
        <tr key={id}>
          <td class="lead">{name}</td>
          <td class="number" data-label={usage.total}>
            {number(totalOf(counts))}
          </td>
          {endings.map((ending) => (
            <td key={ending} class="number" data-label={usage.endings[ending]}>
              {number(counts[ending])}
            </td>
          ))}
        </tr>
      ))}
    </Table>
  );
}
