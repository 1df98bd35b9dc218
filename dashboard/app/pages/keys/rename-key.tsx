import { useSignal } from "@preact/signals";
import type { JSX } from "preact";

import type { KeyView } from "../../../../lib/actions/local-client.ts";
import { call } from "../../api.ts";
import { Dialog } from "../../components/dialog.tsx";
import { TextField, bound } from "../../components/field.tsx";
import { Refusal } from "../../components/feedback.tsx";
import { useAttempt } from "../../components/form.tsx";
import { words } from "../../words/words.ts";

/** Asks for another name, and gives it to the key. */
export function RenameKey({
  keyView,
  onRenamed,
  onClose,
}: {
  readonly keyView: KeyView;
  readonly onRenamed: () => void;
  readonly onClose: () => void;
}): JSX.Element {
  const { keys } = words();
  const name = useSignal(keyView.name);
  const attempt = useAttempt();
  const rename = (): Promise<void> =>
    attempt.run(
      () =>
        call("PATCH /accounts/:account/keys/:key", {
          account: keyView.accountId,
          key: keyView.id,
          body: { name: name.value.trim() },
        }),
      onRenamed,
    );
  return (
    <Dialog
      title={keys.renaming.title}
      action={keys.renaming.action}
      busy={attempt.busy}
      onSubmit={() => void rename()}
      onClose={onClose}
    >
      <TextField
        label={keys.form.name}
        hint={keys.form.nameHint}

        maxLength={120}
        required
        autofocus
        {...bound(name)}
      />
      <Refusal problem={attempt.problem} />
    </Dialog>
  );
}
