import { useLocation } from "preact-iso";
import type { JSX } from "preact";

import type { Account } from "../../../../lib/model/account.ts";
import { at, get } from "../../api.ts";
import { Badge } from "../../components/indicators.tsx";
import { InSteps, Table } from "../../components/table.tsx";
import { Menu } from "../../components/menu.tsx";
import { isOperator } from "../../state/me.ts";
import { useResource } from "../../state/resource.ts";
import { administrationWords } from "../../words/late.tsx";
import { date } from "../../words/format.ts";
import { words } from "../../words/words.ts";
import { remove, resume, suspend } from "./account-deeds.ts";

/** Every row asks for its animals: no more at a time than the limits of the API bear easily. */
const STEP = 25;

/** Accounts, one in a row. */
export function AccountTable({ accounts }: { readonly accounts: readonly Account[] }): JSX.Element {
  const { accounts: text } = administrationWords.words();
  const { columns } = text;
  return (
    <InSteps items={accounts} step={STEP}>
      {(shown) => (
        <Table
          label={text.title}
          columns={[
            columns.name,
            columns.plan,
            columns.animals,
            columns.status,
            columns.created,
            { name: columns.actions, cell: "end corner" },
          ]}
        >
          {shown.map((account) => (
            <Row key={account.id} account={account} />
          ))}
        </Table>
      )}
    </InSteps>
  );
}

function Row({ account }: { readonly account: Account }): JSX.Element {
  const { accounts: text } = administrationWords.words();
  const { common } = words();
  const { route } = useLocation();
  const { columns, danger } = text;
  const { id, name, plan, suspendedAt, createdAt } = account;
  const items = [
    { label: text.settings, onClick: () => route(`/accounts/${id}`) },
    ...(isOperator.value
      ? [
          suspendedAt === undefined
            ? { label: danger.suspend, onClick: () => void suspend(account) }
            : { label: danger.resume, onClick: () => void resume(account) },
          { label: common.delete, danger: true, onClick: () => void remove(account) },
        ]
      : []),
  ];
  return (
    <tr>
      <td class="lead">
        <a href={`/accounts/${id}/overview`}>{name}</a>
      </td>
      <td data-label={columns.plan}>{common.plans[plan]}</td>
      <td data-label={columns.animals}>
        <Animals accountId={id} />
      </td>
      <td data-label={columns.status}>
        <div>
          <Badge tone={suspendedAt === undefined ? "good" : "bad"}>
            {suspendedAt === undefined ? text.active : text.suspended}
          </Badge>
          {suspendedAt !== undefined && <div class="soft small">{text.since(suspendedAt)}</div>}
        </div>
      </td>
      <td data-label={columns.created}>{date(createdAt)}</td>
      <td class="end corner">
        <Menu label={common.more(name)} items={items} />
      </td>
    </tr>
  );
}

/** How many animals wait for a home, once that is known. */
function Animals({ accountId }: { readonly accountId: string }): JSX.Element {
  const { accounts: text } = administrationWords.words();
  const summary = useResource(accountId, () =>
    get<{ readonly pets: { readonly available: number } }>(
      at`/accounts/${accountId}/production/summary`,
    ),
  );
  return <>{summary.value === undefined ? "…" : text.available(summary.value.pets.available)}</>;
}
