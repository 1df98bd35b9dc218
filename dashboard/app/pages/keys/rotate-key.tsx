import { useSignal } from "@preact/signals";
import type { JSX } from "preact";

import type { KeyView } from "../../../../lib/actions/local-client.ts";
import { DAY_MS, HOUR_MS } from "../../../../lib/base/clock.ts";
import { at, send } from "../../api.ts";
import { Dialog } from "../../components/dialog.tsx";
import { SelectField, bound } from "../../components/field.tsx";
import { Refusal } from "../../components/feedback.tsx";
import { useAttempt } from "../../components/form.tsx";
import { duration } from "../../words/format.ts";
import { words } from "../../words/words.ts";
import type { IssuedKeyAnswer } from "./issued-key.tsx";

const OVERLAPS = [0, HOUR_MS, DAY_MS, 7 * DAY_MS] as const;

/** Asks how long the old key goes on, and makes its successor. */
export function RotateKey({
  keyView: { id, accountId, name },
  onIssued,
  onClose,
}: {
  readonly keyView: KeyView;
  readonly onIssued: (answer: IssuedKeyAnswer) => void;
  readonly onClose: () => void;
}): JSX.Element {
  const { keys } = words();
  const { rotation } = keys;
  const overlap = useSignal(String(DAY_MS));
  const attempt = useAttempt();
  const rotate = (): Promise<void> =>
    attempt.run(
      () =>
        send<IssuedKeyAnswer>("POST", at`/accounts/${accountId}/keys/${id}/rotate`, {
          overlapMs: Number(overlap.value),
        }),
      onIssued,
    );
  return (
    <Dialog
      title={rotation.title(name === "" ? keys.unnamed : name)}
      action={rotation.action}
      busy={attempt.busy}
      onSubmit={() => void rotate()}
      onClose={onClose}
    >
      <p>{rotation.text}</p>
      <SelectField
        label={rotation.overlap}

        options={OVERLAPS.map((ms) => ({
          value: String(ms),
          label: ms === 0 ? rotation.atOnce : duration(ms),
        }))}
        {...bound(overlap)}
      />
      <Refusal problem={attempt.problem} />
    </Dialog>
  );
}
