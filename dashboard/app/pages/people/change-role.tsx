import { useSignal } from "@preact/signals";
import type { JSX } from "preact";

import type { MemberView } from "../../../../lib/management/member-view.ts";
import { accountRoles } from "../../../../lib/management/model/principal.ts";
import { at, send } from "../../api.ts";
import { Dialog } from "../../components/dialog.tsx";
import { Refusal } from "../../components/feedback.tsx";
import { toast } from "../../components/toasts.tsx";
import { useAttempt } from "../../components/form.tsx";
import { bound } from "../../components/field.tsx";
import { administrationWords } from "../../words/late.tsx";
import { words } from "../../words/words.ts";
import { nameOf } from "./member-actions.ts";
import { RoleField } from "./role-field.tsx";

/** Asks for another role, and gives it to a member. */
export function ChangeRole({
  path,
  member,
  onChanged,
  onClose,
}: {
  readonly path: string;
  readonly member: MemberView;
  readonly onChanged: () => void;
  readonly onClose: () => void;
}): JSX.Element {
  const { people } = administrationWords.words();
  const { common } = words();
  const role = useSignal(accountRoles.find((one) => one === member.role) ?? "viewer");
  const attempt = useAttempt();
  const change = (): Promise<void> =>
    attempt.run(
      () => send<MemberView>("PATCH", path + at`/${member.id}`, { role: role.value }),
      () => {
        toast(people.roleChanged(nameOf(member), common.roles[role.value]));
        onChanged();
      },
    );
  return (
    <Dialog
      title={people.roleOf(nameOf(member))}
      action={people.changeRole}
      busy={attempt.busy}
      onSubmit={() => void change()}
      onClose={onClose}
    >
      <RoleField label={people.form.role} {...bound(role)} />
      <Refusal problem={attempt.problem} />
    </Dialog>
  );
}
