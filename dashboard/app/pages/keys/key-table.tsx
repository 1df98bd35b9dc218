import type { JSX } from "preact";

import type { KeyView } from "../../../../lib/actions/local-client.ts";
import { words } from "../../words/words.ts";
import type { KeyDialog } from "./key-dialogs.tsx";
import { KeyRow } from "./key-row.tsx";
import type { LimitsView } from "../../../../lib/actions/local-client.ts";

/** Keys, one in a row. */
export function KeyTable({
  keys,
  label,
  limits,
  onAsk,
  onChange,
}: {
  readonly keys: readonly KeyView[];
  /** What keys they are, for who cannot see where the table stands. */
  readonly label: string;
  readonly limits: LimitsView | undefined;
  readonly onAsk: (dialog: KeyDialog) => void;
  readonly onChange: () => Promise<void>;
}): JSX.Element {
  const { columns } = words().keys;
  return (
    <div class="table-wrap">
      <table class="table folds" aria-label={label}>
        <thead>
          <tr>
            <th scope="col">{columns.key}</th>
            <th scope="col">{columns.mayDo}</th>
            <th scope="col">{columns.lastUsed}</th>
            <th scope="col" class="number">
              {columns.requests}
            </th>
            <th scope="col">{columns.status}</th>
            <th scope="col">
              <span class="out-of-sight">{columns.actions}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {keys.map((key) => (
            <KeyRow
              key={key.id}
              keyView={key}
              used={limits?.keys.find(({ id }) => id === key.id)?.used}
              onAsk={onAsk}
              onChange={onChange}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}
