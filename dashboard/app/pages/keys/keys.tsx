import { useSignal } from "@preact/signals";
import type { FunctionComponent } from "preact";

import { SECOND_MS } from "../../../../lib/base/clock.ts";
import type { LimitsView } from "../../../../lib/actions/local-client.ts";
import { done, type Result } from "../../../../lib/base/result.ts";
import { environments, type Environment } from "../../../../lib/model/account.ts";
import { at, get, listAll, type Problem } from "../../api.ts";
import { Button } from "../../components/button.tsx";
import { Icon } from "../../components/icon.tsx";
import { Loaded } from "../../components/feedback.tsx";
import { Page } from "../../components/page.tsx";
import { inAccount } from "../../state/in-account.tsx";
import { mayOwn } from "../../state/me.ts";
import { usePolling, useResource } from "../../state/resource.ts";
import { words } from "../../words/words.ts";
import { KeyDialogs, type KeyDialog } from "./key-dialogs.tsx";
import { KeysOf } from "./keys-of.tsx";

const POLL_MS = 10 * SECOND_MS;

type Limits = Readonly<Record<Environment, LimitsView>>;

/** What of the limits of both environments is used up. */
async function limitsOf(accountId: string): Promise<Result<Limits, Problem>> {
  const ask = (environment: Environment): Promise<Result<LimitsView, Problem>> =>
    get(at`/accounts/${accountId}/${environment}/limits`);
  const [production, staging] = await Promise.all([ask("production"), ask("staging")]);
  if (!production.ok) return production;
  if (!staging.ok) return staging;
  return done({ production: production.value, staging: staging.value });
}

/** The API keys of an account, by environment. */
export const Keys: FunctionComponent<{ readonly account: string }> = inAccount(({ account }) => {
  const { keys: text } = words();
  const dialog = useSignal<KeyDialog | undefined>(undefined);
  const keys = useResource(account.id, () =>
    listAll("GET /accounts/:account/keys", { account: account.id }),
  );
  const limits = useResource(account.id, () => limitsOf(account.id));
  usePolling(POLL_MS, () => Promise.all([keys.reload(), limits.reload()]));
  // What is used up has a height of its own: it comes together with what stands below it.
  const known = limits.value !== undefined || limits.problem !== undefined;
  const shown = { ...keys, value: known ? keys.value : undefined };
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
            <Icon name="plus" />
            {text.create}
          </Button>
        )
      }
    >
      <Loaded resource={shown} lines={8}>
        {(all) => (
          <>
            {environments.map((environment) => (
              <KeysOf
                key={environment}
                account={account}
                environment={environment}
                keys={all.filter((one) => one.environment === environment)}
                limits={limits.value?.[environment]}
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
