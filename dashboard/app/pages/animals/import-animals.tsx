import type { JSX } from "preact";

import type { Account } from "../../../../lib/model/account.ts";
import { Loaded } from "../../components/loaded.tsx";
import { Notice } from "../../components/notice.tsx";
import { useEnvironment } from "../../state/environment.ts";
import { inAccount } from "../../state/in-account.tsx";
import { mayChange } from "../../state/me.ts";
import { importingWords } from "../../words/importing-words.ts";
import { useCategories } from "./catalogue.ts";
import { Steps } from "./import/steps.tsx";
import { AnimalSection } from "./section.tsx";

/** Takes animals from a file: looks at it first, says what is wrong by its lines, then adds what is right. */
export const ImportAnimals = inAccount(importingWords.within(ImportView));

function ImportView({ account }: { readonly account: Account }): JSX.Element {
  const environment = useEnvironment();
  const where = { account, environment };
  const categories = useCategories(where);
  const said = importingWords.words();
  return (
    <AnimalSection account={account} title={said.title} about={said.about}>
      {mayChange.value ? (
        <Loaded resource={categories}>
          {(known) => (
            <Steps
              key={environment}
              where={where}
              categories={known}
              onCreated={() => void categories.reload()}
            />
          )}
        </Loaded>
      ) : (
        <Notice>
          <p>{said.viewerText}</p>
        </Notice>
      )}
    </AnimalSection>
  );
}
