import { useSignal } from "@preact/signals";
import type { JSX } from "preact";

import type { ImportRow } from "../../../../../lib/actions/local-client.ts";
import { csvRow } from "../../../../../lib/base/csv.ts";
import type { ImportFault } from "../../../../../lib/management/pet-import.ts";
import type { IgnoredColumn } from "../../../../../lib/management/pet-rows.ts";
import type { Environment } from "../../../../../lib/model/account.ts";
import type { Category } from "../../../../../lib/model/category.ts";
import { petStatuses } from "../../../../../lib/model/pet.ts";
import { Badge } from "../../../components/indicators.tsx";
import { Button, ButtonLink } from "../../../components/button.tsx";
import { Card } from "../../../components/page.tsx";
import { download } from "../../../components/copy.tsx";
import { CheckField } from "../../../components/field.tsx";
import { Notice, Refusal } from "../../../components/feedback.tsx";
import { Table } from "../../../components/table.tsx";
import { number } from "../../../words/format.ts";
import { importingWords } from "../../../words/late.tsx";
import { words } from "../../../words/words.ts";
import { categoryName, toneOf } from "../catalogue.tsx";
import { isCertain, type Seen } from "./read-file.ts";
import { faultText, type Report, type Sums } from "./report.ts";

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
              value={creating.value}
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

/** What came of an import, and how to go on where it did not come to its end. */
export function Ended({
  seen: { end, report },
  added,
  onSites,
  categories,
  animalsHref,
  onGoOn,
  onAnother,
}: {
  readonly seen: Seen;
  /** Of the whole file, attempts before this one included. */
  readonly added: number;
  /** Visitors see them. */
  readonly onSites: boolean;
  readonly categories: readonly Category[];
  readonly animalsHref: string;
  readonly onGoOn: (fromLine: number) => void;
  readonly onAnother: () => void;
}): JSX.Element {
  const said = importingWords.words();
  const whole = end.kind === "done";
  const from = end.kind === "stopped" || end.kind === "cancelled" ? end.from : undefined;
  return (
    <>
      <Notice tone={whole ? (added > 0 ? "good" : "plain") : "warn"} live="status">
        <h2>{whole ? said.done(added) : said.stopped(added)}</h2>
        {whole && onSites && added > 0 && <p>{said.doneText}</p>}
        {whole && end.failed > 0 && <p>{said.leftOut(end.failed)}</p>}
        {end.kind === "stopped" && !isCertain(end) ? (
          <p>{said.unsure(end.from, end.to)}</p>
        ) : (
          from !== undefined && <p>{said.stoppedText(from)}</p>
        )}
      </Notice>
      {end.kind === "stopped" && <Refusal problem={end.problem} />}
      <div class="row">
        {from !== undefined && (
          <Button look="primary" onClick={() => onGoOn(from)}>
            {said.goOn(from)}
          </Button>
        )}
        <ButtonLink {...(whole ? { look: "primary" } : {})} href={animalsHref}>
          {said.toAnimals}
        </ButtonLink>
        <Button onClick={onAnother}>{said.another}</Button>
      </div>
      <Faults faults={report.faults.all} count={end.failed} categories={categories} />
    </>
  );
}

/** The first animals as they were understood, so that a mixed-up column shows. */
function First({
  rows,
  categories,
}: {
  readonly rows: readonly ImportRow[];
  readonly categories: readonly Category[];
}): JSX.Element | null {
  const { animals, common } = words();
  if (rows.length === 0) return null;
  return (
    <Card title={importingWords.words().preview} bare>
      <Table
        label={importingWords.words().preview}
        columns={[animals.name, animals.category, animals.status]}
      >
        {rows.map(({ name, category, categoryId, status }, index) => {
          const known = petStatuses.find((one) => one === status) ?? "available";
          return (
            <tr key={index}>
              <td class="lead">{String(name)}</td>
              <td data-label={animals.category}>
                {typeof category === "string"
                  ? category
                  : categoryName(categories, Number(categoryId))}
              </td>
              <td data-label={animals.status}>
                <Badge tone={toneOf[known]}>{common.statuses[known]}</Badge>
              </td>
            </tr>
          );
        })}
      </Table>
    </Card>
  );
}

/** As many as are read on a screen; the list has more. */
const SHOWN = 50;

/** Which rows are left out, and why. */
function Faults({
  faults,
  count,
  categories,
}: {
  readonly faults: readonly ImportFault[];
  /** Of all of them: not every one is remembered. */
  readonly count: number;
  readonly categories: readonly Category[];
}): JSX.Element | null {
  const said = importingWords.words();
  if (count === 0) return null;
  const save = (): void => {
    const rows = faults.map((one) => csvRow([one.line, faultText(one, said, categories)]));
    download("import-faults.csv", "text/csv", ["\uFEFF", csvRow([said.line, said.fault]), ...rows]);
  };
  return (
    <Card
      title={said.faultsTitle}
      bare
      actions={
        <Button small onClick={save}>
          {said.downloadFaults}
        </Button>
      }
    >
      <div class="table-wrap">
        <table class="table">
          <thead>
            <tr>
              <th scope="col" class="number">
                {said.line}
              </th>
              <th scope="col">{said.fault}</th>
            </tr>
          </thead>
          <tbody>
            {faults.slice(0, SHOWN).map((one) => (
              <tr key={one.line}>
                <td class="number">{number(one.line)}</td>
                <td>{faultText(one, said, categories)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {count > SHOWN && (
        <footer class="soft small">
          {said.moreFaults(count - Math.min(SHOWN, faults.length))}
        </footer>
      )}
    </Card>
  );
}
