import type { JSX } from "preact";

import type { KeyView } from "../../../../lib/actions/local-client.ts";
import type { UsageRow } from "../../../../lib/model/usage.ts";
import { Card } from "../../components/page.tsx";
import { usageWords } from "../../words/late.tsx";
import { words } from "../../words/words.ts";
import { prefixOf } from "../keys/rules.ts";
import { CountsTable } from "./counts-table.tsx";
import { shares } from "./periods.ts";

/** Who asked, and what: the same requests by key and by operation. */
export function Shares({
  rows,
  keys,
}: {
  readonly rows: readonly UsageRow[];
  readonly keys: readonly KeyView[];
}): JSX.Element | null {
  const usage = usageWords.words();
  const { keys: text } = words();
  if (rows.length === 0) return null;
  return (
    <>
      <Card bare title={usage.byKey}>
        <CountsTable
          label={usage.byKey}
          what={usage.key}
          rows={shares(rows, "keyId").map(({ name: id, ...counts }) => {
            const key = keys.find((one) => one.id === id);
            const name = key?.name === "" ? text.unnamed : (key?.name ?? usage.goneKey);
            return {
              id,
              name: (
                <div>
                  <strong>{name}</strong>
                  {key !== undefined && <div class="mono soft">{prefixOf(key)}</div>}
                </div>
              ),
              counts,
            };
          })}
        />
      </Card>
      <Card bare title={usage.byOperation}>
        <CountsTable
          label={usage.byOperation}
          what={usage.operation}
          rows={shares(rows, "operation").map(({ name, ...counts }) => ({
            id: name,
            name: name === "unknown" ? usage.unknownOperation : <code>{name}</code>,
            counts,
          }))}
        />
      </Card>
    </>
  );
}
