import type { JSX } from "preact";

import type { LimitsView } from "../../../../lib/actions/local-client.ts";
import { systemClock } from "../../../../lib/base/clock.ts";
import type { UsageRow } from "../../../../lib/model/usage.ts";
import { Notice } from "../../components/feedback.tsx";
import { usageWords } from "../../words/late.tsx";
import { words } from "../../words/words.ts";
import { paceOf, spentOf, type Pace } from "./pace.ts";
import { sumOf } from "./periods.ts";

/** Says where the day's limit is heading, and loudly where it does not last. */
export function PaceOfDay({
  limits,
  lastHour,
}: {
  readonly limits: LimitsView | undefined;
  /** By minute, of all keys. */
  readonly lastHour: readonly UsageRow[] | undefined;
}): JSX.Element {
  const usage = usageWords.words();
  const { common } = words();
  if (limits?.countBy === "key") return <p class="soft">{usage.byKeyEach}</p>;
  const day = limits?.windows.find(({ name }) => name === "day");
  if (day === undefined || lastHour === undefined) return <p class="soft">{common.loading}</p>;
  const pace = paceOf(day, spentOf(sumOf(lastHour)), systemClock.now());
  if (pace.kind === "idle" || pace.kind === "lasts") return <p class="soft">{worded(pace)}</p>;
  return (
    <Notice tone={pace.kind === "used-up" ? "bad" : "warn"} live="status">
      <p>{worded(pace)}</p>
    </Notice>
  );
}

function worded(pace: Pace): string {
  const { paces } = usageWords.words();
  switch (pace.kind) {
    case "idle":
      return paces.idle;
    case "used-up":
      return paces.usedUp(pace.resetAt);
    case "reached":
      return paces.reached(pace.at);
    case "lasts":
      return paces.lasts(pace.share);
  }
}
