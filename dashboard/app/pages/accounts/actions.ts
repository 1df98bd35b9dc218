import type { Account } from "../../../../lib/model/account.ts";
import { call } from "../../api.ts";
import { act } from "../../components/form.tsx";
import { reloadAccounts } from "../../state/account.ts";
import { administrationWords } from "../../words/late.tsx";

export async function suspendAccount({ id, name }: Account): Promise<void> {
  const { danger } = administrationWords.words().accounts;
  await actAndReload({
    ask: {
      title: danger.suspendTitle(name),
      text: danger.suspendText,
      action: danger.suspend,
      look: "danger",
    },
    send: () => call("POST /accounts/:account/suspend", { account: id }),
    done: danger.suspendedNow(name),
  });
}

export async function resumeAccount({ id, name }: Account): Promise<void> {
  const { danger } = administrationWords.words().accounts;
  await actAndReload({
    send: () => call("POST /accounts/:account/resume", { account: id }),
    done: danger.resumed(name),
  });
}

/** Resolves with true when the account was deleted. The user types its name to confirm. */
export function deleteAccount({ id, name }: Account): Promise<boolean> {
  const { danger } = administrationWords.words().accounts;
  return actAndReload({
    ask: {
      title: danger.deleteTitle(name),
      text: danger.deleteText,
      action: danger.delete,
      look: "danger",
      typed: name,
    },
    send: () => call("DELETE /accounts/:account", { account: id }),
    done: danger.deleted(name),
  });
}

async function actAndReload(action: Parameters<typeof act>[0]): Promise<boolean> {
  const done = await act(action);
  await reloadAccounts();
  return done;
}
