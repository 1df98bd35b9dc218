import type { JSX } from "preact";

import type { Category } from "../../../../../lib/catalogue/model.ts";
import type { Environment } from "../../../../../lib/model/account.ts";
import type { ImportRequest } from "../../../../../lib/import/choices-schema.ts";
import type { ImportView } from "../../../../../lib/import/job/shapes.ts";
import type { ShownFault, ShownPlan } from "../../../../../lib/import/plan-shown.ts";
import { Button, ButtonLink } from "../../../components/button.tsx";
import { Notice, Refusal } from "../../../components/feedback.tsx";
import { CheckField } from "../../../components/field.tsx";
import { Badge } from "../../../components/indicators.tsx";
import { Card } from "../../../components/page.tsx";
import { Table } from "../../../components/table.tsx";
import { Instant } from "../../../components/time.tsx";
import { number } from "../../../words/format.ts";
import { animalsWords } from "../../../words/late.tsx";
import { importingWords } from "./words.ts";
import { words } from "../../../words/words.ts";
import { categoryName, toneOf } from "../catalogue.tsx";
import { MappingTable } from "./mapping.tsx";
import { Questions } from "./questions.tsx";

/** Shows what a file contains, asks what is not understood, and starts the import. */
export function PlannedImport({
  environment,
  categories,
  job,
  plan,
  request,
  onAnswer,
  onStart,
  onAnother,
}: {
  readonly environment: Environment;
  readonly categories: readonly Category[];
  readonly job: ImportView;
  readonly plan: ShownPlan;
  readonly request: ImportRequest;
  readonly onAnswer: (request: ImportRequest) => void;
  readonly onStart: () => void;
  readonly onAnother: () => void;
}): JSX.Element {
  const text = importingWords.words();
  const { common } = words();
  const { animals, faulty, updates, skipped, newCategories, presetTitle, missing } = plan;
  const faults = plan.faults.filter(({ code }) => code !== "unknown_value");
  const goodRows = request.goodRows === true;
  const sells = request.missing === "sold";
  return (
    <>
      <Card
        title={animals === 0 ? text.none : text.ready(animals)}
        actions={<span class="soft small">{text.fileLine(job.fileName, job.bytes)}</span>}
      >
        <p>
          {environment === "staging" && `${text.into(common.staging)}. `}
          {presetTitle !== undefined && `${text.recognized(presetTitle)} `}
          {plan.rows === 0 ? text.noRows : faulty === 0 ? text.allRight : text.faulty(faulty)}
        </p>
        {updates > 0 && <p>{text.updates(updates)}</p>}
        {skipped > 0 && <p>{text.skipped(skipped)}</p>}
        {newCategories.length > 0 && <p>{text.newCategories(newCategories.join(", "))}</p>}
        {faulty > 0 && animals > 0 && (
          <CheckField
            label={text.goodRows(faulty)}
            value={goodRows}
            onInput={(checked) => {
              onAnswer({ ...request, goodRows: checked });
            }}
          />
        )}
        {missing !== undefined && missing.count > 0 && (
          <>
            <p>
              {text.missing(
                missing.count,
                missing.first.map(({ name }) => name),
              )}
            </p>
            <CheckField
              label={text.missingSell(missing.count)}
              value={sells}
              onInput={(checked) => {
                onAnswer({ ...request, missing: checked ? "sold" : "leave", manyMissing: false });
              }}
            />
          </>
        )}
        <div class="row">
          <Button look="primary" disabled={!job.ready} onClick={onStart}>
            {animals === 0 && sells ? text.missingSell(missing?.count ?? 0) : text.start(animals)}
          </Button>
          <Button onClick={onAnother}>{text.another}</Button>
        </div>
      </Card>
      <Questions plan={plan} request={request} categories={categories} onAnswer={onAnswer} />
      <Faults faults={faults} />
      <MappingTable plan={plan} request={request} onAnswer={onAnswer} />
      <Preview plan={plan} categories={categories} />
    </>
  );
}

