import type { FunctionComponent } from "preact";

import { Page } from "../../components/page.tsx";
import { inAccount } from "../../state/in-account.tsx";
import { administrationWords } from "../../words/administration-words.ts";
import { MembersCard } from "./members-card.tsx";

/** Who can sign in and work on an account. */
export const People: FunctionComponent<{ readonly account: string }> = inAccount(
  administrationWords.within(({ account }) => {
    const { people } = administrationWords.words();
    return (
      <Page title={people.title} about={people.about(account.name)}>
        <MembersCard accountId={account.id} />
      </Page>
    );
  }),
);
