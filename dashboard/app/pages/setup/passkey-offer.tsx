import { useSignal } from "@preact/signals";
import type { JSX } from "preact";

import { get } from "../../api.ts";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { Notice } from "../../components/notice.tsx";
import { useResource } from "../../state/resource.ts";
import { profileWords } from "../../words/profile-words.ts";
import { AddPasskey } from "../profile/add-passkey.tsx";

/** Offers to sign in by a passkey from now on, where this browser and this address can. */
export function PasskeyOffer(): JSX.Element | null {
  const door = useResource("door", () => get<{ readonly passkeys: boolean }>("/sign-in"));
  const adding = useSignal(false);
  const added = useSignal<string | undefined>(undefined);
  const { passkeys } = profileWords.words();
  if (door.value?.passkeys !== true || !("PublicKeyCredential" in window)) return null;
  return (
    <Card title={passkeys.title}>
      <p class="soft">{passkeys.about}</p>
      {added.value === undefined ? (
        <div class="row">
          <Button
            onClick={() => {
              adding.value = true;
            }}
          >
            {passkeys.add}
          </Button>
        </div>
      ) : (
        <Notice tone="good" live="status">
          <p>{passkeys.added(added.value)}</p>
        </Notice>
      )}
      {adding.value && (
        <AddPasskey
          onAdded={({ name }) => {
            adding.value = false;
            added.value = name;
          }}
          onClose={() => {
            adding.value = false;
          }}
        />
      )}
    </Card>
  );
}
