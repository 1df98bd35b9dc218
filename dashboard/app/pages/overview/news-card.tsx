import type { JSX } from "preact";

import type { ToldEvent } from "../../../../lib/management/event-pages.ts";
import { Badge } from "../../components/indicators.tsx";
import { Card } from "../../components/page.tsx";
import { Empty, Loaded } from "../../components/feedback.tsx";
import { Icon } from "../../components/icon.tsx";
import { Instant } from "../../components/time.tsx";
import type { Liveness } from "../../state/live.ts";
import type { Resource } from "../../state/resource.ts";
import { number } from "../../words/format.ts";
import { overviewWords } from "../../words/late.tsx";
import { words } from "../../words/words.ts";
import { newsOf, type News } from "./news.ts";

/** As many as fit beside the rest. */
const SHOWN = 12;

/** What happened lately, as it happens. */
export function NewsCard({
  accountId,
  events,
  liveness,
}: {
  readonly accountId: string;
  readonly events: Resource<readonly ToldEvent[]>;
  readonly liveness: Liveness;
}): JSX.Element {
  const said = overviewWords.words();
  return (
    <Card
      title={said.lately}
      bare
      actions={
        <Badge tone={liveness === "live" ? "good" : "plain"}>
          <span class="dot" />
          {said.liveness[liveness]}
        </Badge>
      }
    >
      <Loaded resource={events} lines={8}>
        {(known) => {
          const news = newsOf(known, { accountId, ...said }).slice(0, SHOWN);
          if (news.length === 0) return <Empty title={said.latelyEmpty} />;
          return (
            <ol class="news">
              {news.map((one) => (
                <Line key={one.seq} news={one} />
              ))}
            </ol>
          );
        }}
      </Loaded>
    </Card>
  );
}

function Line({
  news: { at, code, what, icon, bad, staging, more, href },
}: {
  readonly news: News;
}): JSX.Element {
  const said = overviewWords.words();
  const text = said.happened[code](what);
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
              <span class="out-of-sight">{said.andMore(more)}</span>
            </span>
          </>
        )}
        {staging && (
          <>
            {" "}
            <Badge tone="warn">{words().common.staging}</Badge>
          </>
        )}
      </span>
      <span class="soft small">
        <Instant at={at} />
      </span>
    </li>
  );
}
