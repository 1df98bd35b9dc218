import type { FunctionComponent } from "preact";

import { Notice } from "../../components/feedback.tsx";
import { Page } from "../../components/page.tsx";
import { inAccount } from "../../state/in-account.tsx";
import { isOperator, mayOwn } from "../../state/me.ts";
import { administrationWords } from "../../words/late.tsx";
import { TokensCard } from "../tokens.tsx";
import { AccountDanger } from "./account-danger.tsx";
import { AccountName } from "./account-name.tsx";
import { ChangePlan } from "./change-plan.tsx";
import { PlanTable } from "./plan-table.tsx";

/** What an account is called, what its plan is, and who works on it by programs. */
export const AccountSettings: FunctionComponent<{ readonly account: string }> = inAccount(
  administrationWords.within(({ account }) => {
    const { accounts } = administrationWords.words();
    return (
      <Page title={accounts.page.title} about={account.name}>
        {account.suspendedAt !== undefined && (
          <Notice tone="bad">
            <p>{accounts.suspendedNotice(account.suspendedAt)}</p>
          </Notice>
        )}
        <AccountName key={account.name} account={account} />
        {isOperator.value ? (
          <ChangePlan key={account.plan} account={account} />
        ) : (
          <PlanTable account={account} />
        )}
        {mayOwn.value && <TokensCard accountId={account.id} />}
        {isOperator.value && <AccountDanger account={account} />}
      </Page>
    );
  }),
);
