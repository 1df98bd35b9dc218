import { useSignal } from "@preact/signals";
import type { JSX } from "preact";

import type { Environment } from "../../../../../lib/model/account.ts";
import type { IgnoredColumn } from "../../../../../lib/management/pet-rows.ts";
import type { Category } from "../../../../../lib/model/category.ts";
import { petStatuses } from "../../../../../lib/model/pet.ts";
import { Button } from "../../../components/button.tsx";
import { Card } from "../../../components/card.tsx";
import { CheckField } from "../../../components/field.tsx";
import { Notice } from "../../../components/notice.tsx";
import { number } from "../../../words/format.ts";
import { importingWords } from "../../../words/importing-words.ts";
import { words } from "../../../words/words.ts";
import { Faults } from "./faults.tsx";
import { First } from "./first.tsx";
import type { Report, Sums } from "./tally.ts";

/** As many categories as are told by name. */
const NAMED = 6;

/** What a file would bring: to be agreed to before anything is added. */
export function Looked({
  environment,
  categories,
  file,
  report,
  ignored,
  onStart,
  onAnother,
}: {
  readonly environment: Environment;
  readonly categories: readonly Category[];
  readonly file: File;
  readonly report: Report;
  readonly ignored: readonly IgnoredColumn[];
  readonly onStart: (create: readonly string[]) => void;
  readonly onAnother: () => void;
}): JSX.Element {
  const said = importingWords.words();
  const { common } = words();
  const creating = useSignal(true);
  const names = [...report.missing.keys()];
  const create = creating.value ? names : [];
  const count = report.right + (creating.value ? report.waiting : 0);
  const left = report.wrong + (creating.value ? 0 : report.waiting);
  const sums = report.sums[creating.value ? "hoped" : "right"];
  const { sold } = sums.byStatus;
  return (
    <>
      <Card
        title={count === 0 ? said.none : said.ready(count)}
        actions={<span class="soft small">{said.fileLine(file.name, file.size)}</span>}
      >
        <p>
          {said.into(common[environment])}. {left === 0 ? said.allRight : `${said.faulty(left)}.`}
        </p>
        {count > 0 && (
          <dl class="terms">
            <div>
              <dt>{said.byStatus}</dt>
              <dd>
                {petStatuses
                  .filter((status) => sums.byStatus[status] > 0)
                  .map((status) => `${common.statuses[status]} ${number(sums.byStatus[status])}`)
                  .join(" · ")}
              </dd>
            </div>
            <div>
              <dt>{said.byCategory}</dt>
              <dd>{categoriesIn(sums, categories)}</dd>
            </div>
          </dl>
        )}
        {sold > 0 && <p class="soft">{said.soldNote(sold)}</p>}
        {ignored.length > 0 && (
          <Notice tone="warn">
            <p>{said.ignored(ignored)}</p>
          </Notice>
        )}
        {names.length > 0 && (
          <Notice>
            <p>
              <strong>{said.createTitle(names.length)}</strong>
            </p>
            <CheckField
              label={said.createText(named(names), report.waiting)}
              checked={creating.value}
              onInput={(checked) => (creating.value = checked)}
            />
          </Notice>
        )}
        <div class="row">
          <Button look="primary" disabled={count === 0} onClick={() => onStart(create)}>
            {said.start(count)}
          </Button>
          <Button onClick={onAnother}>{said.another}</Button>
        </div>
      </Card>
      <First rows={report.samples[creating.value ? "hoped" : "right"]} categories={categories} />
      <Faults
        faults={creating.value ? report.faults.lasting : report.faults.all}
        count={left}
        categories={categories}
      />
    </>
  );
}

function categoriesIn({ byCategory }: Sums, categories: readonly Category[]): string {
  const shown = [...byCategory]
    .toSorted(([, a], [, b]) => b - a)
    .map(([key, rows]) => {
      const known = categories.find(({ id }) => `#${id}` === key);
      return `${known?.name ?? key} ${number(rows)}`;
    });
  const rest = shown.length - NAMED;
  return shown.slice(0, NAMED).join(" · ") + (rest > 0 ? ` · +${number(rest)}` : "");
}

function named(names: readonly string[]): string {
  const rest = names.length - NAMED;
  return names.slice(0, NAMED).join(", ") + (rest > 0 ? ` +${number(rest)}` : "");
}
