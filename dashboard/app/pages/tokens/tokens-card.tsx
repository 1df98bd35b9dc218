import { useSignal } from "@preact/signals";
import type { JSX } from "preact";

import type { TokenView } from "../../../../lib/management/model/token.ts";
import { at, getAll, send } from "../../api.ts";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { confirm } from "../../components/confirm.tsx";
import { Empty } from "../../components/empty.tsx";
import { InSteps } from "../../components/in-steps.tsx";
import { Loaded } from "../../components/loaded.tsx";
import { toast } from "../../components/toasts.tsx";
import { useResource } from "../../state/resource.ts";
import { administrationWords } from "../../words/administration-words.ts";
import { said } from "../../words/said.ts";
import { CreateToken } from "./create-token.tsx";
import { IssuedToken } from "./issued-token.tsx";
import { TokenTable } from "./token-table.tsx";

type Open = { readonly kind: "create" } | { readonly kind: "issued"; readonly token: string };

/** The management tokens of an account, or without one the operators'. For whoever may make them. */
export function TokensCard({ accountId }: { readonly accountId?: string }): JSX.Element {
  const { tokens: text } = administrationWords.words();
  const path = accountId === undefined ? "/tokens" : at`/accounts/${accountId}/tokens`;
  const tokens = useResource(path, () => getAll<TokenView>(path));
  const open = useSignal<Open | undefined>(undefined);
  const create = (): void => {
    open.value = { kind: "create" };
  };
  const revoke = async ({ id, name }: TokenView): Promise<void> => {
    const called = name === "" ? text.unnamed : name;
    const sure = await confirm({
      title: text.revokeTitle(called),
      text: text.revokeText,
      action: text.revoke,
      look: "danger",
    });
    if (!sure) return;
    const outcome = await send<TokenView>("DELETE", path + at`/${id}`);
    toast(outcome.ok ? text.revoked(called) : said(outcome.failure));
    await tokens.reload();
  };

  return (
    <Card
      bare
      title={text.title}
      actions={
        <Button small onClick={create}>
          {text.create}
        </Button>
      }
    >
      <p class="inside soft">{text.about[accountId === undefined ? "operators" : "account"]}</p>
      <Loaded resource={tokens}>
        {(all) => {
          const working = all.filter(({ status }) => status === "active");
          const ended = all.filter(({ status }) => status !== "active");
          return (
            <>
              {working.length === 0 && <Empty title={text.empty}>{text.emptyText}</Empty>}
              {working.length > 0 && (
                <TokenTable
                  label={text.title}
                  tokens={working}
                  onRevoke={(token) => void revoke(token)}
                />
              )}
              {ended.length > 0 && (
                <details>
                  <summary>{text.ended(ended.length)}</summary>
                  <InSteps items={ended}>
                    {(some) => <TokenTable label={text.ended(ended.length)} tokens={some} />}
                  </InSteps>
                </details>
              )}
            </>
          );
        }}
      </Loaded>
      {open.value?.kind === "create" && (
        <CreateToken
          path={path}
          ofAccount={accountId !== undefined}
          onIssued={({ token }) => {
            open.value = { kind: "issued", token };
            void tokens.reload();
          }}
          onClose={() => {
            open.value = undefined;
          }}
        />
      )}
      {open.value?.kind === "issued" && (
        <IssuedToken
          token={open.value.token}
          onDone={() => {
            open.value = undefined;
          }}
        />
      )}
    </Card>
  );
}
