import { useSignal } from "@preact/signals";
import type { JSX } from "preact";

import type { Account } from "../../../../lib/model/account.ts";
import { send } from "../../api.ts";
import { Dialog } from "../../components/dialog.tsx";
import { TextField } from "../../components/field.tsx";
import { Refusal } from "../../components/notice.tsx";
import { useAttempt } from "../../state/attempt.ts";
import { into } from "../../state/into.ts";
import { administrationWords } from "../../words/administration-words.ts";
import { freeChoice, planIn, type PlanChoice } from "./plan-choice.ts";
import { PlanFields } from "./plan-fields.tsx";

/** Asks for name and plan, and makes the account. */
export function CreateAccount({
  onCreated,
  onClose,
}: {
  readonly onCreated: (account: Account) => void;
  readonly onClose: () => void;
}): JSX.Element {
  const { accounts } = administrationWords.words();
  const name = useSignal("");
  const choice = useSignal<PlanChoice>(freeChoice);
  const attempt = useAttempt();
  const plan = planIn(choice.value);
  return (
    <Dialog
      title={accounts.form.title}
      action={accounts.create}
      busy={attempt.busy}
      disabled={plan === undefined}
      onSubmit={() => {
        const body = { name: name.value.trim(), ...plan };
        void attempt.run(() => send<Account>("POST", "/accounts", body), onCreated);
      }}
      onClose={onClose}
    >
      <TextField
        label={accounts.form.name}
        hint={accounts.form.nameHint}
        value={name.value}
        maxLength={120}
        required
        autofocus
        onInput={into(name)}
      />
      <PlanFields label={accounts.form.plan} value={choice.value} onInput={into(choice)} />
      <Refusal problem={attempt.problem} />
    </Dialog>
  );
}
