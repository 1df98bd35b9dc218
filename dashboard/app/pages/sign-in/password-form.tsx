import { useSignal } from "@preact/signals";
import type { JSX } from "preact";

import { send } from "../../api.ts";
import { Button } from "../../components/button.tsx";
import { CheckField, TextField, bound } from "../../components/field.tsx";
import { Notice, Refusal } from "../../components/feedback.tsx";
import { useAttempt } from "../../components/form.tsx";
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

        {...bound(email)}
      />
      <TextField
        label={signIn.password}
        type={shown.value ? "text" : "password"}
        autocomplete="current-password"
        required

        {...bound(password)}
      />
      <CheckField label={signIn.show} {...bound(shown)} />
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
