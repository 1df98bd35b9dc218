import { useSignal } from "@preact/signals";
import { useLocation } from "preact-iso";
import type { FunctionComponent, JSX } from "preact";

import type { Account } from "../../../../lib/model/account.ts";
import { call } from "../../api.ts";
import { Button } from "../../components/button.tsx";
import { AccountsLoading, Empty, Refusal } from "../../components/feedback.tsx";
import { bound, TextField } from "../../components/field.tsx";
import { FormDialog, useAttempt } from "../../components/form.tsx";
import { Icon } from "../../components/icon.tsx";
import { Badge } from "../../components/indicators.tsx";
import { Menu } from "../../components/menu.tsx";
import { Card, Page } from "../../components/page.tsx";
import { InSteps, Table } from "../../components/table.tsx";
import { toast } from "../../components/toasts.tsx";
import { accounts, accountsKnown, reloadAccounts } from "../../state/account.ts";
import { isOperator } from "../../state/me.ts";
import { useResource } from "../../state/resource.ts";
import { date } from "../../words/format.ts";
import { administrationWords } from "../../words/late.tsx";
import { words } from "../../words/words.ts";
import { deleteAccount, toggleSuspension } from "./actions.ts";
import { PlanFields } from "./plan-fields.tsx";
import { freeChoice, planIn, type PlanChoice } from "./plan-rules.ts";

/** The accounts that the user may see: for operators all of them. */
export const Accounts: FunctionComponent = administrationWords.within(() => {
  const { accounts: text } = administrationWords.words();
  const { route } = useLocation();
  const creating = useSignal(false);
  const sample = useAttempt();
  const all = accounts.value;
  const open = (account: Account, message: string): void => {
    creating.value = false;
    toast(message);
    void reloadAccounts().then(() => route(`/accounts/${account.id}/overview`));
  };
  const createSample = (): Promise<void> =>
    sample.run(
      () => call("POST /accounts/sample"),
      ({ account }) => open(account, text.sampleCreated(account.name)),
    );
  const actions = isOperator.value && (
    <>
      <Button busy={sample.busy} onClick={() => void createSample()}>
        {text.sample}
      </Button>
      <Button
        look="primary"
        onClick={() => {
          creating.value = true;
        }}
      >
        <Icon name="plus" />
        {text.create}
      </Button>
    </>
  );
  return (
    <Page title={text.title} about={text.about} actions={actions}>
      <Refusal problem={sample.problem} />
      {!accountsKnown.value && <AccountsLoading lines={6} />}
      {accountsKnown.value && all.length === 0 && (
        <Card>
          <Empty title={text.empty}>{text.emptyText}</Empty>
        </Card>
      )}
      {all.length > 0 && <Found all={all} />}
      {creating.value && (
        <CreateAccount
          onCreated={(account) => open(account, text.created(account.name))}
          onClose={() => {
            creating.value = false;
          }}
        />
      )}
    </Page>
  );
});

/** So few accounts need no search. */
const FEW = 8;

/** The accounts whose names contain the search text. */
function Found({ all }: { readonly all: readonly Account[] }): JSX.Element {
  const { accounts: text } = administrationWords.words();
  const search = useSignal("");
  const part = search.value.trim().toLocaleLowerCase();
  const found = all.filter(({ name }) => name.toLocaleLowerCase().includes(part));
  return (
    <Card bare title={text.count(all.length)}>
      {all.length > FEW && (
        <div class="inside">
          <TextField type="search" label={text.search} {...bound(search)} />
        </div>
      )}
      {found.length === 0 && <Empty title={text.noneFound}>{text.noneFoundText}</Empty>}
      {found.length > 0 && <AccountTable key={part} accounts={found} />}
    </Card>
  );
}

/** Every row requests its number of animals: this many stay well within the rate limits. */
const STEP = 25;

function AccountTable({
  accounts: listed,
}: {
  readonly accounts: readonly Account[];
}): JSX.Element {
  const { accounts: text } = administrationWords.words();
  const { common } = words();
  const { route } = useLocation();
  const { columns, danger } = text;
  return (
    <InSteps items={listed} step={STEP}>
      {(shown) => (
        <Table
          label={text.title}
          columns={[
            { name: columns.name, cell: "lead" },
            columns.plan,
            columns.animals,
            columns.status,
            columns.created,
            { name: columns.actions, cell: "end corner" },
          ]}
          rows={shown.map((account) => {
            const { id, name, plan, suspendedAt, createdAt } = account;
            const items = [
              { label: text.settings, onClick: () => route(`/accounts/${id}`) },
              ...(isOperator.value
                ? [
                    {
                      label: danger[suspendedAt === undefined ? "suspend" : "resume"].action,
                      onClick: () => void toggleSuspension(account),
                    },
                    {
                      label: danger.delete.action,
                      danger: true,
                      onClick: () => void deleteAccount(account),
                    },
                  ]
                : []),
            ];
            return {
              key: id,
              cells: [
                <a href={`/accounts/${id}/overview`}>{name}</a>,
                common.plans[plan],
                <Animals accountId={id} />,
                <div>
                  <Badge tone={suspendedAt === undefined ? "good" : "bad"}>
                    {suspendedAt === undefined ? text.active : text.suspended}
                  </Badge>
                  {suspendedAt !== undefined && (
                    <div class="soft small">{text.since(suspendedAt)}</div>
                  )}
                </div>,
                date(createdAt),
                <Menu label={common.more(name)} items={items} />,
              ],
            };
          })}
        />
      )}
    </InSteps>
  );
}

/** The number of animals available for adoption, once loaded. */
function Animals({ accountId }: { readonly accountId: string }): JSX.Element {
  const { accounts: text } = administrationWords.words();
  const summary = useResource(accountId, () =>
    call("GET /accounts/:account/:environment/summary", {
      account: accountId,
      environment: "production",
    }),
  );
  return <>{summary.value === undefined ? "…" : text.available(summary.value.pets.available)}</>;
}

function CreateAccount({
  onCreated,
  onClose,
}: {
  readonly onCreated: (account: Account) => void;
  readonly onClose: () => void;
}): JSX.Element {
  const { accounts: text } = administrationWords.words();
  const name = useSignal("");
  const choice = useSignal<PlanChoice>(freeChoice);
  const plan = planIn(choice.value);
  return (
    <FormDialog
      title={text.form.title}
      action={text.create}
      disabled={plan === undefined}
      send={() => call("POST /accounts", { body: { name: name.value.trim(), ...plan } })}
      onDone={onCreated}
      onClose={onClose}
    >
      <TextField
        label={text.form.name}
        hint={text.form.nameHint}
        maxLength={120}
        required
        autofocus
        {...bound(name)}
      />
      <PlanFields label={text.form.plan} {...bound(choice)} />
    </FormDialog>
  );
}
