import { useSignal } from "@preact/signals";
import type { JSX } from "preact";

import type { Account } from "../../../../lib/model/account.ts";
import { send } from "../../api.ts";
import { Dialog } from "../../components/dialog.tsx";
import { TextField, bound } from "../../components/field.tsx";
import { Refusal } from "../../components/feedback.tsx";
import { useAttempt } from "../../components/form.tsx";
import { administrationWords } from "../../words/late.tsx";
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

        maxLength={120}
        required
        autofocus
        {...bound(name)}
      />
      <PlanFields label={accounts.form.plan} {...bound(choice)} />
      <Refusal problem={attempt.problem} />
    </Dialog>
  );
}
