import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";

import { Button } from "../../../components/button.tsx";
import { TextField, bound } from "../../../components/field.tsx";
import { Icon } from "../../../components/icon.tsx";
import { Notice } from "../../../components/feedback.tsx";
import { RadioField } from "../../../components/choice.tsx";
import { deploysWords } from "../../../words/late.tsx";
import { words } from "../../../words/words.ts";
import type { Parcel } from "./parcel.ts";

/** As the service has it. */
const MAX_MESSAGE = 200;

/** More than that nobody reads. */
const MAX_NAMED = 8;

/** Shows what would be sent, and asks how. */
export function Review({
  parcel,
  onSend,
  onCancel,
}: {
  readonly parcel: Parcel;
  readonly onSend: (how: { readonly message: string; readonly activate: boolean }) => void;
  readonly onCancel: () => void;
}): JSX.Element {
  const { common } = words();
  const deploys = deploysWords.words();
  const message = useSignal("");
  const when = useSignal<"live" | "ready">("live");
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    form.current?.querySelector("input")?.focus();
  }, []);
  return (
    <form
      ref={form}
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        onSend({ message: message.value, activate: when.value === "live" });
      }}
    >
      <Contents parcel={parcel} />
      <TextField
        label={deploys.message}
        hint={deploys.messageHint}

        maxLength={MAX_MESSAGE}
        {...bound(message)}
      />
      <RadioField
        label={deploys.when}

        options={[
          { value: "live", label: deploys.activate, hint: deploys.activateHint },
          { value: "ready", label: deploys.onlyPreview },
        ]}
        {...bound(when)}
      />
      <div class="row">
        <Button type="submit" look="primary">
          {deploys.sendNow}
        </Button>
        <Button onClick={onCancel}>{common.cancel}</Button>
      </div>
    </form>
  );
}

function Contents({ parcel }: { readonly parcel: Parcel }): JSX.Element {
  const deploys = deploysWords.words();
  const size =
    parcel.kind === "archive"
      ? deploys.packedArchive(parcel.archive.size)
      : deploys.size(parcel.site.files.length, parcel.site.bytes);
  return (
    <div class="stack tight">
      <p class="row">
        <Icon name="projects" />
        <strong class="mono">{parcel.name}</strong>
        <span class="soft">{size}</span>
      </p>
      {parcel.kind === "files" && <LeftOut paths={parcel.site.leftOut} />}
      {parcel.kind === "files" && !parcel.site.hasIndex && (
        <Notice>
          <p>{deploys.noIndex}</p>
        </Notice>
      )}
    </div>
  );
}

function LeftOut({ paths }: { readonly paths: readonly string[] }): JSX.Element | null {
  const deploys = deploysWords.words();
  if (paths.length === 0) return null;
  const more = paths.length - MAX_NAMED;
  return (
    <p class="soft small">
      {deploys.leftOut(paths.length)}{" "}
      {paths.slice(0, MAX_NAMED).map((path, index) => (
        <span key={path}>
          {index > 0 && ", "}
          <code>{path}</code>
        </span>
      ))}
      {more > 0 && <> {deploys.andMore(more)}</>}
    </p>
  );
}

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
