import type { JSX } from "preact";

import type { PasskeyView, SessionView } from "../../../../lib/management/member-view.ts";
import { getAll } from "../../api.ts";
import { Page } from "../../components/page.tsx";
import { me, type Me } from "../../state/me.ts";
import { useResource } from "../../state/resource.ts";
import { profileWords } from "../../words/late.tsx";
import { NameCard } from "./name-card.tsx";
import { PasskeysCard } from "./passkeys-card.tsx";
import { PasswordCard } from "./password-card.tsx";
import { SessionsCard } from "./sessions-card.tsx";
import { sessionsTurn } from "./sessions-changed.ts";

/** What is one's own: name, password, passkeys, and where one is signed in. */
export const Profile = profileWords.within(View);

function View(): JSX.Element | null {
  const member = me.value?.member;
  return member === undefined ? null : <Own member={member} />;
}

function Own({ member }: { readonly member: NonNullable<Me["member"]> }): JSX.Element {
  const profile = profileWords.words();
  const passkeys = useResource("passkeys", () => getAll<PasskeyView>("/passkeys"));
  const sessions = useResource(`sessions ${sessionsTurn.value}`, () =>
    getAll<SessionView>("/sessions"),
  );
  return (
    <Page title={profile.title} about={profile.about}>
      <div class="stack wide narrow">
        <NameCard member={member} />
        <PasswordCard member={member} passkeys={passkeys.value?.length} />
        <PasskeysCard listed={passkeys} />
        <SessionsCard listed={sessions} />
      </div>
    </Page>
  );
}
