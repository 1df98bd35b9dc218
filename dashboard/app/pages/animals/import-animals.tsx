import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";

import { csvRow } from "../../../../lib/base/csv.ts";
import type { Account } from "../../../../lib/model/account.ts";
import type { Category } from "../../../../lib/catalogue/model.ts";
import type { ImportView } from "../../../../lib/import/job/shapes.ts";
import { call } from "../../api.ts";
import { Button } from "../../components/button.tsx";
import { download } from "../../components/copy.tsx";
import { Loaded, Notice, Refusal } from "../../components/feedback.tsx";
import { Progress } from "../../components/indicators.tsx";
import { Card } from "../../components/page.tsx";
import { Table } from "../../components/table.tsx";
import { Instant } from "../../components/time.tsx";
import { DropZone } from "../../components/upload.tsx";
import { inAccount } from "../../state/in-account.tsx";
import { mayChange } from "../../state/me.ts";
import { inEnvironment, useEnvironment } from "../../state/query.ts";
import { useResource } from "../../state/resource.ts";
import type { ImportingWords } from "../../words/en/importing.ts";
import { bytes } from "../../words/format.ts";
import { animalsWords } from "../../words/late.tsx";
import { importingWords } from "./import/words.ts";
import { problemText } from "../../words/words.ts";
import { AnimalSection, inCatalogue, useCategories, type Where } from "./catalogue.tsx";
import { ImportEnded, PlannedImport } from "./import/steps.tsx";
import { useImport } from "./import/use-import.ts";

/** Imports animals from a file: uploads it, asks what is not understood, and lets the server import it. */
export const ImportAnimals = inAccount(animalsWords.within(importingWords.within(ImportView)));

function ImportView({ account }: { readonly account: Account }): JSX.Element {
  const environment = useEnvironment();
  const where = { account, environment };
  const categories = useCategories(where);
  const text = importingWords.words();
  return (
    <AnimalSection account={account} title={text.title} about={text.about}>
      {mayChange.value ? (
        <Loaded resource={categories}>
          {(known) => (
            <Steps
              key={environment}
              where={where}
              categories={known}
              onEnded={() => void categories.reload()}
            />
          )}
        </Loaded>
      ) : (
        <Notice>
          <p>{text.viewerText}</p>
        </Notice>
      )}
    </AnimalSection>
  );
}

function Steps({
  where,
  categories,
  onEnded,
}: {
  readonly where: Where;
  readonly categories: readonly Category[];
  readonly onEnded: () => void;
}): JSX.Element {
  const { stage, request, problem, open, choose, answer, start, cancel, undo, restart } = useImport(
    where,
    onEnded,
  );
  const place = useRef<HTMLDivElement>(null);
  const step = stage.at === "working" ? stage.job.state : stage.at;
  const shown = useRef(step);
  useEffect(() => {
    if (shown.current === step) return;
    shown.current = step;
    // The focused button is gone with its step.
    place.current?.focus();
  }, [step]);

  const { account, environment } = where;
  const text = importingWords.words();
  const view = (): JSX.Element => {
    switch (stage.at) {
      case "choosing":
        return (
          <>
            <Refusal problem={stage.problem} />
            <Choose categories={categories} onChoose={choose} />
            <RecentImports where={where} onOpen={open} />
          </>
        );
      case "sending": {
        const { file, sent } = stage;
        return (
          <Card>
            <Progress label={text.sending(file.name)} done={sent} total={file.size}>
              {bytes(sent)}
            </Progress>
            <div class="row">
              <Button onClick={restart}>{text.stop}</Button>
            </div>
          </Card>
        );
      }
      case "working": {
        const { state, percent, secondsLeft } = stage.job;
        const label = state === "running" || state === "undoing" ? state : "reading";
        return (
          <Card>
            <Progress label={text.working[label]} done={percent} total={100}>
              {text.percent(percent, secondsLeft)}
            </Progress>
            {state === "running" && <p class="soft">{text.keepsGoing}</p>}
            {state !== "undoing" && (
              <div class="row">
                <Button onClick={state === "running" ? cancel : restart}>{text.cancel}</Button>
              </div>
            )}
          </Card>
        );
      }
      case "unreadable": {
        const { message } = stage.problem;
        return (
          <>
            <Notice tone="bad" live="alert">
              <h2>{text.unreadable}</h2>
              {problemText(stage.problem) !== message && <p>{problemText(stage.problem)}</p>}
              <p>{message.replace(" with --encoding windows-1252", "")}</p>
            </Notice>
            <div class="row">
              {message.includes("Windows-1252") && (
                <Button
                  look="primary"
                  onClick={() => {
                    answer({ ...request, encoding: "windows-1252" });
                  }}
                >
                  {text.asWindows}
                </Button>
              )}
              <Button onClick={restart}>{text.another}</Button>
            </div>
          </>
        );
      }
      case "asking":
        return (
          <PlannedImport
            environment={environment}
            categories={categories}
            job={stage.job}
            plan={stage.plan}
            request={request}
            onAnswer={answer}
            onStart={start}
            onAnother={restart}
          />
        );
      case "ended":
        return (
          <ImportEnded
            job={stage.job}
            onSites={environment === "production"}
            animalsHref={`/accounts/${account.id}/animals${inEnvironment(environment)}`}
            onUndo={undo}
            onAnother={restart}
          />
        );
    }
  };
  return (
    <div ref={place} class="stack wide quiet-focus" tabIndex={-1}>
      <Refusal problem={problem} />
      {view()}
    </div>
  );
}

