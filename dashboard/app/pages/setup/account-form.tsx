import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";

import { send, type Problem } from "../../api.ts";
import { Button } from "../../components/button.tsx";
import { TextField } from "../../components/field.tsx";
import { Refusal } from "../../components/notice.tsx";
import { useAttempt } from "../../state/attempt.ts";
import { into } from "../../state/into.ts";
import { signedIn, type Me } from "../../state/me.ts";
import { setupWords } from "../../words/setup-words.ts";
import { namesOf } from "../profile/names.ts";
import { isGood, NewPasswordField } from "../profile/new-password-field.tsx";

/** Takes the setup link with an address and a password, and signs in. */
export function AccountForm({
  token,
  onSpent,
  onDone,
}: {
  readonly token: string;
  /** The link is good no more. */
  readonly onSpent: () => void;
  readonly onDone: () => void;
}): JSX.Element {
  const email = useSignal("");
  const name = useSignal("");
  const password = useSignal("");
  const pressed = useSignal(false);
  const { busy, problem, run } = useAttempt();
  const { account } = setupWords.words();
  const faults = faultsOf(problem);
  const names = namesOf({ email: email.value, name: name.value });
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    form.current?.querySelector("input")?.focus();
  }, []);

  const submit = async (): Promise<void> => {
    pressed.value = true;
    if (!isGood(password.value, names)) return;
    const someone = { email: email.value, name: name.value, password: password.value };
    await run(
      async () => {
        const made = await send<Me>("POST", "/setup/member", { token, ...someone });
        if (!made.ok && made.failure.code === "invalid_setup_token") onSpent();
        return made;
      },
      (who) => {
        signedIn(who);
        onDone();
      },
    );
  };

  return (
    <form
      ref={form}
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <TextField
        label={account.email}
        hint={account.emailHint}
        fault={faults.email}
        type="email"
        autocomplete="username"
        required
        value={email.value}
        onInput={into(email)}
      />
      <TextField
        label={account.name}
        hint={account.nameHint}
        autocomplete="name"
        maxLength={120}
        value={name.value}
        onInput={into(name)}
      />
      <NewPasswordField
        label={account.password}
        value={password.value}
        names={names}
        pressed={pressed.value}
        onInput={into(password)}
      />
      <Refusal problem={faults.other} />
      <div class="row">
        <Button look="primary" type="submit" busy={busy}>
          {account.action}
        </Button>
      </div>
    </form>
  );
}

interface Faults {
  readonly email?: string;
  readonly other?: Problem;
}

/** Where a refusal belongs. */
function faultsOf(problem: Problem | undefined): Faults {
  const { account } = setupWords.words();
  if (problem === undefined) return {};
  const { code } = problem;
  if (code === "member_exists") return { email: account.exists };
  return code === "invalid_value" ? { email: account.emailBad } : { other: problem };
}
