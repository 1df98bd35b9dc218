import type { Account } from "../../../../lib/model/account.ts";
import { at, send } from "../../api.ts";
import { confirm } from "../../components/dialog.tsx";
import { toast } from "../../components/toasts.tsx";
import { reloadAccounts } from "../../state/account.ts";
import { administrationWords } from "../../words/late.tsx";
import { said } from "../../words/words.ts";

/** Asks, and suspends an account. */
export async function suspend({ id, name }: Account): Promise<void> {
  const { danger } = administrationWords.words().accounts;
  const sure = await confirm({
    title: danger.suspendTitle(name),
    text: danger.suspendText,
    action: danger.suspend,
    look: "danger",
  });
  if (sure)
    await tell(send<Account>("POST", at`/accounts/${id}/suspend`), danger.suspendedNow(name));
}

/** Ends a suspension. */
export async function resume({ id, name }: Account): Promise<void> {
  const { danger } = administrationWords.words().accounts;
  await tell(send<Account>("POST", at`/accounts/${id}/resume`), danger.resumed(name));
}

/** Asks for the name, and deletes an account with all that it owns; true when it is gone. */
export async function remove({ id, name }: Account): Promise<boolean> {
  const { danger } = administrationWords.words().accounts;
  const sure = await confirm({
    title: danger.deleteTitle(name),
    text: danger.deleteText,
    action: danger.delete,
    look: "danger",
    typed: name,
  });
  return sure && (await tell(send("DELETE", at`/accounts/${id}`), danger.deleted(name)));
}

/** Says what came of it, and has the list of accounts told anew. */
async function tell(deed: ReturnType<typeof send<unknown>>, done: string): Promise<boolean> {
  const outcome = await deed;
  toast(outcome.ok ? done : said(outcome.failure));
  await reloadAccounts();
  return outcome.ok;
}