const ACCEPT = ".csv,.tsv,.txt,.xlsx,.json,.ndjson,.jsonl,.gz,.zip,text/csv,application/json";

/** Takes a table, an archive with photos, or both. */
function Choose({
  categories,
  onChoose,
}: {
  readonly categories: readonly Category[];
  readonly onChoose: (files: readonly File[]) => void;
}): JSX.Element {
  const text = importingWords.words();
  return (
    <>
      <DropZone
        label={text.drop}
        labelOver={text.dropNow}
        hint={text.dropHint}
        choices={[{ label: text.choose, accept: ACCEPT, multiple: true }]}
        onDrop={(data) => {
          onChoose([...data.files]);
        }}
        onChoose={onChoose}
      />
      <Card
        title={text.columnsTitle}
        actions={
          <Button small onClick={() => downloadTemplate(categories, text)}>
            {text.template}
          </Button>
        }
      >
        <p>{text.columnsText}</p>
      </Card>
    </>
  );
}

/** Lists the imports that are under way, and those that can be undone. */
function RecentImports({
  where,
  onOpen,
}: {
  readonly where: Where;
  readonly onOpen: (job: ImportView) => void;
}): JSX.Element | null {
  const { recent, working } = importingWords.words();
  const imports = useResource("", () =>
    call("GET /accounts/:account/:environment/imports", inCatalogue(where)),
  );
  const shown = (imports.value ?? []).filter(
    ({ state, undoUntil }) => state === "running" || state === "undoing" || undoUntil !== undefined,
  );
  if (shown.length === 0) return null;
  const result = ({ state, counts: { added, updated, sold } }: ImportView): string => {
    if (state === "running" || state === "undoing") return working[state];
    return updated + sold === 0
      ? recent.added(added)
      : `${recent.added(added)}, ${recent.changed(updated + sold)}`;
  };
  return (
    <Card title={recent.title} bare>
      <Table
        label={recent.title}
        columns={[
          { name: recent.file, cell: "lead" },
          recent.begun,
          recent.result,
          { name: recent.action, cell: "end" },
        ]}
        rows={shown.map((job) => ({
          key: job.id,
          cells: [
            job.fileName,
            <Instant key="begun" at={job.startedAt ?? job.createdAt} />,
            result(job),
            <Button key="show" small label={recent.show(job.fileName)} onClick={() => onOpen(job)}>
              {recent.action}
            </Button>,
          ],
        }))}
      />
    </Card>
  );
}

/** Saves a file that can be imported unchanged, with the catalogue's own categories. */
function downloadTemplate(categories: readonly Category[], text: ImportingWords): void {
  const statuses = ["available", "pending", "available"];
  const rows = text.templateNames.map((name, index) =>
    csvRow([
      name,
      categories[index % Math.max(1, categories.length)]?.name ?? "Dogs",
      statuses[index] ?? "available",
    ]),
  );
  // Spreadsheets recognize UTF-8 by the byte order mark.
  download("animals.csv", "text/csv", ["\uFEFF", csvRow(["name", "category", "status"]), ...rows]);
}
