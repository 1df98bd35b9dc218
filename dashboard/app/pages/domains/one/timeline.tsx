import { useSignal } from "@preact/signals";
import type { JSX } from "preact";

import type { DomainView } from "../../../../../lib/management/domain-view.ts";
import { Button } from "../../../components/button.tsx";
import { Card } from "../../../components/card.tsx";
import { Moment } from "../../../components/moment.tsx";
import { domainWords } from "../../../words/domain-words.ts";
import { titleOf } from "../told.ts";

/** So many are shown at first. */
const SHOWN = 8;

const GOOD: ReadonlySet<string> = new Set(["verified", "issued", "renewed", "live", "resumed"]);
const BAD: ReadonlySet<string> = new Set(["failed", "stalled", "lost", "stopped", "lapsed"]);

/** What happened to a domain, newest first. */
export function Timeline({
  timeline,
}: {
  readonly timeline: DomainView["timeline"];
}): JSX.Element | null {
  const { view } = domainWords.words();
  const all = useSignal(false);
  if (timeline.length === 0) return null;
  const shown = all.value ? timeline : timeline.slice(0, SHOWN);
  return (
    <Card title={view.timeline}>
      <ol class="timeline">
        {shown.map((entry) => (
          <Entry key={`${entry.at}${entry.kind}`} entry={entry} />
        ))}
      </ol>
      {shown.length < timeline.length && (
        <p>
          <Button
            small
            onClick={() => {
              all.value = true;
            }}
          >
            {view.showAll(timeline.length)}
          </Button>
        </p>
      )}
    </Card>
  );
}

function Entry({
  entry: { at, kind, code, message },
}: {
  readonly entry: DomainView["timeline"][number];
}): JSX.Element {
  const kinds: Readonly<Partial<Record<string, string>>> = domainWords.words().view.kinds;
  const tone = GOOD.has(kind) ? "good" : BAD.has(kind) ? "bad" : "";
  const name = kinds[kind] ?? kind;
  const title = code === null ? undefined : titleOf(code);
  return (
    <li class={tone}>
      <p>
        <b>{name}</b>
      </p>
      {title !== undefined && title !== name && <p class="small">{title}</p>}
      {message !== null && <p class="soft small">{message}</p>}
      <p class="soft small">
        <Moment at={at} />
      </p>
    </li>
  );
}
