import type { JSX } from "preact";

import { accountsProblem, reloadAccounts } from "../state/account.ts";
import { Bones } from "./bones.tsx";
import { Refusal } from "./notice.tsx";

/** In the place of what needs the accounts, until they are known; says why they are not where that is so. */
export function AccountsAwaited({ lines = 3 }: { readonly lines?: number }): JSX.Element {
  const problem = accountsProblem.value;
  if (problem === undefined) return <Bones lines={lines} />;
  return <Refusal problem={problem} onRetry={() => void reloadAccounts()} />;
}
