import type { JSX } from "preact";

import type { UsagePeriod } from "../../../../lib/model/usage.ts";
import { time, utcDay } from "../../words/format.ts";
import { usageWords } from "../../words/late.tsx";
import { CountsTable } from "./counts-table.tsx";
import { totalOf, type Period } from "./periods.ts";

/** The numbers of a chart: the newest period first, without those in which nothing was asked. */
export function PeriodTable({
  periods,
  by,
}: {
  readonly periods: readonly Period[];
  readonly by: UsagePeriod;
}): JSX.Element {
  const usage = usageWords.words();
  return (
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
  );
}
