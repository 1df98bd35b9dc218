import { useSignal } from "@preact/signals";
import { useLocation } from "preact-iso";
import type { FunctionComponent, JSX } from "preact";

import type { SampleShelter } from "../../../../lib/management/system.ts";
import type { Account } from "../../../../lib/model/account.ts";
import { send } from "../../api.ts";
import { AccountsLoading, Empty, Refusal } from "../../components/feedback.tsx";
import { Button } from "../../components/button.tsx";
import { Card, Page } from "../../components/page.tsx";
import { TextField, bound } from "../../components/field.tsx";
import { Icon } from "../../components/icon.tsx";
import { toast } from "../../components/toasts.tsx";
import { accounts, accountsKnown, reloadAccounts } from "../../state/account.ts";
import { useAttempt } from "../../components/form.tsx";
import { isOperator } from "../../state/me.ts";
import { administrationWords } from "../../words/late.tsx";
import { AccountTable } from "./account-table.tsx";
import { CreateAccount } from "./create-account.tsx";

/** So few that a glance finds them: no need to search. */
const FEW = 8;

/** All accounts, for operators; others see their own. */
export const Accounts: FunctionComponent = administrationWords.within(() => {
  const { accounts: text } = administrationWords.words();
  const { route } = useLocation();
  const creating = useSignal(false);
  const sample = useAttempt();
  const all = accounts.value;

  const makeSample = (): Promise<void> =>
    sample.run(
      () => send<SampleShelter>("POST", "/accounts/sample"),
      ({ account }) => {
        toast(text.sampleMade(account.name));
        void reloadAccounts().then(() => route(`/accounts/${account.id}/overview`));
      },
    );
  const created = (account: Account): void => {
    creating.value = false;
    toast(text.created(account.name));
    void reloadAccounts().then(() => route(`/accounts/${account.id}/overview`));
  };
  const actions = isOperator.value && (
    <>
      <Button busy={sample.busy} onClick={() => void makeSample()}>
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
          onCreated={created}
          onClose={() => {
            creating.value = false;
          }}
        />
      )}
    </Page>
  );
});

/** The accounts whose names hold what is searched for. */
function Found({ all }: { readonly all: readonly Account[] }): JSX.Element {
  const { accounts: text } = administrationWords.words();
  const wanted = useSignal("");
  const part = wanted.value.trim().toLocaleLowerCase();
  const found = all.filter(({ name }) => name.toLocaleLowerCase().includes(part));
  return (
    <Card bare title={text.count(all.length)}>
      {all.length > FEW && (
        <div class="inside">
          <TextField
            type="search"
            label={text.search}

            {...bound(wanted)}
          />
        </div>
      )}
      {found.length === 0 && <Empty title={text.noneFound}>{text.noneFoundText}</Empty>}
      {found.length > 0 && <AccountTable key={part} accounts={found} />}
    </Card>
  );
}
