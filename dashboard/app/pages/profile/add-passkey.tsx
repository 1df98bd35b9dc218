import { useSignal } from "@preact/signals";
import type { JSX } from "preact";

import type { PasskeyView } from "../../../../lib/members/schemas.ts";
import { call } from "../../api.ts";
import { bound, TextField } from "../../components/field.tsx";
import { FormDialog } from "../../components/form.tsx";
import { createPasskey } from "../../passkeys.ts";
import { trimText } from "../../../../lib/model/text.ts";
import { profileWords } from "../../words/late.tsx";
import { browserIn } from "../../../../lib/members/model/browser-in.ts";

/** Asks for a passkey's name and creates it on the user's device. */
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
  return (
    <FormDialog
      title={passkeys.add}
      action={passkeys.next}
      disabled={trimText(name.value) === ""}
      send={async () => {
        const begun = await call("POST /passkeys/options");
        if (!begun.ok) return begun;
        const created = await createPasskey(begun.value);
        if (!created.ok) return created;
        const body = { name: name.value.trim(), response: created.value };
        return call("POST /passkeys", { body });
      }}
      onDone={onAdded}
      onClose={onClose}
    >
      <TextField
        label={passkeys.name}
        hint={passkeys.nameHint}
        maxLength={120}
        required
        autofocus
        {...bound(name)}
      />
    </FormDialog>
  );
}
