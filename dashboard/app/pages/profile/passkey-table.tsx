import type { JSX } from "preact";

import type { PasskeyView } from "../../../../lib/management/member-view.ts";
import { Button } from "../../components/button.tsx";
import { Instant } from "../../components/time.tsx";
import { Table } from "../../components/table.tsx";
import { profileWords } from "../../words/late.tsx";
import { words } from "../../words/words.ts";

/** Passkeys, each with a way to remove it. */
export function PasskeyTable({
  passkeys: listed,
  onRemove,
}: {
  readonly passkeys: readonly PasskeyView[];
  readonly onRemove: (passkey: PasskeyView) => Promise<void>;
}): JSX.Element {
  const { passkeys } = profileWords.words();
  const { common } = words();
  const { columns } = passkeys;
  if (listed.length === 0) return <p class="inside soft">{passkeys.none}</p>;
  return (
    <Table
      label={passkeys.title}
      columns={[
        columns.name,
        columns.added,
        columns.used,
        { name: columns.actions, cell: "end corner" },
      ]}
    >
      {listed.map((passkey) => (
        <tr key={passkey.id}>
          <td class="lead">
            <strong>{passkey.name}</strong>
          </td>
          <td data-label={columns.added}>
            <Instant at={passkey.createdAt} />
          </td>
          <td data-label={columns.used}>
            {passkey.lastUsedAt === undefined ? common.never : <Instant at={passkey.lastUsedAt} />}
          </td>
          <td class="end">
            <Button
              small
              label={passkeys.removeTitle(passkey.name)}
              onClick={() => void onRemove(passkey)}
            >
              {passkeys.remove}
            </Button>
          </td>
        </tr>
      ))}
    </Table>
  );
}
