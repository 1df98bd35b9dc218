import type { JSX } from "preact";

import type { TokenView } from "../../../../lib/management/model/token.ts";
import { Badge } from "../../components/badge.tsx";
import { Instant } from "../../components/instant.tsx";
import { Menu } from "../../components/menu.tsx";
import { Table } from "../../components/table.tsx";
import { administrationWords } from "../../words/administration-words.ts";
import { date } from "../../words/format.ts";
import { words } from "../../words/words.ts";

/** Management tokens, one in a row. */
export function TokenTable({
  label,
  tokens,
  onRevoke,
}: {
  readonly label: string;
  readonly tokens: readonly TokenView[];
  /** Absent: they have ended already. */
  readonly onRevoke?: (token: TokenView) => void;
}): JSX.Element {
  const { tokens: text } = administrationWords.words();
  const { common } = words();
  const { columns } = text;
  return (
    <Table
      label={label}
      columns={[
        columns.token,
        columns.role,
        columns.lastUsed,
        columns.status,
        { unseen: columns.actions },
      ]}
    >
      {tokens.map((token) => {
        const { id, name, role, status, lastUsedAt, expiresAt, createdAt } = token;
        const called = name === "" ? text.unnamed : name;
        return (
          <tr key={id}>
            <td class="lead">
              <div>
                <strong>{called}</strong>
                <div class="mono soft">pet_manage_{id}…</div>
              </div>
            </td>
            <td data-label={columns.role}>{common.roles[role]}</td>
            <td data-label={columns.lastUsed}>
              <div>
                {lastUsedAt === undefined ? common.never : <Instant at={lastUsedAt} />}
                <div class="soft small">{text.created(date(createdAt))}</div>
              </div>
            </td>
            <td data-label={columns.status}>
              <div>
                <Badge tone={status === "active" ? "good" : "plain"}>{text.statuses[status]}</Badge>
                {status === "active" && expiresAt !== undefined && (
                  <div class="soft small">
                    {text.expires} <Instant at={expiresAt} />
                  </div>
                )}
              </div>
            </td>
            <td class="end corner">
              {onRevoke !== undefined && (
                <Menu
                  label={common.more(called)}
                  items={[{ label: text.revoke, danger: true, onClick: () => onRevoke(token) }]}
                />
              )}
            </td>
          </tr>
        );
      })}
    </Table>
  );
}
