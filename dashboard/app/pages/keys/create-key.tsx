import { useSignal } from "@preact/signals";
import type { JSX } from "preact";

import { DAY_MS } from "../../../../lib/base/clock.ts";
import { environments, type Environment } from "../../../../lib/model/account.ts";
import { defaultScopes, type Scope } from "../../../../lib/model/scope.ts";
import { at, send } from "../../api.ts";
import { Dialog } from "../../components/dialog.tsx";
import { SelectField, TextField, bound } from "../../components/field.tsx";
import { LifetimeField } from "../../components/choice.tsx";
import { Refusal } from "../../components/feedback.tsx";
import { useAttempt } from "../../components/form.tsx";
import { words } from "../../words/words.ts";
import type { IssuedKeyAnswer } from "./issued-key.tsx";
import { NetworksField } from "./networks-field.tsx";
import { networksIn } from "./networks-in.ts";
import { ScopesField } from "./scopes-field.tsx";

const LIFETIMES = [undefined, DAY_MS, 7 * DAY_MS, 30 * DAY_MS, 90 * DAY_MS, 365 * DAY_MS] as const;

/** Asks for what a new key is to be, and makes it. */
export function CreateKey({
  accountId,
  environment,
  onIssued,
  onClose,
}: {
  readonly accountId: string;
  /** What the form begins with. */
  readonly environment: Environment;
  readonly onIssued: (answer: IssuedKeyAnswer) => void;
  readonly onClose: () => void;
}): JSX.Element {
  const { common, keys } = words();
  const { form } = keys;
  const name = useSignal("");
  const where = useSignal(environment);
  const scopes = useSignal<readonly Scope[]>(defaultScopes);
  const lifetime = useSignal<number | undefined>(undefined);
  const networks = useSignal("");
  const allowed = networksIn(networks.value);
  const attempt = useAttempt();

  const create = (): Promise<void> =>
    attempt.run(
      () =>
        send<IssuedKeyAnswer>("POST", at`/accounts/${accountId}/keys`, {
          name: name.value.trim(),
          environment: where.value,
          scopes: scopes.value,
          ...(lifetime.value === undefined ? {} : { expiresInMs: lifetime.value }),
          ...(allowed.networks.length === 0 ? {} : { allowedAddresses: allowed.networks }),
        }),
      onIssued,
    );
  return (
    <Dialog
      title={form.title}
      action={keys.create}
      busy={attempt.busy}
      disabled={scopes.value.length === 0 || allowed.fault !== undefined}
      onSubmit={() => void create()}
      onClose={onClose}
    >
      <TextField
        label={form.name}
        hint={form.nameHint}

        maxLength={120}
        required
        autofocus
        {...bound(name)}
      />
      <SelectField
        label={common.environment}
        hint={keys.environments[where.value]}

        options={environments.map((value) => ({ value, label: common[value] }))}
        {...bound(where)}
      />
      <ScopesField {...bound(scopes)} />
      <LifetimeField choices={LIFETIMES} {...bound(lifetime)} />
      <NetworksField fault={allowed.fault} {...bound(networks)} />
      <Refusal problem={attempt.problem} />
    </Dialog>
  );
}
