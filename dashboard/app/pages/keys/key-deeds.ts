import type { KeyView } from "../../../../lib/actions/local-client.ts";
import { at, send } from "../../api.ts";
import { confirm } from "../../components/dialog.tsx";
import { toast } from "../../components/toasts.tsx";
import { said, words } from "../../words/words.ts";

/** What an owner does to a key at once. */
export interface KeyDeeds {
  readonly lift: () => Promise<void>;
  /** Asks first. */
  readonly revoke: () => Promise<void>;
}

export function keyDeeds({
  key,
  name,
  onChange,
}: {
  readonly key: KeyView;
  /** What it is called. */
  readonly name: string;
  readonly onChange: () => Promise<void>;
}): KeyDeeds {
  const { keys } = words();
  const path = at`/accounts/${key.accountId}/keys/${key.id}`;
  const tell = async (method: "POST" | "DELETE", where: string, done: string): Promise<void> => {
    const outcome = await send<KeyView>(method, where);
    toast(outcome.ok ? done : said(outcome.failure));
    await onChange();
  };
  return {
    lift: () => tell("POST", `${path}/unban`, keys.lifted(name)),
    revoke: async () => {
      const sure = await confirm({
        title: keys.revokeTitle(name),
        text: keys.revokeText,
        action: keys.revoke,
        look: "danger",
      });
      if (sure) await tell("DELETE", path, keys.revoked(name));
    },
  };
}
