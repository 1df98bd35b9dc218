import { useSignal } from "@preact/signals";
import type { JSX } from "preact";

import type { PasskeyView } from "../../../../lib/management/member-view.ts";
import { send, type Problem } from "../../api.ts";
import { Dialog } from "../../components/dialog.tsx";
import { TextField } from "../../components/field.tsx";
import { Notice, Refusal } from "../../components/notice.tsx";
import { createPasskey, type PasskeyFault, type PasskeyJson } from "../../passkeys.ts";
import { me } from "../../state/me.ts";
import { profileWords } from "../../words/profile-words.ts";
import { words } from "../../words/words.ts";
import { browserIn } from "./browser-in.ts";

/** Asks what a passkey is to be called, and has the device make it. Where the service wants it, for the password too. */
export function AddPasskey({
  asks = false,
  onAdded,
  onClose,
}: {
  /** Signing in was too long ago to go without the password. */
  readonly asks?: boolean;
  readonly onAdded: (passkey: PasskeyView) => void;
  readonly onClose: () => void;
}): JSX.Element {
  const { passkeys, password } = profileWords.words();
  const system = browserIn(navigator.userAgent).system ?? passkeys.anyDevice;
  const name = useSignal(passkeys.defaultName(system));
  const asked = useSignal(asks);
  const current = useSignal("");
  const busy = useSignal(false);
  const fault = useSignal<PasskeyFault | undefined>(undefined);
  const problem = useSignal<Problem | undefined>(undefined);

  const wrong = problem.value?.code === "invalid_credentials";

  const make = async (): Promise<void> => {
    fault.value = undefined;
    problem.value = undefined;
    const proof = asked.value ? { current: current.value } : {};
    const begun = await send<PasskeyJson>("POST", "/passkeys/options", proof);
    if (!begun.ok) {
      if (begun.failure.code === "password_required") asked.value = true;
      problem.value = begun.failure;
      return;
    }
    const created = await createPasskey(begun.value);
    if (!created.ok) {
      fault.value = created.failure;
      return;
    }
    const body = { name: name.value.trim(), response: created.value };
    const added = await send<PasskeyView>("POST", "/passkeys", body);
    if (added.ok) onAdded(added.value);
    else problem.value = added.failure;
  };

  return (
    <Dialog
      title={passkeys.add}
      action={passkeys.next}
      busy={busy.value}
      disabled={name.value.trim() === ""}
      onClose={onClose}
      onSubmit={() => {
        busy.value = true;
        void make().finally(() => {
          busy.value = false;
        });
      }}
    >
      <TextField
        label={passkeys.name}
        hint={passkeys.nameHint}
        maxLength={120}
        required
        autofocus
        value={name.value}
        onInput={(value) => {
          name.value = value;
        }}
      />
      {asked.value && (
        <>
          <input
            type="email"
            autocomplete="username"
            hidden
            readOnly
            value={me.value?.member?.email}
          />
          <TextField
            label={password.current}
            hint={passkeys.passwordHint}
            fault={wrong ? password.wrong : undefined}
            type="password"
            autocomplete="current-password"
            required
            value={current.value}
            onInput={(value) => {
              current.value = value;
            }}
          />
        </>
      )}
      {fault.value !== undefined && (
        <Notice tone="warn" live="alert">
          <p>{words().signIn.passkeyFaults[fault.value]}</p>
        </Notice>
      )}
      {!wrong && <Refusal problem={problem.value} />}
    </Dialog>
  );
}
