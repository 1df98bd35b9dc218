import { useSignal } from "@preact/signals";
import type { JSX } from "preact";

import { send } from "../../api.ts";
import { Button } from "../../components/button.tsx";
import { Field, bound } from "../../components/field.tsx";
import { Refusal } from "../../components/feedback.tsx";
import { useAttempt } from "../../components/form.tsx";
import { signedIn, type Me } from "../../state/me.ts";
import { profileWords } from "../../words/late.tsx";
import { namesOf } from "../profile/names.ts";
import { isGood, NewPasswordField } from "../profile/new-password-field.tsx";
import type { ResetStanding } from "./reset-standing.ts";

/** Chooses a password by a link, and signs in. */
export function ResetForm({
  token,
  standing,
  onSpent,
  onDone,
}: {
  readonly token: string;
  readonly standing: Pick<ResetStanding, "email" | "name">;
  /** The link is good no more. */
  readonly onSpent: () => void;
  readonly onDone: () => void;
}): JSX.Element {
  const password = useSignal("");
  const pressed = useSignal(false);
  const { busy, problem, run } = useAttempt();
  const { reset, you } = profileWords.words();
  const names = namesOf(standing);

  const submit = (): void => {
    pressed.value = true;
    if (!isGood(password.value, names)) return;
    void run(
      async () => {
        const set = await send<Me>("POST", "/reset", { token, password: password.value });
        if (!set.ok && set.failure.code === "invalid_reset_token") onSpent();
        return set;
      },
      (who) => {
        history.replaceState(history.state, "", location.pathname);
        signedIn(who);
        onDone();
      },
    );
  };

  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Field label={you.email}>
        {(tied) => (
          <input
            class="input"
            {...tied}
            type="email"
            autocomplete="username"
            readOnly
            value={standing.email}
          />
        )}
      </Field>
      <NewPasswordField names={names} pressed={pressed.value} autofocus {...bound(password)} />
      <Refusal problem={problem} />
      <Button type="submit" look="primary" busy={busy}>
        {reset.action}
      </Button>
    </form>
  );
}
