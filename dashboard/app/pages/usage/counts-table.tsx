import type { ComponentChildren, JSX } from "preact";

import { number } from "../../words/format.ts";
import { words } from "../../words/words.ts";
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
  const { usage } = words();
  return (
    <div class="table-wrap">
      <table class="table folds" aria-label={label}>
        <thead>
          <tr>
            <th scope="col">{what}</th>
            <th scope="col" class="number">
              {usage.total}
            </th>
            {endings.map((ending) => (
              <th key={ending} scope="col" class="number">
                {usage.endings[ending]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
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
        </tbody>
      </table>
    </div>
  );
}
