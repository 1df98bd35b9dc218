import type { JSX } from "preact";

import type { KeyView, LimitsView } from "../../../../lib/actions/local-client.ts";
import { systemClock } from "../../../../lib/base/clock.ts";
import type { Account, Environment } from "../../../../lib/model/account.ts";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/page.tsx";
import { Empty } from "../../components/feedback.tsx";
import { InSteps } from "../../components/table.tsx";
import { mayOwn } from "../../state/me.ts";
import { words } from "../../words/words.ts";
import type { KeyDialog } from "./key-dialogs.tsx";
import { KeyTable } from "./key-table.tsx";
import { hasEnded, standingOf } from "./standing.ts";
import { TryIt } from "./try-it.tsx";
import { WindowMeters } from "./window-meters.tsx";

/** The keys of one environment, and how much of its limits is used up. */
export function KeysOf({
  account,
  environment,
  keys,
  limits,
  onAsk,
  onChange,
}: {
  readonly account: Account;
  readonly environment: Environment;
  readonly keys: readonly KeyView[];
  readonly limits: LimitsView | undefined;
  readonly onAsk: (dialog: KeyDialog) => void;
  readonly onChange: () => Promise<void>;
}): JSX.Element {
  const { common, keys: text } = words();
  const now = systemClock.now();
  const ended = keys.filter((key) => hasEnded(standingOf(key, now)));
  const working = keys.filter((key) => !ended.includes(key));
  const shown = { limits, onAsk, onChange };
  return (
    <Card
      bare
      title={common[environment]}
      actions={
        environment === "staging" &&
        mayOwn.value && <TryIt accountId={account.id} onMade={() => void onChange()} />
      }
    >
      <div class="inside stack">
        <p class="soft">{text.environments[environment]}</p>
        <WindowMeters limits={limits} />
      </div>
      {working.length > 0 && <KeyTable keys={working} label={common[environment]} {...shown} />}
      {working.length === 0 && (
        <Empty
          title={text.empty[environment]}
          actions={
            mayOwn.value && (
              <Button
                onClick={() => {
                  onAsk({ kind: "create", environment });
                }}
              >
                {text.create}
              </Button>
            )
          }
        >
          {text.emptyText[environment]}
        </Empty>
      )}
      {ended.length > 0 && (
        <details>
          <summary>{text.ended(ended.length)}</summary>
          <InSteps items={ended}>
            {(some) => <KeyTable keys={some} label={text.ended(ended.length)} {...shown} />}
          </InSteps>
        </details>
      )}
    </Card>
  );
}
