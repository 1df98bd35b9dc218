import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";

import { Button } from "../components/button.tsx";
import { Dialog } from "../components/dialog.tsx";
import { TextField } from "../components/field.tsx";
import { Notice, Refusal } from "../components/notice.tsx";
import { into } from "../state/into.ts";
import { me } from "../state/me.ts";
import type { proof as catalogue } from "../words/en/proof.ts";
import { words } from "../words/words.ts";
import { useProof } from "./use-proof.ts";

/** What it says. */
export type ProofWords = typeof catalogue;

/** Asks for the password, or for a passkey. */
export function ProofDialog({
  proof,
  withPasskey,
  onEnd,
}: {
  readonly proof: ProofWords;
  /** There is one that could be used here. */
  readonly withPasskey: boolean;
  /** Once, with whether they proved it. */
  readonly onEnd: (proven: boolean) => void;
}): JSX.Element {
  const password = useSignal("");
  const { busy, fault, problem, byPassword, byPasskey } = useProof(onEnd);
  const wrong = problem?.code === "invalid_credentials";
  // Whoever is signed out meanwhile proves nothing.
  useEffect(() => () => onEnd(false), []);
  return (
    <Dialog
      title={proof.title}
      action={proof.action}
      busy={busy}
      onSubmit={() => byPassword(password.value)}
      onClose={() => onEnd(false)}
    >
      <p>{proof.about}</p>
      {withPasskey && (
        <p>
          <Button busy={busy} onClick={byPasskey}>
            {proof.passkey}
          </Button>
        </p>
      )}
      {/* So that what keeps passwords knows whose it is. */}
      <input type="email" autocomplete="username" hidden readOnly value={me.value?.member?.email} />
      <TextField
        label={proof.password}
        fault={wrong ? proof.wrong : undefined}
        type="password"
        autocomplete="current-password"
        required
        autofocus
        value={password.value}
        onInput={into(password)}
      />
      {fault !== undefined && (
        <Notice tone="warn" live="alert">
          <p>{words().signIn.passkeyFaults[fault]}</p>
        </Notice>
      )}
      {!wrong && <Refusal problem={problem} />}
    </Dialog>
  );
}
