import { useSignal } from "@preact/signals";
import type { JSX } from "preact";

import { DAY_MS } from "../../../../lib/base/clock.ts";
import { accountRoles, type AccountRole } from "../../../../lib/management/model/principal.ts";
import type { TokenView } from "../../../../lib/management/model/token.ts";
import { send } from "../../api.ts";
import { Dialog } from "../../components/dialog.tsx";
import { SelectField, TextField } from "../../components/field.tsx";
import { LifetimeField } from "../../components/lifetime-field.tsx";
import { Refusal } from "../../components/notice.tsx";
import { useAttempt } from "../../state/attempt.ts";
import { into } from "../../state/into.ts";
import { administrationWords } from "../../words/administration-words.ts";
import { words } from "../../words/words.ts";

/** A token with its secret, as the service answers when it makes one. */
export interface IssuedTokenAnswer extends TokenView {
  /** The whole bearer token. A secret. */
  readonly token: string;
}

const LIFETIMES = [undefined, DAY_MS, 30 * DAY_MS, 90 * DAY_MS, 365 * DAY_MS] as const;

/** Asks for what a new management token is to be, and makes it. */
export function CreateToken({
  path,
  ofAccount,
  onIssued,
  onClose,
}: {
  /** Of the list that it joins. */
  readonly path: string;
  /** Else it is an operator's, whose role is no choice. */
  readonly ofAccount: boolean;
  readonly onIssued: (answer: IssuedTokenAnswer) => void;
  readonly onClose: () => void;
}): JSX.Element {
  const { tokens } = administrationWords.words();
  const { form } = tokens;
  const { common } = words();
  const name = useSignal("");
  const role = useSignal<AccountRole>("staff");
  const lifetime = useSignal<number | undefined>(90 * DAY_MS);
  const attempt = useAttempt();
  const create = (): Promise<void> =>
    attempt.run(
      () =>
        send<IssuedTokenAnswer>("POST", path, {
          name: name.value.trim(),
          ...(ofAccount ? { role: role.value } : {}),
          ...(lifetime.value === undefined ? {} : { expiresInMs: lifetime.value }),
        }),
      onIssued,
    );
  return (
    <Dialog
      title={form.title}
      action={tokens.create}
      busy={attempt.busy}
      onSubmit={() => void create()}
      onClose={onClose}
    >
      <TextField
        label={form.name}
        hint={form.nameHint}
        value={name.value}
        maxLength={120}
        required
        autofocus
        onInput={into(name)}
      />
      {ofAccount && (
        <SelectField
          label={form.role}
          hint={tokens.roleHints[role.value]}
          value={role.value}
          options={accountRoles.map((value) => ({ value, label: common.roles[value] }))}
          onInput={into(role)}
        />
      )}
      <LifetimeField choices={LIFETIMES} value={lifetime.value} onInput={into(lifetime)} />
      <Refusal problem={attempt.problem} />
    </Dialog>
  );
}
