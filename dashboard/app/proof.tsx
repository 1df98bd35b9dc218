import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";

import { relyingPartyAt } from "../../lib/members/passkeys.ts";
import { call, listAll, type Problem, type Result } from "./api.ts";
import { Button } from "./components/button.tsx";
import { above, Dialog } from "./components/dialog.tsx";
import { Refusal } from "./components/feedback.tsx";
import { bound, TextField } from "./components/field.tsx";
import { useAttempt } from "./components/form.tsx";
import { provePasskey, type PasskeyFault } from "./passkeys.ts";
import { me } from "./state/me.ts";
import type { Language } from "./state/preferences.ts";
import type { ProofWords } from "./words/en/proof.ts";
import { language } from "./words/format.ts";

let underWay: Promise<boolean> | undefined;

/**
 * Asks the user to prove their identity, above any open dialog. Resolves with false when they cancel or are signed out,
 * and rejects when the texts cannot be loaded. Concurrent calls share one dialog.
 */
export function prove(): Promise<boolean> {
  underWay ??= ask().finally(() => {
    underWay = undefined;
    above.value = undefined;
  });
  return underWay;
}

const catalogues: Readonly<Record<Language, () => Promise<{ readonly proof: ProofWords }>>> = {
  en: () => import("./words/en/proof.ts"),
  de: () => import("./words/de/proof.ts"),
};

async function ask(): Promise<boolean> {
  // Both before the dialog opens, so that nothing in it moves.
  const [{ proof }, withPasskey] = await Promise.all([catalogues[language()](), hasPasskey()]);
  return new Promise((resolve) => {
    above.value = <ProofDialog proof={proof} withPasskey={withPasskey} onEnd={resolve} />;
  });
}

/** Whether the user has a passkey for this address. False when the list cannot be loaded. */
async function hasPasskey(): Promise<boolean> {
  if (!("PublicKeyCredential" in window)) return false;
  if (relyingPartyAt(location.origin) === undefined) return false;
  const listed = await listAll("GET /passkeys");
  return listed.ok && listed.value.length > 0;
}

type Outcome = Result<undefined, Problem | PasskeyFault>;

function ProofDialog({
  proof,
  withPasskey,
  onEnd,
}: {
  readonly proof: ProofWords;
  readonly withPasskey: boolean;
  /** Called once, with whether the proof succeeded. */
  readonly onEnd: (proven: boolean) => void;
}): JSX.Element {
  const password = useSignal("");
  const { busy, problem, run } = useAttempt<Problem | PasskeyFault>();
  const wrong = typeof problem === "object" && problem.code === "invalid_credentials";
  const proveBy = (way: () => Promise<Outcome>): void => {
    const attempt = async (): Promise<Outcome | undefined> => {
      const outcome = await way();
      if (outcome.ok || me.peek() !== null) return outcome;
      onEnd(false);
      return undefined;
    };
    void run(attempt, () => onEnd(true));
  };
  // Signing out removes the dialog.
  useEffect(() => () => onEnd(false), []);
  return (
    <Dialog
      title={proof.title}
      action={proof.action}
      busy={busy}
      onSubmit={() => proveBy(() => call("POST /me/proof", { body: { password: password.value } }))}
      onClose={() => onEnd(false)}
    >
      <p>{proof.about}</p>
      {withPasskey && (
        <p>
          <Button busy={busy} onClick={() => proveBy(byPasskey)}>
            {proof.passkey}
          </Button>
        </p>
      )}
      {/* Tells password managers whose password this is. */}
      <input type="email" autocomplete="username" hidden readOnly value={me.value?.member?.email} />
      <TextField
        label={proof.password}
        fault={wrong ? proof.wrong : undefined}
        type="password"
        autocomplete="current-password"
        required
        autofocus
        {...bound(password)}
      />
      {!wrong && <Refusal problem={problem} />}
    </Dialog>
  );
}

async function byPasskey(): Promise<Outcome> {
  const begun = await call("POST /me/proof/passkey/options");
  if (!begun.ok) return begun;
  const proof = await provePasskey(begun.value);
  return proof.ok ? call("POST /me/proof/passkey", { body: { response: proof.value } }) : proof;
}
