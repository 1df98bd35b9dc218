import { useSignal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";

import type { ImportRow } from "../../../../../lib/catalogue/import.ts";
import { csvRow } from "../../../../../lib/base/csv.ts";
import type { ImportFault } from "../../../../../lib/catalogue/pet-import.ts";
import type { Environment } from "../../../../../lib/model/account.ts";
import { type Category, petDefaults, petStatuses } from "../../../../../lib/catalogue/model.ts";
import { kindOf, shownColumns, type ShownColumn } from "../../../../../lib/catalogue/pet-rows.ts";
import { Button, ButtonLink } from "../../../components/button.tsx";
import { download } from "../../../components/copy.tsx";
import { Notice, Refusal } from "../../../components/feedback.tsx";
import { CheckField } from "../../../components/field.tsx";
import { Badge } from "../../../components/indicators.tsx";
import { Card } from "../../../components/page.tsx";
import { Table } from "../../../components/table.tsx";
import { number } from "../../../words/format.ts";
import { animalsWords, importingWords } from "../../../words/late.tsx";
import { words } from "../../../words/words.ts";
import { categoryName, toneOf } from "../catalogue.tsx";
import { type ImportResult, isCertain } from "./import-file.ts";
import { faultText, type Sums } from "./report.ts";

/** The most categories listed by name. */
const NAMED = 6;

/** Shows what a checked file would add, and starts the import. */
export function CheckedFile({
  environment,
  categories,
  file,
  result: { report, ignored },
  onStart,
  onAnother,
}: {
  readonly environment: Environment;
  readonly categories: readonly Category[];
  readonly file: File;
  readonly result: ImportResult;
  readonly onStart: (create: readonly string[]) => void;
  readonly onAnother: () => void;
}): JSX.Element {
  const text = importingWords.words();
  const { common } = words();
  const creating = useSignal(true);
  const names = [...report.missing.keys()];
  const create = creating.value ? names : [];
  const count = report.valid + (creating.value ? report.waiting : 0);
  const skipped = report.invalid + (creating.value ? 0 : report.waiting);
  const sums = report.sums[creating.value ? "withWaiting" : "valid"];
  const { sold } = sums.byStatus;
  return (
    <>
      <Card
        title={count === 0 ? text.none : text.ready(count)}
        actions={<span class="soft small">{text.fileLine(file.name, file.size)}</span>}
      >
        <p>
          {text.into(common[environment])}.{" "}
          {skipped === 0 ? text.allRight : `${text.faulty(skipped)}.`}
        </p>
        {count > 0 && (
          <dl class="terms">
            <div>
              <dt>{text.byStatus}</dt>
              <dd>
                {petStatuses
                  .filter((status) => sums.byStatus[status] > 0)
                  .map((status) => `${common.statuses[status]} ${number(sums.byStatus[status])}`)
                  .join(" · ")}
              </dd>
            </div>
            <div>
              <dt>{text.byCategory}</dt>
              <dd>{categoriesIn(sums, categories)}</dd>
            </div>
          </dl>
        )}
        {sold > 0 && <p class="soft">{text.soldNote(sold)}</p>}
        {ignored.length > 0 && (
          <Notice tone="warn">
            <p>{text.ignored(ignored)}</p>
          </Notice>
        )}
        {names.length > 0 && (
          <Notice>
            <p>
              <strong>{text.createTitle(names.length)}</strong>
            </p>
            <CheckField
              label={text.createText(named(names), report.waiting)}
              value={creating.value}
              onInput={(checked) => (creating.value = checked)}
            />
          </Notice>
        )}
        <div class="row">
          <Button look="primary" disabled={count === 0} onClick={() => onStart(create)}>
            {text.start(count)}
          </Button>
          <Button onClick={onAnother}>{text.another}</Button>
        </div>
      </Card>
      <Preview
        rows={report.samples[creating.value ? "withWaiting" : "valid"]}
        categories={categories}
      />
      <Faults
        faults={creating.value ? report.faults.lasting : report.faults.all}
        count={skipped}
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

/** Shows the result of an import, and continues one that stopped. */
export function ImportEnded({
  result: { end, report },
  added,
  onSites,
  categories,
  animalsHref,
  onContinue,
  onAnother,
}: {
  readonly result: ImportResult;
  /** Number of animals added from the file, by all attempts. */
  readonly added: number;
  /** Visitors see the animals. */
  readonly onSites: boolean;
  readonly categories: readonly Category[];
  readonly animalsHref: string;
  readonly onContinue: (fromLine: number) => void;
  readonly onAnother: () => void;
}): JSX.Element {
  const text = importingWords.words();
  const complete = end.kind === "done";
  const from = end.kind === "stopped" || end.kind === "cancelled" ? end.from : undefined;
  return (
    <>
      <Notice tone={complete ? (added > 0 ? "good" : "plain") : "warn"} live="status">
        <h2>{complete ? text.done(added) : text.stopped(added)}</h2>
        {complete && onSites && added > 0 && <p>{text.doneText}</p>}
        {complete && end.failed > 0 && <p>{text.leftOut(end.failed)}</p>}
        {end.kind === "stopped" && !isCertain(end) ? (
          <p>{text.unsure(end.from, end.to)}</p>
        ) : (
          from !== undefined && <p>{text.stoppedText(from)}</p>
        )}
      </Notice>
      {end.kind === "stopped" && <Refusal problem={end.problem} />}
      <div class="row">
        {from !== undefined && (
          <Button look="primary" onClick={() => onContinue(from)}>
            {text.goOn(from)}
          </Button>
        )}
        <ButtonLink look={complete ? "primary" : undefined} href={animalsHref}>
          {text.toAnimals}
        </ButtonLink>
        <Button onClick={onAnother}>{text.another}</Button>
      </div>
      <Faults faults={report.faults.all} count={end.failed} categories={categories} />
    </>
  );
}

/** Some rows as the service reads them, which reveals mixed-up columns. */
function Preview({
  rows,
  categories,
}: {
  readonly rows: readonly ImportRow[];
  readonly categories: readonly Category[];
}): JSX.Element | null {
  const animals = animalsWords.words();
  const { common } = words();
  if (rows.length === 0) return null;
  const columns = shownColumns.filter(
    (column) => kindOf(column) !== "optional" || rows.some((row) => column in row),
  );
  const cellOf = (row: ImportRow, column: ShownColumn): ComponentChildren => {
    if (column === "category") {
      const { category, categoryId } = row;
      return typeof category === "string" ? category : categoryName(categories, Number(categoryId));
    }
    if (column !== "status") return column in row ? String(row[column]) : "";
    const status = petStatuses.find((one) => one === row.status) ?? petDefaults.status;
    return <Badge tone={toneOf[status]}>{common.statuses[status]}</Badge>;
  };
  return (
    <Card title={importingWords.words().preview} bare>
      <Table
        label={importingWords.words().preview}
        columns={columns.map((column) =>
          column === "name" ? { name: animals.name, cell: "lead" } : animals[column],
        )}
        rows={rows.map((row, index) => ({
          key: index,
          cells: columns.map((column) => cellOf(row, column)),
        }))}
      />
    </Card>
  );
}

/** The most faults shown; the downloaded list has more. */
const SHOWN = 50;

/** The skipped rows and their faults. */
function Faults({
  faults,
  count,
  categories,
}: {
  readonly faults: readonly ImportFault[];
  /** May exceed the number of recorded faults. */
  readonly count: number;
  readonly categories: readonly Category[];
}): JSX.Element | null {
  const text = importingWords.words();
  if (count === 0) return null;
  const save = (): void => {
    const rows = faults.map((one) => csvRow([one.line, faultText(one, text, categories)]));
    download("import-faults.csv", "text/csv", ["\uFEFF", csvRow([text.line, text.fault]), ...rows]);
  };
  return (
    <Card
      title={text.faultsTitle}
      bare
      actions={
        <Button small onClick={save}>
          {text.downloadFaults}
        </Button>
      }
    >
      <Table
        label={text.faultsTitle}
        columns={[{ name: text.line, cell: "number" }, text.fault]}
        rows={faults.slice(0, SHOWN).map((one) => ({
          key: one.line,
          cells: [number(one.line), faultText(one, text, categories)],
        }))}
      />
      {count > SHOWN && (
        <footer class="soft small">
          {text.moreFaults(count - Math.min(SHOWN, faults.length))}
        </footer>
      )}
    </Card>
  );
}
