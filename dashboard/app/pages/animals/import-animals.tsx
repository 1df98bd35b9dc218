import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";

import { csvRow } from "../../../../lib/base/csv.ts";
import type { Account } from "../../../../lib/model/account.ts";
import type { Category } from "../../../../lib/catalogue/model.ts";
import { shownColumns, type ShownColumn } from "../../../../lib/catalogue/pet-rows.ts";
import { Button } from "../../components/button.tsx";
import { download } from "../../components/copy.tsx";
import { Loaded, Notice, Refusal } from "../../components/feedback.tsx";
import { Progress } from "../../components/indicators.tsx";
import { Card } from "../../components/page.tsx";
import { DropZone } from "../../components/upload.tsx";
import { inAccount } from "../../state/in-account.tsx";
import { mayChange } from "../../state/me.ts";
import { inEnvironment, useEnvironment } from "../../state/query.ts";
import type { ImportingWords } from "../../words/en/importing.ts";
import { animalsWords, importingWords } from "../../words/late.tsx";
import { AnimalSection, useCategories } from "./catalogue.tsx";
import { CheckedFile, ImportEnded } from "./import/result.tsx";
import { type FileFault, type ImportOptions, useImport } from "./import/use-import.ts";

/** Imports animals from a file: checks it, shows its faults by line, then adds the valid rows. */
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
              onCreated={() => void categories.reload()}
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

function Steps(props: ImportOptions): JSX.Element {
  const { stage, choose, add, stop, restart } = useImport(props);
  const place = useRef<HTMLDivElement>(null);
  const shown = useRef(stage.at);
  useEffect(() => {
    if (shown.current === stage.at) return;
    shown.current = stage.at;
    // The focused button is gone with its step.
    place.current?.focus();
  }, [stage.at]);

  const { where, categories } = props;
  const { account, environment } = where;
  const text = importingWords.words();
  const view = (): JSX.Element => {
    switch (stage.at) {
      case "choosing":
        return <Choose categories={categories} fault={stage.fault} onChoose={choose} />;
      case "checking":
      case "adding":
        return (
          <Card>
            <Progress
              label={stage.at === "adding" ? text.adding : text.checking(stage.file.name)}
              done={stage.progress.bytes}
              total={stage.file.size}
            >
              {text.soFar(stage.progress.rows)}
            </Progress>
            <div class="row">
              <Button onClick={stop}>{text.cancel}</Button>
            </div>
          </Card>
        );
      case "checked":
        return (
          <CheckedFile
            environment={environment}
            categories={categories}
            file={stage.file}
            result={stage.result}
            onStart={(create) => add(stage, { create })}
            onAnother={restart}
          />
        );
      case "ended": {
        const { result, create } = stage;
        const added = stage.before + result.end.added;
        return (
          <ImportEnded
            result={result}
            added={added}
            onSites={environment === "production"}
            categories={categories}
            animalsHref={`/accounts/${account.id}/animals${inEnvironment(environment)}`}
            onContinue={(fromLine) => add(stage, { create, fromLine, before: added })}
            onAnother={restart}
          />
        );
      }
    }
  };
  return (
    <div ref={place} class="stack wide quiet-focus" tabIndex={-1}>
      {view()}
    </div>
  );
}

const ACCEPT = ".csv,.tsv,.txt,.ndjson,.jsonl,text/csv,application/x-ndjson";

/** Takes a file and describes its format. */
function Choose({
  categories,
  fault,
  onChoose,
}: {
  readonly categories: readonly Category[];
  readonly fault: FileFault | undefined;
  readonly onChoose: (file: File) => void;
}): JSX.Element {
  const text = importingWords.words();
  const animals = animalsWords.words();
  const explained = [
    ...shownColumns.map((column) => [column, text.columns[column] ?? animals[column]] as const),
    ["id", text.columns.id] as const,
  ];
  return (
    <>
      {fault?.code === "refused" && <Refusal problem={fault.problem} />}
      {fault !== undefined && fault.code !== "refused" && (
        <Notice tone="bad" live="alert">
          <p>{fileFaultText(fault, text)}</p>
        </Notice>
      )}
      <DropZone
        label={text.drop}
        labelOver={text.dropNow}
        hint={text.dropHint}
        choices={[{ label: text.choose, accept: ACCEPT }]}
        onDrop={(data) => {
          const [file] = data.files;
          if (file !== undefined) onChoose(file);
        }}
        onChoose={([file]) => {
          if (file !== undefined) onChoose(file);
        }}
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
        <dl class="terms">
          {explained.map(([column, meaning]) => (
            <div key={column}>
              <dt class="mono">{column}</dt>
              <dd>{meaning}</dd>
            </div>
          ))}
        </dl>
      </Card>
    </>
  );
}

function fileFaultText(
  fault: Exclude<FileFault, { readonly code: "refused" }>,
  text: ImportingWords,
): string {
  switch (fault.code) {
    case "workbook":
      return text.spreadsheet;
    case "unreadable":
      return text.unreadable;
    case "too_large":
      return text.tooLarge(fault.bytes);
    case "header":
      return text.header(fault.header);
  }
}

/** Saves a file that can be imported unchanged, with the catalogue's own categories. */
function downloadTemplate(categories: readonly Category[], text: ImportingWords): void {
  const statuses = ["available", "pending", "available"];
  const rows = text.templateNames.map((name, index) => {
    const values: Readonly<Partial<Record<ShownColumn, string>>> = {
      name,
      category: categories[index % Math.max(1, categories.length)]?.name ?? "Dogs",
      status: statuses[index] ?? "available",
    };
    return csvRow(shownColumns.map((column) => values[column] ?? ""));
  });
  // Spreadsheets recognize UTF-8 by the byte order mark.
  download("animals.csv", "text/csv", ["\uFEFF", csvRow(shownColumns), ...rows]);
}
