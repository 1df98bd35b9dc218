import { useSignal } from "@preact/signals";
import type { JSX } from "preact";

import type { Account } from "../../../../lib/model/account.ts";
import { at, send } from "../../api.ts";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/page.tsx";
import { Copy } from "../../components/copy.tsx";
import { TextField, bound } from "../../components/field.tsx";
import { Refusal } from "../../components/feedback.tsx";
import { toast } from "../../components/toasts.tsx";
import { reloadAccounts } from "../../state/account.ts";
import { useAttempt } from "../../components/form.tsx";
import { mayOwn } from "../../state/me.ts";
import { administrationWords } from "../../words/late.tsx";

/** What the account is called, and the id by which programs name it. */
export function AccountName({ account }: { readonly account: Account }): JSX.Element {
  const { accounts } = administrationWords.words();
  const { page } = accounts;
  const name = useSignal(account.name);
  const attempt = useAttempt();
  const changed = name.value.trim() !== account.name && name.value.trim() !== "";
  const rename = (): Promise<void> =>
    attempt.run(
      () => send<Account>("PATCH", at`/accounts/${account.id}`, { name: name.value.trim() }),
      () => {
        toast(page.renamed);
        void reloadAccounts();
      },
    );
  return (
    <Card title={page.account}>
      {mayOwn.value && (
        <form
          class="stack"
          onSubmit={(event) => {
            event.preventDefault();
            if (changed) void rename();
          }}
        >
          <TextField
            label={page.name}
            hint={accounts.form.nameHint}

            maxLength={120}
            required
            {...bound(name)}
          />
          <Refusal problem={attempt.problem} />
          <div>
            <Button type="submit" busy={attempt.busy} disabled={!changed}>
              {page.rename}
            </Button>
          </div>
        </form>
      )}
      {!mayOwn.value && <p>{account.name}</p>}
      <div>
        <p class="row">
          <span class="soft">{page.id}</span>
          <span class="mono">{account.id}</span>
          <Copy text={account.id} what={page.id} />
        </p>
        <p class="soft small">{page.idHint}</p>
      </div>
    </Card>
  );
}
