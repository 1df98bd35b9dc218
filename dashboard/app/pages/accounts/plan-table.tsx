import type { JSX } from "preact";

import { planLimits, plans, type Account } from "../../../../lib/model/account.ts";
import { Badge } from "../../components/indicators.tsx";
import { Card } from "../../components/page.tsx";
import { Table } from "../../components/table.tsx";
import { administrationWords } from "../../words/late.tsx";
import { number } from "../../words/format.ts";
import { words } from "../../words/words.ts";
import { hasDomains } from "./plan-effects.ts";

/** What there is to have, what the account has of it, and how to come by more. */
export function PlanTable({ account }: { readonly account: Account }): JSX.Element {
  const { accounts } = administrationWords.words();
  const { page } = accounts;
  const { common } = words();
  const { columns } = page;
  return (
    <Card bare title={page.planAndLimits}>
      <Table
        label={page.plan}
        columns={[
          columns.plan,
          { name: columns.perMinute, cell: "number" },
          { name: columns.perDay, cell: "number" },
          columns.domains,
        ]}
      >
        {plans.map((plan) => {
          const own = plan === account.plan;
          const limits = own
            ? account.limits
            : plan === "enterprise"
              ? undefined
              : planLimits[plan];
          return (
            <tr key={plan}>
              <td class="lead">
                <div class="row">
                  <strong>{common.plans[plan]}</strong>
                  {own && <Badge tone="accent">{page.present}</Badge>}
                </div>
              </td>
              <td class="number" data-label={columns.perMinute}>
                {limits === undefined ? accounts.agreed : number(limits.perMinute)}
              </td>
              <td class="number" data-label={columns.perDay}>
                {limits === undefined ? accounts.agreed : number(limits.perDay)}
              </td>
              <td data-label={columns.domains}>{hasDomains(plan) ? common.yes : common.no}</td>
            </tr>
          );
        })}
      </Table>
      <p class="inside soft">{page.upgrade}</p>
    </Card>
  );
}
