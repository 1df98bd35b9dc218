import { useSignal } from "@preact/signals";
import type { JSX } from "preact";

import { send } from "../../api.ts";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { TextField } from "../../components/field.tsx";
import { Refusal } from "../../components/notice.tsx";
import { toast } from "../../components/toasts.tsx";
import { accounts } from "../../state/account.ts";
import { useAttempt } from "../../state/attempt.ts";
import { into } from "../../state/into.ts";
import { me, signedIn, type Me } from "../../state/me.ts";
import { profileWords } from "../../words/profile-words.ts";
import { words } from "../../words/words.ts";

/** Who one is, and what one is called. */
export function NameCard({ member }: { readonly member: NonNullable<Me["member"]> }): JSX.Element {
  const name = useSignal(member.name);
  const { busy, problem, run } = useAttempt();
  const { you } = profileWords.words();
  const { common } = words();
  return (
    <Card title={you.title}>
      <dl class="facts">
        <div>
          <dt>{you.email}</dt>
          <dd>
            {member.email}
            <p class="soft small">{you.emailHint}</p>
          </dd>
        </div>
        <div>
          <dt>{you.role}</dt>
          <dd>{roleOf(me.value)}</dd>
        </div>
      </dl>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void run(
            () => send<Me>("PATCH", "/me", { name: name.value.trim() }),
            (who) => {
              signedIn(who);
              toast(you.saved);
            },
          );
        }}
      >
        <TextField
          label={you.name}
          hint={you.nameHint}
          autocomplete="name"
          maxLength={120}
          value={name.value}
          onInput={into(name)}
        />
        <Refusal problem={problem} />
        <div class="row">
          <Button type="submit" busy={busy} disabled={name.value.trim() === member.name}>
            {common.save}
          </Button>
        </div>
      </form>
    </Card>
  );
}

function roleOf(who: Me | null | undefined): string {
  const { common } = words();
  const role = common.roles[who?.role ?? "viewer"];
  const account = accounts.value.find(({ id }) => id === who?.accountId);
  return account === undefined ? role : profileWords.words().you.roleIn(role, account.name);
}
