import type { JSX } from "preact";

import type { LimitsView } from "../../../../lib/index.ts";
import { Card } from "../../components/page.tsx";
import { Instant } from "../../components/time.tsx";
import { Loaded, Notice } from "../../components/feedback.tsx";
import { Meter } from "../../components/indicators.tsx";
import type { Resource } from "../../state/resource.ts";
import { overviewWords } from "../../words/late.tsx";

/** How much of today's requests is spent. */
export function LimitsCard({
  base,
  limits,
}: {
  readonly base: string;
  readonly limits: Resource<LimitsView>;
}): JSX.Element {
  const said = overviewWords.words();
  return (
    <Card title={said.today} actions={<a href={`${base}/usage`}>{said.usage}</a>}>
      <Loaded resource={limits} lines={4}>
        {({ windows, keys, countBy }) => {
          const banned = keys.filter(({ ban }) => ban !== null).length;
          return (
            <>
              {windows.toReversed().map(({ name, limit, remaining, resetAt }) => {
                const used = limit - remaining;
                const text = name === "day" ? said.used(used, limit) : said.minute(used, limit);
                return (
                  <div key={name} class="stack tight">
                    <p class={name === "day" ? "row apart" : "row apart soft small"}>
                      <span>{text}</span>
                      {resetAt !== null && name === "day" && (
                        <span class="soft small">
                          {said.anew} <Instant at={resetAt} />
                        </span>
                      )}
                    </p>
                    <Meter value={used} max={limit} label={text} />
                  </div>
                );
              })}
              {countBy === "key" && <p class="soft small">{said.countedByKey}</p>}
              {banned > 0 && (
                <Notice tone="warn">
                  <p>{said.banned(banned)}</p>
                  <p>
                    <a href={`${base}/keys`}>{said.toKeys}</a>
                  </p>
                </Notice>
              )}
            </>
          );
        }}
      </Loaded>
    </Card>
  );
}
