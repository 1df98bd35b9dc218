import { useLocation } from "preact-iso";
import type { JSX } from "preact";

import type { KeyView } from "../../../../lib/actions/local-client.ts";
import { systemClock } from "../../../../lib/base/clock.ts";
import type { Account } from "../../../../lib/model/account.ts";
import { usagePeriods, type UsagePeriod, type UsageRow } from "../../../../lib/model/usage.ts";
import { ButtonLink } from "../../components/button.tsx";
import { Card } from "../../components/page.tsx";
import { Empty } from "../../components/feedback.tsx";
import { search, useQuery } from "../../state/query.ts";
import { number } from "../../words/format.ts";
import { usageWords } from "../../words/late.tsx";
import { words } from "../../words/words.ts";
import { hasEnded, prefixOf, statusOf } from "../keys/rules.ts";
import { Chart } from "./chart.tsx";
import { endings, periodsOf, sumOf } from "./periods.ts";
import { PeriodTable } from "./period-table.tsx";

/** What was asked, by minute or by day: as sums, as a chart and as a table. */
export function Requests({
  account,
  rows,
  by,
  keys,
}: {
  readonly account: Account;
  readonly rows: readonly UsageRow[];
  readonly by: UsagePeriod;
  /** Of the environment. */
  readonly keys: readonly KeyView[];
}): JSX.Element {
  const usage = usageWords.words();
  const periods = periodsOf(rows, by, systemClock.now());
  const sum = sumOf(rows);
  const { perMinute, perDay } = account.limits;
  return (
    <Card
      bare
      title={usage.requests}
      actions={
        <>
          <KeyChoice keys={keys} rows={rows} />
          <Periods current={by} />
        </>
      }
    >
      {rows.length === 0 && (
        <Empty
          title={usage.empty}
          actions={<ButtonLink href={`/accounts/${account.id}/keys`}>{usage.toKeys}</ButtonLink>}
        >
          {usage.emptyText}
        </Empty>
      )}
      {rows.length > 0 && (
        <>
          <div class="inside stack wide">
            <dl class="legend">
              {endings.map((ending) => (
                <div key={ending}>
                  <dt>
                    <span class={ending} />
                    {usage.endings[ending]}
                  </dt>
                  <dd>{number(sum[ending])}</dd>
                </div>
              ))}
            </dl>
            <Chart periods={periods} by={by} limit={by === "minute" ? perMinute : perDay} />
          </div>
          <details>
            <summary>{usage.asTable}</summary>
            <PeriodTable periods={periods} by={by} />
          </details>
        </>
      )}
    </Card>
  );
}

function Periods({ current }: { readonly current: UsagePeriod }): JSX.Element {
  const { path, query } = useLocation();
  const usage = usageWords.words();
  return (
    <nav class="segments" aria-label={usage.period}>
      {usagePeriods.map((by) => (
        <a
          key={by}
          href={path + search({ ...query, by: by === "minute" ? undefined : by })}
          {...(by === current ? { "aria-current": "page" as const } : {})}
        >
          {usage.periods[by]}
        </a>
      ))}
    </nav>
  );
}

/** Keys that work, and others that asked for something: those that ended long ago may be thousands. */
function KeyChoice({
  keys,
  rows,
}: {
  readonly keys: readonly KeyView[];
  readonly rows: readonly UsageRow[];
}): JSX.Element {
  const [query, change] = useQuery();
  const asked = new Set([query["key"], ...rows.map(({ keyId }) => keyId)]);
  const now = systemClock.now();
  const worth = keys.filter((key) => asked.has(key.id) || !hasEnded(statusOf(key, now)));
  const usage = usageWords.words();
  const { keys: text } = words();
  return (
    <label>
      <span class="out-of-sight">{usage.key}</span>
      <select
        class="input"
        value={query["key"] ?? ""}
        onChange={(event) => {
          change({ key: event.currentTarget.value });
        }}
      >
        <option value="">{usage.allKeys}</option>
        {worth.map((key) => (
          <option key={key.id} value={key.id}>
            {key.name === "" ? text.unnamed : key.name} ({prefixOf(key)})
          </option>
        ))}
      </select>
    </label>
  );
}
