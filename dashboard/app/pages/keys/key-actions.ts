import type { KeyView } from "../../../../lib/actions/local-client.ts";
import { at, send } from "../../api.ts";
import { confirm } from "../../components/confirm.tsx";
import type { MenuItem } from "../../components/menu.tsx";
import { toast } from "../../components/toasts.tsx";
import { said } from "../../words/said.ts";
import { words } from "../../words/words.ts";
import type { KeyDialog } from "./key-dialogs.tsx";
import { hasEnded, type Standing } from "./standing.ts";

/** What an owner can do with a key as it stands. */
export function keyActions({
  key,
  standing,
  name,
  onAsk,
  onChange,
}: {
  readonly key: KeyView;
  readonly standing: Standing;
  /** What it is called. */
  readonly name: string;
  readonly onAsk: (dialog: KeyDialog) => void;
  readonly onChange: () => Promise<void>;
}): readonly MenuItem[] {
  const { keys } = words();
  const path = at`/accounts/${key.accountId}/keys/${key.id}`;
  const tell = async (method: "POST" | "DELETE", where: string, done: string): Promise<void> => {
    const outcome = await send<KeyView>(method, where);
    toast(outcome.ok ? done : said(outcome.failure));
    await onChange();
  };
  const revoke = async (): Promise<void> => {
    const sure = await confirm({
      title: keys.revokeTitle(name),
      text: keys.revokeText,
      action: keys.revoke,
      look: "danger",
    });
    if (sure) await tell("DELETE", path, keys.revoked(name));
  };

  if (hasEnded(standing)) return [];
  return [
    ...(standing.kind === "banned"
      ? [
          {
            label: keys.liftBan,
            onClick: () => void tell("POST", `${path}/unban`, keys.lifted(name)),
          },
        ]
      : []),
    ...(key.replacedBy === undefined
      ? [{ label: keys.rotate, onClick: () => onAsk({ kind: "rotate", key }) }]
      : []),
    { label: keys.rename, onClick: () => onAsk({ kind: "rename", key }) },
    { label: keys.revoke, danger: true, onClick: () => void revoke() },
  ];
}
