import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";

import { Button } from "../../../components/button.tsx";
import { RadioField } from "../../../components/choice.tsx";
import { Notice } from "../../../components/feedback.tsx";
import { bound, TextField } from "../../../components/field.tsx";
import { Icon } from "../../../components/icon.tsx";
import { DropZone } from "../../../components/upload.tsx";
import { deploysWords } from "../deploys-words.ts";
import { words } from "../../../words/words.ts";
import type { Parcel } from "./parcel.ts";

/** The service's limit. */
const MAX_MESSAGE = 200;

/** The most skipped paths named. */
const MAX_NAMED = 8;

/** Shows the upload and asks for its message and when to publish it. */
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

const ARCHIVES = ".zip,.tgz,.gz,application/gzip,application/zip";

/** Takes a directory, an archive or files. */
export function SiteDropZone({
  onDrop,
  onChoose,
}: {
  readonly onDrop: (entries: readonly FileSystemEntry[]) => void;
  readonly onChoose: (files: readonly File[]) => void;
}): JSX.Element {
  const text = deploysWords.words();
  return (
    <DropZone
      label={text.drop}
      labelOver={text.dropNow}
      hint={text.dropHint}
      choices={[{ label: text.chooseFolder }, { label: text.chooseArchive, accept: ARCHIVES }]}
      onDrop={({ items }) => {
        const entries = Array.from(items, (item) => item.webkitGetAsEntry()).filter(
          (entry) => entry !== null,
        );
        if (entries.length > 0) onDrop(entries);
      }}
      onChoose={onChoose}
    />
  );
}
