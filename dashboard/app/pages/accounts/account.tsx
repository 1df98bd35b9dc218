import { useSignal } from "@preact/signals";
import { useLocation } from "preact-iso";
import type { FunctionComponent, JSX } from "preact";

import { planLimits, plans, type Account } from "../../../../lib/model/account.ts";
import { call } from "../../api.ts";
import { Button } from "../../components/button.tsx";
import { Copy } from "../../components/copy.tsx";
import { confirm } from "../../components/dialog.tsx";
import { Notice } from "../../components/feedback.tsx";
import { bound, TextField } from "../../components/field.tsx";
import { Form } from "../../components/form.tsx";
import { Badge } from "../../components/indicators.tsx";
import { Card, Page } from "../../components/page.tsx";
import { Table } from "../../components/table.tsx";
import { toast } from "../../components/toasts.tsx";
import { reloadAccounts } from "../../state/account.ts";
import { inAccount } from "../../state/in-account.tsx";
import { isOperator, mayOwn } from "../../state/me.ts";
import { number } from "../../words/format.ts";
import { administrationWords } from "../../words/late.tsx";
import { words } from "../../words/words.ts";
import { TokensCard } from "../tokens.tsx";
import { deleteAccount, toggleSuspension } from "./actions.ts";
import { PlanFields } from "./plan-fields.tsx";
import {
  choiceOf,
  effectsOf,
  hasDomains,
  planIn,
  type PlanChoice,
  type PlanEffects,
} from "./plan-rules.ts";

/** An account's name, plan and management tokens. */
export const AccountSettings: FunctionComponent<{ readonly account: string }> = inAccount(
  administrationWords.within(({ account }) => {
    const { accounts } = administrationWords.words();
    return (
      <Page title={accounts.page.title} about={account.name}>
        <NameCard key={account.name} account={account} />
        {isOperator.value ? (
          <ChangePlan key={account.plan} account={account} />
        ) : (
          <PlanTable account={account} />
        )}
        {mayOwn.value && <TokensCard accountId={account.id} />}
        {isOperator.value && <DangerCard account={account} />}
      </Page>
    );
  }),
);

function NameCard({ account: { id, name: before } }: { readonly account: Account }): JSX.Element {
  const { page, form } = administrationWords.words().accounts;
  const name = useSignal(before);
  const trimmed = name.value.trim();
  return (
    <Card title={page.account}>
      {mayOwn.value ? (
        <Form
          action={page.rename}
          disabled={trimmed === before || trimmed === ""}
          send={() => call("PATCH /accounts/:account", { account: id, body: { name: trimmed } })}
          onDone={() => {
            toast(page.renamed);
            void reloadAccounts();
          }}
        >
          <TextField
            label={page.name}
            hint={form.nameHint}
            maxLength={120}
            required
            {...bound(name)}
          />
        </Form>
      ) : (
        <p>{before}</p>
      )}
      <div>
        <p class="row">
          <span class="soft">{page.id}</span>
          <span class="mono">{id}</span>
          <Copy text={id} what={page.id} />
        </p>
        <p class="soft small">{page.idHint}</p>
      </div>
    </Card>
  );
}

/** Changes an account's plan, for operators. Shows the effects first. */
function ChangePlan({ account }: { readonly account: Account }): JSX.Element {
  const { page } = administrationWords.words().accounts;
  const { common } = words();
  const choice = useSignal<PlanChoice>(choiceOf(account));
  const next = planIn(choice.value);
  const effects = next === undefined ? undefined : effectsOf(account, next);
  return (
    <Card title={page.planAndLimits}>
      <Form
        action={page.change}
        disabled={effects === undefined}
        send={async () =>
          effects?.domains !== "loses" || (await confirm(page.losesDomains, "", { look: "danger" }))
            ? call("PATCH /accounts/:account", { account: account.id, body: next ?? {} })
            : undefined
        }
        onDone={({ plan }) => {
          toast(page.changed(common.plans[plan]));
          void reloadAccounts();
        }}
      >
        <PlanFields label={page.plan} {...bound(choice)} />
        {effects !== undefined && <Effects effects={effects} />}
      </Form>
    </Card>
  );
}

function Effects({ effects: { limits, domains } }: { readonly effects: PlanEffects }): JSX.Element {
  const { page } = administrationWords.words().accounts;
  return (
    <Notice tone={domains === "loses" ? "warn" : "plain"} live="status">
      <h3>{page.effects}</h3>
      {limits !== undefined && <p>{page.limits(limits.from, limits.to)}</p>}
      {domains === "gains" && <p>{page.gainsDomains}</p>}
      {domains === "loses" && <p>{page.losesDomains.text}</p>}
      <p>{page.nothingElse}</p>
    </Notice>
  );
}

/** The plans, which of them the account has, and how to upgrade. */
function PlanTable({ account }: { readonly account: Account }): JSX.Element {
  const { accounts } = administrationWords.words();
  const { page } = accounts;
  const { common } = words();
  const { columns } = page;
  return (
    <Card bare title={page.planAndLimits}>
      <Table
        label={page.plan}
        columns={[
          { name: columns.plan, cell: "lead" },
          { name: columns.perMinute, cell: "number" },
          { name: columns.perDay, cell: "number" },
          columns.domains,
        ]}
        rows={plans.map((plan) => {
          const own = plan === account.plan;
          const others = plan === "enterprise" ? undefined : planLimits[plan];
          const limits = own ? account.limits : others;
          return {
            key: plan,
            cells: [
              <div class="row">
                <strong>{common.plans[plan]}</strong>
                {own && <Badge tone="accent">{page.current}</Badge>}
              </div>,
              limits === undefined ? accounts.agreed : number(limits.perMinute),
              limits === undefined ? accounts.agreed : number(limits.perDay),
              hasDomains(plan) ? common.yes : common.no,
            ],
          };
        })}
      />
      <p class="inside soft">{page.upgrade}</p>
    </Card>
  );
}

/** Suspends, resumes and deletes an account, for operators. */
function DangerCard({ account }: { readonly account: Account }): JSX.Element {
  const { danger } = administrationWords.words().accounts;
  const { route } = useLocation();
  const suspension = account.suspendedAt === undefined ? danger.suspend : danger.resume;
  return (
    <Card look="danger" title={danger.title}>
      <div class="deed">
        <p>{suspension.text}</p>
        <Button onClick={() => void toggleSuspension(account)}>{suspension.action}</Button>
      </div>
      <div class="deed">
        <p>{danger.delete.text}</p>
        <Button
          look="danger"
          onClick={() => void deleteAccount(account).then((done) => done && route("/accounts"))}
        >
          {danger.delete.action}
        </Button>
      </div>
    </Card>
  );
}
