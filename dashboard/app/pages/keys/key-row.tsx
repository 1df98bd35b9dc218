import type { JSX } from "preact";

import type { KeyView } from "../../../../lib/actions/local-client.ts";
import { systemClock } from "../../../../lib/base/clock.ts";
import { defaultScopes, scopes as allScopes } from "../../../../lib/model/scope.ts";
import { Button } from "../../components/button.tsx";
import { Instant } from "../../components/time.tsx";
import { Menu, type MenuItem } from "../../components/menu.tsx";
import { mayOwn } from "../../state/me.ts";
import { date, number } from "../../words/format.ts";
import { words } from "../../words/words.ts";
import { keyDeeds, type KeyDeeds } from "./key-deeds.ts";
import type { KeyDialog } from "./key-dialogs.tsx";
import { KeyStanding } from "./key-standing.tsx";
import type { KeyLimits } from "../../../../lib/actions/local-client.ts";
import { hasEnded, prefixOf, standingOf } from "./standing.ts";

/** One key: whose, what for, how it is used and how it stands. */
export function KeyRow({
  keyView,
  used,
  onAsk,
  onChange,
}: {
  readonly keyView: KeyView;
  readonly used: KeyLimits["used"] | undefined;
  readonly onAsk: (dialog: KeyDialog) => void;
  readonly onChange: () => Promise<void>;
}): JSX.Element {
  const { common, keys } = words();
  const standing = standingOf(keyView, systemClock.now());
  const name = keyView.name === "" ? keys.unnamed : keyView.name;
  const deeds = keyDeeds({ key: keyView, name, onChange });
  const items = mayOwn.value && !hasEnded(standing) ? menuOf(keyView, deeds, onAsk) : [];
  return (
    <tr>
      <td class="lead">
        <div>
          <strong>{name}</strong>
          <div class="mono soft">{prefixOf(keyView)}</div>
        </div>
      </td>
      <td data-label={keys.columns.mayDo}>
        <div>
          <Rights scopes={keyView.scopes} />
          {keyView.allowedAddresses !== undefined && (
            <div class="soft small">{keys.onlyFrom(keyView.allowedAddresses.join(", "))}</div>
          )}
        </div>
      </td>
      <td data-label={keys.columns.lastUsed}>
        <div class="brief">
          {keyView.lastUsedAt === undefined ? common.never : <Instant at={keyView.lastUsedAt} />}
          <div class="soft small">{keys.created(date(keyView.createdAt))}</div>
        </div>
      </td>
      <td data-label={keys.columns.requests} class="number">
        <div class="brief">
          {number(used?.day ?? 0)} <span class="soft small">{keys.today}</span>
          <div class="soft small">{keys.thisMinute(used?.minute ?? 0)}</div>
        </div>
      </td>
      <td data-label={keys.columns.status}>
        <KeyStanding standing={standing} environment={keyView.environment}>
          {standing.kind === "banned" && mayOwn.value && (
            <div>
              <Button small label={keys.liftBanOf(name)} onClick={() => void deeds.lift()}>
                {keys.liftBan}
              </Button>
            </div>
          )}
        </KeyStanding>
      </td>
      <td class="end corner">
        {items.length > 0 && <Menu label={common.more(name)} items={items} />}
      </td>
    </tr>
  );
}

/** In a word where it is one of the usual sets, else each right. */
function Rights({ scopes }: Pick<KeyView, "scopes">): JSX.Element {
  const { keys } = words();
  if (scopes.length === allScopes.length) return <span>{keys.everything}</span>;
  const usual =
    scopes.length === defaultScopes.length && defaultScopes.every((one) => scopes.includes(one));
  if (usual) return <span>{keys.allBut}</span>;
  return (
    <ul>
      {scopes.map((scope) => (
        <li key={scope}>{keys.scopes[scope].label}</li>
      ))}
    </ul>
  );
}

/** What an owner can do with a key that works. One that was rotated is followed already. */
function menuOf(
  key: KeyView,
  { revoke }: KeyDeeds,
  onAsk: (dialog: KeyDialog) => void,
): readonly MenuItem[] {
  const { keys } = words();
  return [
    ...(key.replacedBy === undefined
      ? [{ label: keys.rotate, onClick: () => onAsk({ kind: "rotate", key }) }]
      : []),
    { label: keys.rename, onClick: () => onAsk({ kind: "rename", key }) },
    { label: keys.revoke, danger: true, onClick: () => void revoke() },
  ];
}
