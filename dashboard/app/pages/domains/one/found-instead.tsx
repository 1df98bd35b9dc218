import type { JSX } from "preact";

import { differenceOf } from "../../../../../domains/texts.ts";
import type { DomainRecordView } from "../../../../../lib/management/domain-view.ts";
import { domainWords } from "../../../words/domain-words.ts";
import { isWanted } from "./propagation.ts";

/** What is there in place of a record: each value once, with those who say so. */
export function FoundInstead({
  record,
}: {
  readonly record: DomainRecordView;
}): JSX.Element | null {
  const { view } = domainWords();
  const others = othersIn(record);
  if (others.length === 0) return null;
  return (
    <div class="instead">
      <p class="small">{view.instead}</p>
      <ul class="stack tight">
        {others.map(({ type, value, servers }) => (
          <li key={type + value}>
            <Found type={type} value={value} record={record} />
            <br />
            <span class="small soft">{view.insteadAt(servers.join(", "))}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** With what is different in it marked, so that nobody has to compare letter by letter. */
function Found({
  type,
  value,
  record,
}: {
  readonly type: string;
  readonly value: string;
  readonly record: DomainRecordView;
}): JSX.Element {
  const { view } = domainWords();
  const { start, observed, expected, end } = differenceOf(value, record.value);
  const alike = type === record.type && (start + end).length * 2 >= record.value.length;
  // Two texts that have next to nothing in common are just two texts.
  if (!alike) {
    return (
      <code>
        {type} {value}
      </code>
    );
  }
  return (
    <>
      <code>
        {type} {start}
        <mark title={view.differs}>{observed}</mark>
        {end}
      </code>
      <br />
      <span class="small soft">{view.expected}</span>{" "}
      <code>
        {start}
        <mark class="good" title={view.differs}>
          {expected}
        </mark>
        {end}
      </code>
    </>
  );
}

interface Other {
  readonly type: string;
  readonly value: string;
  readonly servers: readonly string[];
}

function othersIn(record: DomainRecordView): readonly Other[] {
  const others = new Map<string, Other>();
  for (const { type, value, server } of record.found) {
    if (isWanted(record, { type, value })) continue;
    const key = `${type} ${value}`;
    const servers = others.get(key)?.servers ?? [];
    others.set(key, { type, value, servers: [...new Set([...servers, server])] });
  }
  return [...others.values()];
}
