import { useEffect } from "preact/hooks";
import type { ComponentChildren, ComponentType, FunctionComponent, JSX } from "preact";

import type { Account } from "../../../lib/model/account.ts";
import type { ProjectView } from "../../../lib/publishing/shapes/projects.ts";
import { call } from "../api.ts";
import { AccountsLoading, Loaded, Notice } from "../components/feedback.tsx";
import { NotFound } from "../pages/not-found.tsx";
import { words } from "../words/words.ts";
import { accountsKnown, accounts, enterAccount } from "./account.ts";
import { useResource } from "./resource.ts";

/** A view of the account in its address. Users who may not see the account get "not found". */
export function inAccount(
  View: ComponentType<{ readonly account: Account }>,
): FunctionComponent<{ readonly account: string }>;
/** A view with more parameters in its address. */
export function inAccount<Params extends object>(
  View: ComponentType<{ readonly account: Account } & Params>,
): FunctionComponent<Params & { readonly account: string }>;
export function inAccount<Params extends object>(
  View: ComponentType<{ readonly account: Account } & Params>,
): FunctionComponent<Params & { readonly account: string }> {
  return function InAccount({ account: id, ...params }) {
    const account = accounts.value.find((one) => one.id === id);
    useEffect(() => {
      if (account !== undefined) enterAccount(account.id);
    }, [account?.id]);
    if (account !== undefined)
      return (
        <Suspendable account={account}>
          {/* The remaining parameters are those of the view. */}
          {/* oxlint-disable-next-line typescript/no-unsafe-type-assertion */}
          <View {...(params as unknown as Params)} key={account.id} account={account} />
        </Suspendable>
      );
    return accountsKnown.value ? <NotFound /> : <AccountsLoading />;
  };
}

/** A view, under a notice while its account is suspended. The notice must not mount the view again. */
function Suspendable({
  account,
  children,
}: {
  readonly account: Account | undefined;
  readonly children: ComponentChildren;
}): JSX.Element {
  const { shell } = words();
  return (
    <div class="stack wide">
      {account?.suspendedAt !== undefined && (
        <Notice tone="bad">
          <p>
            <strong>{shell.suspendedTitle}</strong>
          </p>
          <p>{shell.suspendedText}</p>
        </Notice>
      )}
      {children}
    </div>
  );
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
          <Suspendable account={accounts.value.find(({ id }) => id === accountId)}>
            {/* The remaining parameters are those of the view. */}
            {/* oxlint-disable-next-line typescript/no-unsafe-type-assertion */}
            <View {...(params as unknown as Params)} project={value} reload={project.reload} />
          </Suspendable>
        )}
      </Loaded>
    );
  };
}
