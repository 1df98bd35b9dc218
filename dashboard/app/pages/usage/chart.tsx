import { useSignal } from "@preact/signals";
import type { JSX, TargetedPointerEvent } from "preact";

import type { UsagePeriod } from "../../../../lib/model/usage.ts";
import { number, time, utcDay } from "../../words/format.ts";
import { usageWords } from "./words.ts";
import { outcomes, scaleFor, totalOf, type Period } from "./numbers.ts";

/**
 * A bar chart of periods with the limit as a line. Arrow keys and the pointer select a period, whose numbers are shown
 * below; initially the newest.
 */
export function Chart({
  periods,
  by,
  limit,
}: {
  readonly periods: readonly Period[];
  readonly by: UsagePeriod;
  /** The limit of requests per period. */
  readonly limit: number;
}): JSX.Element {
  const usage = usageWords.words();
  const chosen = useSignal<number | undefined>(undefined);
  const { top, limitAt } = scaleFor(Math.max(...periods.map(totalOf)), limit);
  const last = periods.length - 1;
  const index = Math.min(chosen.value ?? last, last);
  const period = periods[index];
  const label = (at: number): string => (by === "minute" ? time(at) : utcDay(at));
  const summary = period === undefined ? "" : usage.summary(label(period.at), period);

  const walk = (event: KeyboardEvent): void => {
    const to = { ArrowLeft: index - 1, ArrowRight: index + 1, Home: 0, End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    chosen.value = Math.max(0, Math.min(last, to));
  };
  const point = (event: TargetedPointerEvent<HTMLDivElement>): void => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const share = (event.clientX - left) / width;
    chosen.value = Math.max(0, Math.min(last, Math.floor(share * periods.length)));
  };

  return (
    <figure class="chart">
      <div class="chart-plot">
        <span class="chart-top">{number(top)}</span>
        <span class="chart-half">{number(top / 2)}</span>
        <div
          class="chart-bars"
          role="slider"
          tabIndex={0}
          aria-label={usage.chart[by]}
          aria-valuemin={0}
          aria-valuemax={last}
          aria-valuenow={index}
          aria-valuetext={summary}
          onKeyDown={walk}
          onPointerMove={point}
          onPointerLeave={() => {
            chosen.value = undefined;
          }}
        >
          {periods.map((one, place) => (
            <div key={one.at} class={place === index ? "bar chosen" : "bar"}>
              {outcomes.map(
                (outcome) =>
                  one[outcome] > 0 && (
                    <span
                      key={outcome}
                      class={outcome}
                      style={{ height: `${(one[outcome] / top) * 100}%` }}
                    />
                  ),
              )}
            </div>
          ))}
          {limitAt !== undefined && (
            <div class="chart-limit" style={{ bottom: `${limitAt * 100}%` }}>
              <span>{usage.limitLine(limit, by)}</span>
            </div>
          )}
        </div>
      </div>
      <div class="chart-ends" aria-hidden="true">
        <span>{label(periods[0]?.at ?? 0)}</span>
        <span>{label(periods[Math.floor(last / 2)]?.at ?? 0)}</span>
        <span>{usage.now[by]}</span>
      </div>
      <figcaption>
        <p>{summary}</p>
        <p class="soft small">
          {limitAt === undefined ? usage.limitAbove(limit, by) : usage.limitMeans[by]}
        </p>
      </figcaption>
    </figure>
  );
}
