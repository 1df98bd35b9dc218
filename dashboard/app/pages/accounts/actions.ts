import type { Account } from "../../../../lib/model/account.ts";
import { call } from "../../api.ts";
import { act, actIfSure } from "../../components/form.tsx";
import { reloadAccounts } from "../../state/account.ts";
import { administrationWords } from "../../words/late.tsx";

/** Suspends an account, or resumes a suspended one. */
export async function toggleSuspension({ id, name, suspendedAt }: Account): Promise<void> {
  const { suspend, resume } = administrationWords.words().accounts.danger;
  const account = { account: id };
  await (suspendedAt === undefined
    ? actIfSure(suspend, name, () => call("POST /accounts/:account/suspend", account), {
        look: "danger",
      })
    : act(resume.done(name), () => call("POST /accounts/:account/resume", account)));
  await reloadAccounts();
}

/** Resolves with true when the account was deleted. The user types its name to confirm. */
export async function deleteAccount({ id, name }: Account): Promise<boolean> {
  const { danger } = administrationWords.words().accounts;
  const send = () => call("DELETE /accounts/:account", { account: id });
  const deleted = await actIfSure(danger.delete, name, send, { look: "danger", typed: name });
  await reloadAccounts();
  return deleted !== undefined;
}
