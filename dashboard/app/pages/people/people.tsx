import { useSignal } from "@preact/signals";
import type { FunctionComponent } from "preact";

import { Button } from "../../components/button.tsx";
import { Icon } from "../../components/icon.tsx";
import { Page } from "../../components/page.tsx";
import { inAccount } from "../../state/in-account.tsx";
import { mayOwn } from "../../state/me.ts";
import { administrationWords } from "../../words/late.tsx";
import { MembersCard } from "./members-card.tsx";

/** Who can sign in and work on an account. */
export const People: FunctionComponent<{ readonly account: string }> = inAccount(
  administrationWords.within(({ account }) => {
    const { people } = administrationWords.words();
    const adding = useSignal(false);
    return (
      <Page
        title={people.title}
        about={people.about(account.name)}
        actions={
          mayOwn.value && (
            <Button look="primary" onClick={() => (adding.value = true)}>
              <Icon name="plus" />
              {people.add}
            </Button>
          )
        }
      >
        <MembersCard accountId={account.id} adding={adding} />
      </Page>
    );
  }),
);
