import type { JSX } from "preact";

import type { ImportRow } from "../../../../../lib/actions/local-client.ts";
import type { Category } from "../../../../../lib/model/category.ts";
import { petStatuses } from "../../../../../lib/model/pet.ts";
import { Badge } from "../../../components/badge.tsx";
import { Card } from "../../../components/card.tsx";
import { Table } from "../../../components/table.tsx";
import { importingWords } from "../../../words/importing-words.ts";
import { words } from "../../../words/words.ts";
import { categoryName } from "../catalogue.ts";
import { toneOf } from "../status-control.tsx";

/** The first animals as they were understood, so that a mixed-up column shows. */
export function First({
  rows,
  categories,
}: {
  readonly rows: readonly ImportRow[];
  readonly categories: readonly Category[];
}): JSX.Element | null {
  const { animals, common } = words();
  if (rows.length === 0) return null;
  return (
    <Card title={importingWords.words().preview} bare>
      <Table
        label={importingWords.words().preview}
        columns={[animals.name, animals.category, animals.status]}
      >
        {rows.map(({ name, category, categoryId, status }, index) => {
          const known = petStatuses.find((one) => one === status) ?? "available";
          return (
            <tr key={index}>
              <td class="lead">{String(name)}</td>
              <td data-label={animals.category}>
                {typeof category === "string"
                  ? category
                  : categoryName(categories, Number(categoryId))}
              </td>
              <td data-label={animals.status}>
                <Badge tone={toneOf[known]}>{common.statuses[known]}</Badge>
              </td>
            </tr>
          );
        })}
      </Table>
    </Card>
  );
}
