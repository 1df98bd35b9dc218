import { useLocation } from "preact-iso";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";

import { AccountsLoading } from "../components/feedback.tsx";
import { accountsKnown, currentAccount } from "../state/account.ts";

/** Redirects to the account's overview, or to the list of accounts if there is none. */
export function Home(): JSX.Element {
  const { route } = useLocation();
  const id = currentAccount.value?.id;
  const known = accountsKnown.value;
  useEffect(() => {
    if (known) route(id === undefined ? "/accounts" : `/accounts/${id}/overview`, true);
  }, [known, id]);
  return <AccountsLoading />;
}
