import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";

import { csvRow } from "../../../../lib/base/csv.ts";
import type { Account } from "../../../../lib/model/account.ts";
import type { Category } from "../../../../lib/model/category.ts";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/page.tsx";
import { download } from "../../components/copy.tsx";
import { Icon } from "../../components/icon.tsx";
import { Loaded, Notice, Refusal } from "../../components/feedback.tsx";
import { Progress } from "../../components/indicators.tsx";
import { inEnvironment, useEnvironment } from "../../state/query.ts";
import { inAccount } from "../../state/in-account.tsx";
import { mayChange } from "../../state/me.ts";
import type { ImportingWords } from "../../words/en/importing.ts";
import { importingWords } from "../../words/late.tsx";
import { AnimalSection, useCategories, type Where } from "./catalogue.tsx";
import { Ended, Looked } from "./import/outcome.tsx";
import { type FileFault, useImport } from "./import/use-import.ts";

/** Takes animals from a file: looks at it first, says what is wrong by its lines, then adds what is right. */
export const ImportAnimals = inAccount(importingWords.within(ImportView));

function ImportView({ account }: { readonly account: Account }): JSX.Element {
  const environment = useEnvironment();
  const where = { account, environment };
  const categories = useCategories(where);
  const said = importingWords.words();
  return (
    <AnimalSection account={account} title={said.title} about={said.about}>
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
          <p>{said.viewerText}</p>
        </Notice>
      )}
    </AnimalSection>
  );
}

/** What an import shows at each of its steps. */
export function Steps(props: {
  readonly where: Where;
  readonly categories: readonly Category[];
  /** Categories were added. */
  readonly onCreated: () => void;
}): JSX.Element {
  const { stage, choose, add, stop, restart } = useImport(props);
  const place = useRef<HTMLDivElement>(null);
  const shown = useRef(stage.at);
  useEffect(() => {
    if (shown.current === stage.at) return;
    shown.current = stage.at;
    // The button that was pressed is gone: the keyboard goes on here.
    place.current?.focus();
  }, [stage.at]);

  const { where, categories } = props;
  const { account, environment } = where;
  const said = importingWords.words();
  const view = (): JSX.Element => {
    switch (stage.at) {
      case "choosing":
        return <Choose categories={categories} fault={stage.fault} onChoose={choose} />;
      case "looking":
      case "adding":
        return (
          <Card>
            <Progress
              label={stage.at === "adding" ? said.adding : said.checking(stage.file.name)}
              done={stage.progress.bytes}
              total={stage.file.size}
            >
              {said.soFar(stage.progress.rows)}
            </Progress>
            <div class="row">
              <Button onClick={stop}>{said.cancel}</Button>
            </div>
          </Card>
        );
      case "looked":
        return (
          <Looked
            environment={environment}
            categories={categories}
            file={stage.file}
            report={stage.seen.report}
            ignored={stage.seen.ignored}
            onStart={(create) => add(stage, { create })}
            onAnother={restart}
          />
        );
      case "ended": {
        const { seen, create } = stage;
        const added = stage.before + seen.end.added;
        return (
          <Ended
            seen={seen}
            added={added}
            onSites={environment === "production"}
            categories={categories}
            animalsHref={`/accounts/${account.id}/animals${inEnvironment(environment)}`}
            onGoOn={(fromLine) => add(stage, { create, fromLine, before: added })}
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

/** Takes a file, dropped or chosen, and tells what it should be like. */
export function Choose({
  categories,
  fault,
  onChoose,
}: {
  readonly categories: readonly Category[];
  readonly fault: FileFault | undefined;
  readonly onChoose: (file: File) => void;
}): JSX.Element {
  const said = importingWords.words();
  const over = useSignal(false);
  const input = useRef<HTMLInputElement>(null);
  const take = (files: FileList | null | undefined): void => {
    const file = files?.[0];
    if (file !== undefined) onChoose(file);
  };
  return (
    <>
      {fault?.code === "refused" && <Refusal problem={fault.problem} />}
      {fault !== undefined && fault.code !== "refused" && (
        <Notice tone="bad" live="alert">
          <p>{fileFaultText(fault, said)}</p>
        </Notice>
      )}
      <div
        class={over.value ? "drop-zone over" : "drop-zone"}
        onDragOver={(event) => {
          event.preventDefault();
          over.value = true;
        }}
        onDragLeave={() => (over.value = false)}
        onDrop={(event) => {
          event.preventDefault();
          over.value = false;
          take(event.dataTransfer?.files);
        }}
      >
        <Icon name="upload" />
        <p>
          <strong>{over.value ? said.dropNow : said.drop}</strong>
        </p>
        <p class="soft small">{said.dropHint}</p>
        <div class="row">
          <Button onClick={() => input.current?.click()}>{said.choose}</Button>
        </div>
        <input
          ref={input}
          type="file"
          hidden
          aria-label={said.choose}
          accept=".csv,.tsv,.txt,.ndjson,.jsonl,text/csv,application/x-ndjson"
          onChange={({ currentTarget }) => {
            take(currentTarget.files);
            // So that the same may be chosen again.
            currentTarget.value = "";
          }}
        />
      </div>
      <Card
        title={said.columnsTitle}
        actions={
          <Button small onClick={() => downloadTemplate(categories, said)}>
            {said.template}
          </Button>
        }
      >
        <p>{said.columnsText}</p>
        <dl class="terms">
          {said.columns.map(([name, text]) => (
            <div key={name}>
              <dt class="mono">{name}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      </Card>
    </>
  );
}

function fileFaultText(
  fault: Exclude<FileFault, { readonly code: "refused" }>,
  said: ImportingWords,
): string {
  switch (fault.code) {
    case "workbook":
      return said.spreadsheet;
    case "empty":
      return said.empty;
    case "unreadable":
      return said.unreadable;
    case "too_large":
      return said.tooLarge(fault.bytes);
    case "header":
      return said.header(fault.header);
  }
}

/** A file that can be imported as it is: with the categories that there are. */
function downloadTemplate(categories: readonly Category[], said: ImportingWords): void {
  const statuses = ["available", "pending", "available"];
  const rows = said.templateNames.map((name, index) =>
    csvRow([
      name,
      categories[index % Math.max(1, categories.length)]?.name ?? "Dogs",
      statuses[index] ?? "available",
    ]),
  );
  // Spreadsheets take a file for UTF-8 by its first character.
  download("animals.csv", "text/csv", ["\uFEFF", csvRow(["name", "category", "status"]), ...rows]);
}
