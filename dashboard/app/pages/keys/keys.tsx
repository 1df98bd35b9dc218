import { useSignal } from "@preact/signals";
import type { FunctionComponent } from "preact";

import type { KeyView } from "../../../../lib/actions/local-client.ts";
import { SECOND_MS } from "../../../../lib/base/clock.ts";
import { environments } from "../../../../lib/model/account.ts";
import { at, getAll } from "../../api.ts";
import { Button } from "../../components/button.tsx";
import { Loaded } from "../../components/loaded.tsx";
import { Page } from "../../components/page.tsx";
import { inAccount } from "../../state/in-account.tsx";
import { mayOwn } from "../../state/me.ts";
import { usePolling } from "../../state/polling.ts";
import { useResource } from "../../state/resource.ts";
import { words } from "../../words/words.ts";
import { KeyDialogs, type KeyDialog } from "./key-dialogs.tsx";
import { KeysOf } from "./keys-of.tsx";

const POLL_MS = 15 * SECOND_MS;

/** The API keys of an account, by environment. */
export const Keys: FunctionComponent<{ readonly account: string }> = inAccount(({ account }) => {
  const { keys: text } = words();
  const dialog = useSignal<KeyDialog | undefined>(undefined);
  const keys = useResource(account.id, () => getAll<KeyView>(at`/accounts/${account.id}/keys`));
  usePolling(POLL_MS, keys.reload);
  const ask = (next: KeyDialog | undefined): void => {
    dialog.value = next;
  };
  return (
    <Page
      title={text.title}
      about={text.about(account.name)}
      actions={
        mayOwn.value && (
          <Button
            look="primary"
            onClick={() => {
              ask({ kind: "create", environment: "production" });
            }}
          >
            {text.create}
          </Button>
        )
      }
    >
      <Loaded resource={keys} lines={8}>
        {(all) => (
          <>
            {environments.map((environment) => (
              <KeysOf
                key={environment}
                account={account}
                environment={environment}
                keys={all.filter((one) => one.environment === environment)}
                onAsk={ask}
                onChange={keys.reload}
              />
            ))}
          </>
        )}
      </Loaded>
      <KeyDialogs
        open={dialog.value}
        accountId={account.id}
        onOpen={ask}
        onChange={() => void keys.reload()}
      />
    </Page>
  );
});
