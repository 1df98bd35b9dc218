import { useEffect } from "preact/hooks";
import type { ComponentType, FunctionComponent } from "preact";

import type { Account } from "../../../lib/model/account.ts";
import type { ProjectView } from "../../../lib/management/client.ts";
import { at, get } from "../api.ts";
import { AccountsLoading, Loaded } from "../components/feedback.tsx";
import { NotFound } from "../pages/not-found.tsx";
import { accountsKnown, accounts, enterAccount } from "./account.ts";
import { useResource } from "./resource.ts";

/** A view of an account that its address names; who may not see the account is told that there is nothing. */
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
  /** Asks for the project anew, after something of it changed. */
  readonly reload: () => Promise<void>;
}

/** A view of a project that its address names by slug or id. */
export function inProject<Params extends object = object>(
  View: ComponentType<InProject & Params>,
): FunctionComponent<Params & { readonly project: string }> {
  return function Inside({ project: name, ...params }) {
    const project = useResource(name, () => get<ProjectView>(at`/projects/${name}`));
    const accountId = project.value?.accountId;
    useEffect(() => {
      if (accountId !== undefined) enterAccount(accountId);
    }, [accountId]);
    if (project.problem?.code === "not_found") return <NotFound />;
    return (
      <Loaded resource={project}>
        {(value) => (
          // What is left of the parameters is what the view takes besides.
          // oxlint-disable-next-line typescript/no-unsafe-type-assertion
          <View {...(params as unknown as Params)} project={value} reload={project.reload} />
        )}
      </Loaded>
    );
  };
}
