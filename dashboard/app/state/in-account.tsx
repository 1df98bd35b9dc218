import { useEffect } from "preact/hooks";
import type { ComponentType, FunctionComponent } from "preact";

import type { Account } from "../../../lib/model/account.ts";
import type { ProjectView } from "../../../lib/management/client.ts";
import { call } from "../api.ts";
import { AccountsLoading, Loaded } from "../components/feedback.tsx";
import { NotFound } from "../pages/not-found.tsx";
import { accountsKnown, accounts, enterAccount } from "./account.ts";
import { useResource } from "./resource.ts";

/** A view of the account in its address. Users who may not see the account get "not found". */
export function inAccount(
  View: ComponentType<{ readonly account: Account }>,
): FunctionComponent<{ readonly account: string }> {
  return function InAccount({ account: id }) {
    const account = accounts.value.find((one) => one.id === id);
    useEffect(() => {
      if (account !== undefined) enterAccount(account.id);
    }, [account?.id]);
    if (account !== undefined) return <View key={account.id} account={account} />;
    return accountsKnown.value ? <NotFound /> : <AccountsLoading />;
  };
}

export interface InProject {
  readonly project: ProjectView;
  /** Loads the project again after a change. */
  readonly reload: () => Promise<void>;
}

/** A view of the project in its address, named by slug or ID. */
export function inProject<Params extends object = object>(
  View: ComponentType<InProject & Params>,
): FunctionComponent<Params & { readonly project: string }> {
  return function Inside({ project: name, ...params }) {
    const project = useResource(name, () => call("GET /projects/:project", { project: name }));
    const accountId = project.value?.accountId;
    useEffect(() => {
      if (accountId !== undefined) enterAccount(accountId);
    }, [accountId]);
    if (project.problem?.code === "not_found") return <NotFound />;
    return (
      <Loaded resource={project}>
        {(value) => (
          // The remaining parameters are those of the view.
          // oxlint-disable-next-line typescript/no-unsafe-type-assertion
          <View {...(params as unknown as Params)} project={value} reload={project.reload} />
        )}
      </Loaded>
    );
  };
}
