import { useSignal } from "@preact/signals";
import type { JSX } from "preact";

import { call, type Output } from "../../api.ts";
import { Dialog } from "../../components/dialog.tsx";
import { FormDialog } from "../../components/form.tsx";
import { Badge } from "../../components/indicators.tsx";
import { administrationWords } from "../../words/late.tsx";
import { words } from "../../words/words.ts";

/** Asks, rehearses the renewal of a certificate, which takes up to a minute, and shows what came of it. */
export function RehearsalDialog({
  domain,
  onClose,
}: {
  readonly domain: string;
  readonly onClose: () => void;
}): JSX.Element {
  const { rehearsal } = administrationWords.words().system;
  const result = useSignal<Output<"POST /certificates/:domain/rehearse"> | undefined>(undefined);
  const { value } = result;
  if (value !== undefined) return <Result result={value} onClose={onClose} />;
  return (
    <FormDialog
      title={rehearsal.title(domain)}
      action={rehearsal.start}
      send={() => call("POST /certificates/:domain/rehearse", { domain })}
      onDone={(came) => {
        result.value = came;
      }}
      onClose={onClose}
    >
      <p>{rehearsal.text}</p>
    </FormDialog>
  );
}

function Result({
  result: { domain, authority, passed, failed, reason },
  onClose,
}: {
  readonly result: Output<"POST /certificates/:domain/rehearse">;
  readonly onClose: () => void;
}): JSX.Element {
  const { rehearsal } = administrationWords.words().system;
  const { common } = words();
  return (
    <Dialog
      title={rehearsal.title(domain)}
      action={common.close}
      stays
      onSubmit={onClose}
      onClose={onClose}
    >
      <p role="status">
        {failed === null ? rehearsal.works(authority) : rehearsal.fails(authority)}
      </p>
      <ul class="stack tight">
        {passed.map((part) => (
          <li key={part}>
            <Badge tone="good">{rehearsal.passed}</Badge> {rehearsal.parts[part]}
          </li>
        ))}
        {failed !== null && (
          <li>
            <Badge tone="bad">{rehearsal.failed}</Badge> {rehearsal.parts[failed]}
            <p class="soft small" lang="en">
              {reason}
            </p>
          </li>
        )}
      </ul>
    </Dialog>
  );
}
