import { useSignal } from "@preact/signals";
import type { JSX } from "preact";

import { send } from "../../api.ts";
import { Card } from "../../components/page.tsx";
import { TextField, bound } from "../../components/field.tsx";
import { toast } from "../../components/toasts.tsx";
import { accounts } from "../../state/account.ts";
import { Form } from "../../components/form.tsx";
import { me, signedIn, type Me } from "../../state/me.ts";
import { profileWords } from "../../words/late.tsx";
import { words } from "../../words/words.ts";

/** Who one is, and what one is called. */
export function NameCard({ member }: { readonly member: NonNullable<Me["member"]> }): JSX.Element {
  const name = useSignal(member.name);
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
      <Form
        action={common.save}
        disabled={name.value.trim() === member.name}
        send={() => send<Me>("PATCH", "/me", { name: name.value.trim() })}
        onDone={(who) => {
          signedIn(who);
          toast(you.saved);
        }}
      >
        <TextField
          label={you.name}
          hint={you.nameHint}
          autocomplete="name"
          maxLength={120}
          {...bound(name)}
        />
      </Form>
    </Card>
  );
}

function roleOf(who: Me | null | undefined): string {
  const { common } = words();
  const role = common.roles[who?.role ?? "viewer"];
  const account = accounts.value.find(({ id }) => id === who?.accountId);
  return account === undefined ? role : profileWords.words().you.roleIn(role, account.name);
}
