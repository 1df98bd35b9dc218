import type { JSX } from "preact";

import type { KeyView } from "../../../../lib/actions/local-client.ts";
import { Table } from "../../components/table.tsx";
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
    <Table
      label={label}
      columns={[
        columns.key,
        columns.mayDo,
        columns.lastUsed,
        { name: columns.requests, cell: "number" },
        columns.status,
        { name: columns.actions, cell: "end corner" },
      ]}
    >
      {keys.map((key) => (
        <KeyRow
          key={key.id}
          keyView={key}
          used={limits?.keys.find(({ id }) => id === key.id)?.used}
          onAsk={onAsk}
          onChange={onChange}
        />
      ))}
    </Table>
  );
}
