import { useSignal } from "@preact/signals";
import type { JSX } from "preact";

import type { PasskeyView } from "../../../../lib/management/member-view.ts";
import { at, get, send } from "../../api.ts";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/page.tsx";
import { confirm } from "../../components/dialog.tsx";
import { Loaded, Notice } from "../../components/feedback.tsx";
import { toast } from "../../components/toasts.tsx";
import { useResource, type Resource } from "../../state/resource.ts";
import { profileWords } from "../../words/late.tsx";
import { said } from "../../words/words.ts";
import { AddPasskey } from "./add-passkey.tsx";
import { PasskeyTable } from "./passkey-table.tsx";

/** The passkeys of whoever looks, and a way to more. */
export function PasskeysCard({
  listed,
}: {
  readonly listed: Resource<readonly PasskeyView[]>;
}): JSX.Element {
  const door = useResource("sign-in", () => get<{ readonly passkeys: boolean }>("/sign-in"));
  const adding = useSignal(false);
  const { passkeys } = profileWords.words();
  const supported = "PublicKeyCredential" in window;
  const possible = supported && door.value?.passkeys === true;

  const remove = async ({ id, name }: PasskeyView): Promise<void> => {
    const sure = await confirm({
      title: passkeys.removeTitle(name),
      text: passkeys.removeText,
      action: passkeys.remove,
      look: "danger",
    });
    if (!sure) return;
    const removed = await send("DELETE", at`/passkeys/${id}`);
    toast(removed.ok ? passkeys.removed(name) : said(removed.failure));
    await listed.reload();
  };

  return (
    <Card
      title={passkeys.title}
      bare
      actions={
        <Button
          small
          disabled={!possible}
          onClick={() => {
            adding.value = true;
          }}
        >
          {passkeys.add}
        </Button>
      }
    >
      <div class="inside stack">
        <p class="soft">{passkeys.about}</p>
        {!supported && <Notice>{passkeys.unsupported}</Notice>}
        {supported && door.value?.passkeys === false && (
          <Notice>{passkeys.here(location.host)}</Notice>
        )}
      </div>
      <Loaded resource={listed} lines={2}>
        {(all) => <PasskeyTable passkeys={all} onRemove={remove} />}
      </Loaded>
      {adding.value && (
        <AddPasskey
          onAdded={({ name }) => {
            adding.value = false;
            toast(passkeys.added(name));
            void listed.reload();
          }}
          onClose={() => {
            adding.value = false;
          }}
        />
      )}
    </Card>
  );
}
