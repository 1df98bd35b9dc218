import { useSignal } from "@preact/signals";
import type { JSX } from "preact";

import type { PasskeyView } from "../../../../lib/management/member-view.ts";
import { send, type Problem } from "../../api.ts";
import { Dialog } from "../../components/dialog.tsx";
import { TextField, bound } from "../../components/field.tsx";
import { Notice, Refusal } from "../../components/feedback.tsx";
import { createPasskey, type PasskeyFault, type PasskeyJson } from "../../passkeys.ts";
import { profileWords } from "../../words/late.tsx";
import { words } from "../../words/words.ts";
import { browserIn } from "./browser-in.ts";

/** Asks what a passkey is to be called, and has the device make it. */
export function AddPasskey({
  onAdded,
  onClose,
}: {
  readonly onAdded: (passkey: PasskeyView) => void;
  readonly onClose: () => void;
}): JSX.Element {
  const { passkeys } = profileWords.words();
  const system = browserIn(navigator.userAgent).system ?? passkeys.anyDevice;
  const name = useSignal(passkeys.defaultName(system));
  const busy = useSignal(false);
  const fault = useSignal<PasskeyFault | undefined>(undefined);
  const problem = useSignal<Problem | undefined>(undefined);

  const make = async (): Promise<void> => {
    fault.value = undefined;
    problem.value = undefined;
    const begun = await send<PasskeyJson>("POST", "/passkeys/options");
    if (!begun.ok) {
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

        {...bound(name)}
      />
      {fault.value !== undefined && (
        <Notice tone="warn" live="alert">
          <p>{words().signIn.passkeyFaults[fault.value]}</p>
        </Notice>
      )}
      <Refusal problem={problem.value} />
    </Dialog>
  );
}
