import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useRef } from "preact/hooks";

import { csvRow } from "../../../../../lib/base/csv.ts";
import type { Category } from "../../../../../lib/model/category.ts";
import { Button } from "../../../components/button.tsx";
import { Card } from "../../../components/card.tsx";
import { download } from "../../../components/download.ts";
import { Icon } from "../../../components/icon.tsx";
import { Notice, Refusal } from "../../../components/notice.tsx";
import { importingWords, type ImportingWords } from "../../../words/importing-words.ts";
import type { FileFault } from "./stage.ts";

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
