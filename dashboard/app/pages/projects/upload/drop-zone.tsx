import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useRef } from "preact/hooks";

import { Button } from "../../../components/button.tsx";
import { Icon } from "../../../components/icon.tsx";
import { deploysWords } from "../../../words/deploys-words.ts";

/** Takes folders, archives and files: dropped, or chosen with the keyboard. */
export function DropZone({
  onDrop,
  onChoose,
}: {
  readonly onDrop: (entries: readonly FileSystemEntry[]) => void;
  readonly onChoose: (files: readonly File[]) => void;
}): JSX.Element {
  const deploys = deploysWords.words();
  const over = useSignal(false);
  const folder = useRef<HTMLInputElement>(null);
  const archive = useRef<HTMLInputElement>(null);
  const chosen = (input: HTMLInputElement): void => {
    const files = Array.from(input.files ?? []);
    // So that the same may be chosen again.
    input.value = "";
    if (files.length > 0) onChoose(files);
  };
  return (
    <div
      class={over.value ? "drop-zone over" : "drop-zone"}
      onDragOver={(event) => {
        event.preventDefault();
        over.value = true;
      }}
      onDragLeave={(event) => {
        // Into a part of it is not out of it.
        over.value = isWithin(event.currentTarget, event.relatedTarget);
      }}
      onDrop={(event) => {
        event.preventDefault();
        over.value = false;
        // Only now: once this returns, the browser takes them back.
        const entries = Array.from(event.dataTransfer?.items ?? [], (item) =>
          item.webkitGetAsEntry(),
        ).filter((entry) => entry !== null);
        if (entries.length > 0) onDrop(entries);
      }}
    >
      <Icon name="upload" />
      <p>
        <strong>{over.value ? deploys.dropNow : deploys.drop}</strong>
      </p>
      <p class="soft small">{deploys.dropHint}</p>
      <div class="row">
        <Button onClick={() => folder.current?.click()}>{deploys.chooseFolder}</Button>
        <Button onClick={() => archive.current?.click()}>{deploys.chooseArchive}</Button>
      </div>
      <input
        ref={folder}
        type="file"
        hidden
        aria-label={deploys.chooseFolder}
        {...{ webkitdirectory: true }}
        onChange={(event) => {
          chosen(event.currentTarget);
        }}
      />
      <input
        ref={archive}
        type="file"
        hidden
        aria-label={deploys.chooseArchive}
        accept=".zip,.tgz,.gz,application/gzip,application/zip"
        onChange={(event) => {
          chosen(event.currentTarget);
        }}
      />
    </div>
  );
}

function isWithin(zone: HTMLElement, target: EventTarget | null): boolean {
  return target instanceof Node && zone.contains(target);
}
