import type { JSX } from "preact";

import { Page } from "../../components/page.tsx";
import { me } from "../../state/me.ts";
import { profileWords } from "../../words/profile-words.ts";
import { NameCard } from "./name-card.tsx";
import { PasskeysCard } from "./passkeys-card.tsx";
import { PasswordCard } from "./password-card.tsx";
import { SessionsCard } from "./sessions-card.tsx";

/** What is one's own: name, password, passkeys, and where one is signed in. */
export const Profile = profileWords.within(View);

function View(): JSX.Element | null {
  const profile = profileWords.words();
  const member = me.value?.member;
  if (member === undefined) return null;
  return (
    <Page title={profile.title} about={profile.about}>
      <div class="stack wide narrow">
        <NameCard member={member} />
        <PasswordCard member={member} />
        <PasskeysCard />
        <SessionsCard />
      </div>
    </Page>
  );
}