function Preview({
  plan: { first },
  categories,
}: {
  readonly plan: ShownPlan;
  readonly categories: readonly Category[];
}): JSX.Element | null {
  const text = importingWords.words();
  const animals = animalsWords.words();
  const { common } = words();
  if (first.length === 0) return null;
  return (
    <Card title={text.preview} bare>
      <Table
        label={text.preview}
        columns={[{ name: animals.name, cell: "lead" }, animals.category, animals.status]}
        rows={first.map(({ line, name, category, status }) => ({
          key: line,
          cells: [
            name,
            /^\d+$/.test(category) ? categoryName(categories, Number(category)) : category,
            <Badge key="status" tone={toneOf[status]}>
              {common.statuses[status]}
            </Badge>,
          ],
        }))}
      />
    </Card>
  );
}

function Faults({ faults }: { readonly faults: readonly ShownFault[] }): JSX.Element | null {
  const text = importingWords.words();
  if (faults.length === 0) return null;
  return (
    <Card title={text.faultsTitle} bare>
      <Table
        label={text.faultsTitle}
        columns={[text.fault, text.lineHeading, { name: text.rowsHeading, cell: "number" }]}
        rows={faults.map((fault, index) => ({
          key: index,
          cells: [
            text.faultOf(fault),
            fault.lines.map(number).join(", ") + (fault.count > fault.lines.length ? ", …" : ""),
            number(fault.count),
          ],
        }))}
      />
    </Card>
  );
}

/** Shows how an import ended, and takes it back on request. */
export function ImportEnded({
  job,
  onSites,
  animalsHref,
  onUndo,
  onAnother,
}: {
  readonly job: ImportView;
  /** Visitors see the animals. */
  readonly onSites: boolean;
  readonly animalsHref: string;
  readonly onUndo: () => void;
  readonly onAnother: () => void;
}): JSX.Element {
  const text = importingWords.words();
  const { state, counts, problem, photos, undoUntil, undo } = job;
  const { added, updated, same, skipped, faulty, sold } = counts;
  const complete = state === "finished";
  const changed = added + updated + sold + (photos?.added ?? 0) > 0;
  const title =
    state === "undone"
      ? text.undone(undo?.undone ?? 0)
      : complete
        ? text.done(added)
        : text.stopped(added);
  return (
    <>
      <Notice tone={complete && changed ? "good" : complete ? "plain" : "warn"} live="status">
        <h2>{title}</h2>
        {state !== "undone" && (
          <>
            {complete && onSites && changed && <p>{text.doneText}</p>}
            {updated > 0 && <p>{text.updated(updated)}</p>}
            {same > 0 && <p>{text.same(same)}</p>}
            {skipped > 0 && <p>{text.skipped(skipped)}</p>}
            {sold > 0 && <p>{text.sold(sold)}</p>}
            {faulty > 0 && <p>{text.leftOut(faulty)}</p>}
            {photos !== undefined && photos.added > 0 && <p>{text.photosAdded(photos.added)}</p>}
            {photos !== undefined && photos.failed > 0 && (
              <p>
                {text.photosFailed(
                  photos.failed,
                  photos.named.slice(0, 10).map(({ name }) => name),
                )}
              </p>
            )}
          </>
        )}
        {undo !== undefined && undo.kept > 0 && (
          <p>
            {text.kept(
              undo.kept,
              undo.named.slice(0, 10).map(({ name }) => name),
            )}
          </p>
        )}
        {undoUntil !== undefined && (
          <p>
            {text.undoUntil} <Instant at={undoUntil} />
          </p>
        )}
      </Notice>
      {problem !== undefined && <Refusal problem={{ ...problem, code: "unreadable_file" }} />}
      <div class="row">
        <ButtonLink look="primary" href={animalsHref}>
          {text.toAnimals}
        </ButtonLink>
        <Button onClick={onAnother}>{text.another}</Button>
        {undoUntil !== undefined && <Button onClick={onUndo}>{text.undo}</Button>}
      </div>
    </>
  );
}
