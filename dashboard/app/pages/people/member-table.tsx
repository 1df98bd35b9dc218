import type { JSX } from "preact";

import type { MemberView } from "../../../../lib/management/member-view.ts";
import { Badge } from "../../components/indicators.tsx";
import { Instant } from "../../components/time.tsx";
import { Menu } from "../../components/menu.tsx";
import { Table } from "../../components/table.tsx";
import { me } from "../../state/me.ts";
import { administrationWords } from "../../words/late.tsx";
import { date } from "../../words/format.ts";
import { words } from "../../words/words.ts";
import { nameOf } from "./member-actions.ts";

export interface MemberTableProps {
  readonly members: readonly MemberView[];
  /** What is absent cannot be done by whoever looks. */
  readonly onRole?: (member: MemberView) => void;
  readonly onRenew?: (member: MemberView) => void;
  readonly onRemove?: (member: MemberView) => void;
}

/** People who can sign in, one in a row. Nobody changes or removes themselves here. */
export function MemberTable({ members, ...on }: MemberTableProps): JSX.Element {
  const { people } = administrationWords.words();
  const { columns } = people;
  return (
    <Table
      label={people.title}
      columns={[
        columns.person,
        columns.role,
        columns.lastSeen,
        columns.status,
        { name: columns.actions, cell: "end corner" },
      ]}
    >
      {members.map((member) => (
        <Row key={member.id} member={member} {...on} />
      ))}
    </Table>
  );
}

function Row({
  member,
  onRole,
  onRenew,
  onRemove,
}: Omit<MemberTableProps, "members"> & { readonly member: MemberView }): JSX.Element {
  const { people } = administrationWords.words();
  const { common } = words();
  const { columns } = people;
  const { id, email, role, lastSeenAt, createdAt, status, passkeys } = member;
  const own = me.value?.member?.id === id;
  const items = [
    ...(onRole === undefined ? [] : [{ label: people.changeRole, onClick: () => onRole(member) }]),
    ...(onRenew === undefined ? [] : [{ label: people.resetLink, onClick: () => onRenew(member) }]),
    ...(onRemove === undefined
      ? []
      : [{ label: people.remove, danger: true, onClick: () => onRemove(member) }]),
  ];
  return (
    <tr>
      <td class="lead">
        <div>
          <strong>{nameOf(member)}</strong> {own && <Badge tone="accent">{people.you}</Badge>}
          {member.name !== "" && <div class="soft small">{email}</div>}
        </div>
      </td>
      <td data-label={columns.role}>{common.roles[role]}</td>
      <td data-label={columns.lastSeen}>
        <div>
          {lastSeenAt === undefined ? common.never : <Instant at={lastSeenAt} />}
          <div class="soft small">{people.added(date(createdAt))}</div>
        </div>
      </td>
      <td data-label={columns.status}>
        <div>
          <Badge tone={status === "active" ? "good" : "warn"}>{people.statuses[status]}</Badge>
          {passkeys > 0 && <div class="soft small">{people.withPasskey}</div>}
        </div>
      </td>
      <td class="end corner">
        {!own && items.length > 0 && <Menu label={common.more(nameOf(member))} items={items} />}
      </td>
    </tr>
  );
}
