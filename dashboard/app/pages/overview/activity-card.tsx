import type { JSX } from "preact";

import { petStatuses } from "../../../../lib/catalogue/model-statuses.ts";
import { done, type Result } from "../../../../lib/base/result.ts";
import type { EventView } from "../../../../lib/management/event-pages.ts";
import type { Environment } from "../../../../lib/model/account.ts";
import type { EventType } from "../../../../lib/model/event-types.ts";
import { call, type Problem } from "../../api.ts";
import { Empty, Loaded } from "../../components/feedback.tsx";
import { Icon } from "../../components/icon.tsx";
import { Badge } from "../../components/indicators.tsx";
import { Card } from "../../components/page.tsx";
import { Instant } from "../../components/time.tsx";
import type { Liveness } from "../../state/live.ts";
import type { Resource } from "../../state/resource.ts";
import { number } from "../../words/format.ts";
import { overviewWords } from "../../words/late.tsx";
import { words } from "../../words/words.ts";
import { activityIn, type Activity } from "./activity.ts";

/**
 * Returns the types of events that the card has words for: a change of status has words for each status. `order.placed`, which
 * repeats it, has none.
 */
export function eventsShown(): readonly EventType[] {
  const codes = Object.keys(overviewWords.words().happened);
  const types = codes.filter((code) => !petStatuses.some((status) => code === `pet.${status}`));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- all other codes are types
  return [...types, "pet.status_changed"] as EventType[];
}

/** More events than lines are shown, because events that belong together share a line. */
const EVENTS_EACH = 100;
const LINES = 12;

/**
 * Loads the latest events, newest first. Two requests, so that an import of animals does not hide everything else.
 * Animals and categories of Staging are left out: the overview is about Production.
 */
export async function latestEvents(
  account: string,
): Promise<Result<readonly EventView[], Problem>> {
  const load = (types: readonly EventType[], environment?: Environment) =>
    call("GET /accounts/:account/events", {
      account,
      query: { order: "newest", limit: EVENTS_EACH, types, environment },
    });
  const types = eventsShown();
  const isOfAnimal = (type: EventType): boolean => /^(?:pet|photo)\./.test(type);
  const [animals, others] = await Promise.all([
    load(types.filter(isOfAnimal), "production"),
    load(types.filter((type) => !isOfAnimal(type))),
  ]);
  if (!animals.ok) return animals;
  if (!others.ok) return others;
  const shown = others.value.filter(
    ({ type, environment }) => environment !== "staging" || !type.startsWith("category."),
  );
  return done([...animals.value, ...shown].toSorted((a, b) => b.seq - a.seq));
}

/** The recent activity of an account, live. */
export function ActivityCard({
  accountId,
  events,
  liveness,
}: {
  readonly accountId: string;
  readonly events: Resource<readonly EventView[]>;
  readonly liveness: Liveness;
}): JSX.Element {
  const text = overviewWords.words();
  return (
    <Card
      title={text.activity}
      bare
      actions={
        <Badge tone={liveness === "live" ? "good" : "plain"}>
          <span class="dot" />
          {text.liveness[liveness]}
        </Badge>
      }
    >
      <Loaded resource={events} lines={8}>
        {(known) => {
          const lines = activityIn(known, { accountId, ...text }).slice(0, LINES);
          if (lines.length === 0) return <Empty title={text.activityEmpty} />;
          return (
            <ol class="news">
              {lines.map((one) => (
                <Line key={one.seq} activity={one} />
              ))}
            </ol>
          );
        }}
      </Loaded>
    </Card>
  );
}

function Line({
  activity: { at, code, subject, icon, bad, staging, more, href, by },
}: {
  readonly activity: Activity;
}): JSX.Element {
  const { happened, andMore, by: actors } = overviewWords.words();
  const text = happened[code](subject);
  const who = by && actors[by.kind](by.name ?? "");
  return (
    <li class={bad ? "bad" : ""}>
      <Icon name={bad ? "warn" : icon} />
      <span>
        {href === undefined ? text : <a href={href}>{text}</a>}
        {more > 0 && (
          <>
            {" "}
            <span class="badge">
              <span aria-hidden="true">+{number(more)}</span>
              <span class="out-of-sight">{andMore(more)}</span>
            </span>
          </>
        )}
        {staging && (
          <>
            {" "}
            <Badge tone="warn">{words().common.staging}</Badge>
          </>
        )}
        {who !== undefined && <span class="soft small"> {who}</span>}
      </span>
      <span class="soft small">
        <Instant at={at} />
      </span>
    </li>
  );
}
