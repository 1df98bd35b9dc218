import { useSignal } from "@preact/signals";
import type { JSX } from "preact";

import type { MemberView, ResetLinkView } from "../../../../lib/management/member-view.ts";
import type { AccountRole } from "../../../../lib/management/model/principal.ts";
import { send } from "../../api.ts";
import { Dialog } from "../../components/dialog.tsx";
import { TextField, bound } from "../../components/field.tsx";
import { Refusal } from "../../components/feedback.tsx";
import { useAttempt } from "../../components/form.tsx";
import { administrationWords } from "../../words/late.tsx";
import { RoleField } from "./role-field.tsx";

interface Newcomer {
  readonly member: MemberView;
  readonly link: ResetLinkView;
}

/** Asks who it is, adds them, and gets the link by which they choose their password. */
export function AddMember({
  path,
  ofAccount,
  onAdded,
  onClose,
}: {
  /** Of the list that they join. */
  readonly path: string;
  /** Else they become an operator. */
  readonly ofAccount: boolean;
  readonly onAdded: (member: MemberView, link: ResetLinkView) => void;
  readonly onClose: () => void;
}): JSX.Element {
  const { form } = administrationWords.words().people;
  const email = useSignal("");
  const name = useSignal("");
  const role = useSignal<AccountRole>("staff");
  const attempt = useAttempt();
  const add = (): Promise<void> =>
    attempt.run(
      () =>
        send<Newcomer>("POST", path, {
          email: email.value.trim(),
          name: name.value.trim(),
          ...(ofAccount ? { role: role.value } : {}),
        }),
      ({ member, link }) => onAdded(member, link),
    );
  return (
    <Dialog
      title={ofAccount ? form.title : form.titleOperator}
      action={form.add}
      busy={attempt.busy}
      onSubmit={() => void add()}
      onClose={onClose}
    >
      <TextField
        label={form.email}
        hint={form.emailHint}
        type="email"

        required
        autofocus
        {...bound(email)}
      />
      <TextField label={form.name} maxLength={120} {...bound(name)} />
      {ofAccount && <RoleField label={form.role} {...bound(role)} />}
      <Refusal problem={attempt.problem} />
    </Dialog>
  );
}
