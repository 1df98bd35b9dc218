import { useSignal } from "@preact/signals";
import type { JSX } from "preact";

import { send } from "../../api.ts";
import { Button } from "../../components/button.tsx";
import { CheckField, TextField } from "../../components/field.tsx";
import { Notice, Refusal } from "../../components/notice.tsx";
import { useAttempt } from "../../state/attempt.ts";
import { into } from "../../state/into.ts";
import { signedIn, type Me } from "../../state/me.ts";
import { words } from "../../words/words.ts";

/** Signs in with an address and a password. */
export function PasswordForm(): JSX.Element {
  const email = useSignal("");
  const password = useSignal("");
  const shown = useSignal(false);
  const { busy, problem, run } = useAttempt();
  const { signIn } = words();
  const wrong = problem?.code === "invalid_credentials";

  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        const credentials = { email: email.value, password: password.value };
        void run(() => send<Me>("POST", "/sessions", credentials), signedIn);
      }}
    >
      <TextField
        label={signIn.email}
        type="email"
        autocomplete="username webauthn"
        required
        autofocus
        value={email.value}
        onInput={into(email)}
      />
      <TextField
        label={signIn.password}
        type={shown.value ? "text" : "password"}
        autocomplete="current-password"
        required
        value={password.value}
        onInput={into(password)}
      />
      <CheckField label={signIn.show} checked={shown.value} onInput={into(shown)} />
      {wrong ? (
        <Notice tone="bad" live="alert">
          <p>{signIn.wrong}</p>
        </Notice>
      ) : (
        <Refusal problem={problem} />
      )}
      <Button type="submit" look="primary" busy={busy}>
        {signIn.action}
      </Button>
    </form>
  );
}
