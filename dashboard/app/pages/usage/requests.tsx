import { useLocation } from "preact-iso";
import type { ComponentChildren, JSX } from "preact";

import type { KeyView } from "../../../../lib/accounts/keys.ts";
import { systemClock } from "../../../../lib/base/clock.ts";
import type { Account } from "../../../../lib/model/account.ts";
import {
  usagePeriods,
  usersId,
  type UsagePeriod,
  type UsageRow,
} from "../../../../lib/model/usage.ts";
import { ButtonLink } from "../../components/button.tsx";
import { Empty } from "../../components/feedback.tsx";
import { Card } from "../../components/page.tsx";
import { Table } from "../../components/table.tsx";
import { search, useQuery } from "../../state/query.ts";
import { number, time, utcDay } from "../../words/format.ts";
import { keysWords } from "../keys/words.ts";
import { usageWords } from "./words.ts";
import { hasEnded, prefixOf, statusOf } from "../keys/rules.ts";
import { Chart } from "./chart.tsx";
import { outcomes, periodsOf, shares, sumOf, totalOf, type Counts } from "./numbers.ts";

/** The requests by minute or day: as sums, a chart and a table. */
export function Requests({
  account,
  rows,
  by,
  keys,
}: {
  readonly account: Account;
  readonly rows: readonly UsageRow[];
  readonly by: UsagePeriod;
  /** The keys of the environment. */
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
              {outcomes.map((outcome) => (
                <div key={outcome}>
                  <dt>
                    <span class={outcome} />
                    {usage.outcomes[outcome]}
                  </dt>
                  <dd>{number(sum[outcome])}</dd>
                </div>
              ))}
            </dl>
            <Chart periods={periods} by={by} limit={by === "minute" ? perMinute : perDay} />
          </div>
          <details>
            <summary>{usage.asTable}</summary>
            <CountsTable
              label={usage.chart[by]}
              what={usage.when[by]}
              rows={periods
                .filter((period) => totalOf(period) > 0)
                .toReversed()
                .map((period) => ({
                  id: String(period.at),
                  name: by === "minute" ? time(period.at) : utcDay(period.at),
                  counts: period,
                }))}
            />
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

/** Offers usable keys and those with requests: there may be thousands of expired ones. */
function KeyChoice({
  keys,
  rows,
}: {
  readonly keys: readonly KeyView[];
  readonly rows: readonly UsageRow[];
}): JSX.Element {
  const [query, change] = useQuery();
  const active = new Set([query["key"], ...rows.map(({ keyId }) => keyId)]);
  const now = systemClock.now();
  const offered = keys.filter((key) => active.has(key.id) || !hasEnded(statusOf(key, now)));
  const usage = usageWords.words();
  const text = keysWords.words();
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
        {offered.map((key) => (
          <option key={key.id} value={key.id}>
            {key.name === "" ? text.unnamed : key.name} ({prefixOf(key)})
          </option>
        ))}
      </select>
    </label>
  );
}

/** The requests by key and by operation. */
export function Shares({
  rows,
  keys,
}: {
  readonly rows: readonly UsageRow[];
  readonly keys: readonly KeyView[];
}): JSX.Element | null {
  const usage = usageWords.words();
  const text = keysWords.words();
  if (rows.length === 0) return null;
  return (
    <>
      <Card bare title={usage.byKey}>
        <CountsTable
          label={usage.byKey}
          what={usage.key}
          rows={shares(rows, "keyId").map(({ name: id, ...counts }) => {
            const key = keys.find((one) => one.id === id);
            const unknown = Object.values(usersId).includes(id) ? usage.users : usage.deletedKey;
            const name = key?.name === "" ? text.unnamed : (key?.name ?? unknown);
            return {
              id,
              name: (
                <div>
                  <strong>{name}</strong>
                  {key !== undefined && <div class="mono soft">{prefixOf(key)}</div>}
                </div>
              ),
              counts,
            };
          })}
        />
      </Card>
      <Card bare title={usage.byOperation}>
        <CountsTable
          label={usage.byOperation}
          what={usage.operation}
          rows={shares(rows, "operation").map(({ name, ...counts }) => ({
            id: name,
            name: name === "unknown" ? usage.unknownOperation : <code>{name}</code>,
            counts,
          }))}
        />
      </Card>
    </>
  );
}

interface CountsRow {
  readonly id: string;
  readonly name: ComponentChildren;
  readonly counts: Counts;
}

function CountsTable({
  label,
  what,
  rows,
}: {
  readonly label: string;
  /** Heading of the rows' names. */
  readonly what: string;
  readonly rows: readonly CountsRow[];
}): JSX.Element {
  const usage = usageWords.words();
  return (
    <Table
      label={label}
      columns={[
        { name: what, cell: "lead" },
        { name: usage.total, cell: "number" },
        ...outcomes.map((outcome) => ({ name: usage.outcomes[outcome], cell: "number" })),
      ]}
      rows={rows.map(({ id, name, counts }) => ({
        key: id,
        cells: [
          name,
          number(totalOf(counts)),
          ...outcomes.map((outcome) => number(counts[outcome])),
        ],
      }))}
    />
  );
}
