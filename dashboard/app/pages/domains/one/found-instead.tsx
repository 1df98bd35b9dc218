import type { JSX } from "preact";

import { differenceOf } from "../../../../../domains/texts.ts";
import type { DomainRecordView } from "../../../../../lib/management/domain-view.ts";
import { domainWords } from "../../../words/domain-words.ts";
import { isWanted } from "./propagation.ts";

/** What is there in place of a record, and who says so. */
export function FoundInstead({
  record,
}: {
  readonly record: DomainRecordView;
}): JSX.Element | null {
  const { view } = domainWords.words();
  const others = othersIn(record);
  if (others.length === 0) return null;
  return (
    <div class="instead">
      <p class="small">{view.instead}</p>
      <ul class="stack tight">
        {others.map(({ servers, values }) => (
          <li key={servers}>
            {values.map(({ type, value }) => (
              <p key={type + value}>
                <Found type={type} value={value} record={record} />
              </p>
            ))}
            <p class="small soft">{view.insteadAt(servers)}</p>
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
  const { view } = domainWords.words();
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
  readonly servers: string;
  readonly values: readonly { readonly type: string; readonly value: string }[];
}

/** Put together by who says the same. */
function othersIn(record: DomainRecordView): readonly Other[] {
  const servers = new Map<string, Set<string>>();
  for (const { type, value, server } of record.found) {
    if (isWanted(record, { type, value })) continue;
    const told = `${type} ${value}`;
    servers.set(told, (servers.get(told) ?? new Set()).add(server));
  }
  const others = new Map<string, Other>();
  for (const [told, names] of servers) {
    const key = [...names].join(", ");
    const [type = "", ...value] = told.split(" ");
    const values = [...(others.get(key)?.values ?? []), { type, value: value.join(" ") }];
    others.set(key, { servers: key, values });
  }
  return [...others.values()];
}
