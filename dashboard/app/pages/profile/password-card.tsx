import { useSignal } from "@preact/signals";
import type { JSX } from "preact";

import { send } from "../../api.ts";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/page.tsx";
import { TextField, bound } from "../../components/field.tsx";
import { Refusal } from "../../components/feedback.tsx";
import { toast } from "../../components/toasts.tsx";
import { useAttempt } from "../../components/form.tsx";
import type { Me } from "../../state/me.ts";
import { profileWords } from "../../words/late.tsx";
import { namesOf } from "./names.ts";
import { isGood, NewPasswordField } from "./new-password-field.tsx";
import { sessionsChanged } from "./sessions-changed.ts";

/** Changes the password of whoever knows it. */
export function PasswordCard({
  member,
  passkeys,
}: {
  readonly member: NonNullable<Me["member"]>;
  /** How many they have; undefined until it is known. */
  readonly passkeys: number | undefined;
}): JSX.Element {
  const current = useSignal("");
  const fresh = useSignal("");
  const pressed = useSignal(false);
  const { busy, problem, run } = useAttempt();
  const { password } = profileWords.words();
  const names = namesOf(member);
  const wrong = problem?.code === "invalid_credentials";

  const submit = (): void => {
    pressed.value = true;
    if (!isGood(fresh.value, names)) return;
    const body = { current: current.value, password: fresh.value };
    void run(
      () => send("PUT", "/me/password", body),
      () => {
        current.value = "";
        fresh.value = "";
        pressed.value = false;
        sessionsChanged();
        toast(password.changed);
      },
    );
  };

  return (
    <Card title={password.title}>
      <p class="soft">{password.about(passkeys)}</p>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        {/* So that what keeps passwords knows whose it is. */}
        <input type="email" autocomplete="username" hidden readOnly value={member.email} />
        <TextField
          label={password.current}
          fault={wrong ? password.wrong : undefined}
          type="password"
          autocomplete="current-password"
          required

          {...bound(current)}
        />
        <NewPasswordField names={names} pressed={pressed.value} {...bound(fresh)} />
        {!wrong && <Refusal problem={problem} />}
        <div class="row">
          <Button type="submit" busy={busy}>
            {password.action}
          </Button>
        </div>
      </form>
    </Card>
  );
}
