import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";

import { MAX_PHOTOS } from "../../../../../lib/catalogue/model-profile.ts";
import type { PhotoShown } from "../../../../../lib/catalogue/profile-schema.ts";
import { API, at, call } from "../../../api.ts";
import { Button } from "../../../components/button.tsx";
import { undoBy } from "../../../components/form.tsx";
import { Notice } from "../../../components/feedback.tsx";
import { Icon } from "../../../components/icon.tsx";
import { Badge, Progress } from "../../../components/indicators.tsx";
import { Card } from "../../../components/page.tsx";
import { toast } from "../../../components/toasts.tsx";
import { useUnsaved } from "../../../components/unsaved.ts";
import { DropZone } from "../../../components/upload.tsx";
import { mayChange } from "../../../state/me.ts";
import { animalWords } from "../../../words/late.tsx";
import { inDetail, words } from "../../../words/words.ts";
import { inCatalogue, type Where } from "../catalogue.tsx";
import { PhotoDialog, sizeFor } from "./photo-dialog.tsx";
import {
  ACCEPT,
  createUploads,
  sendPicture,
  type Uploads,
  type UploadState,
} from "./photo-uploads.ts";

/** The width of a picture in the list, on a screen with two pixels for each. */
const SHOWN_WIDTH = 400;

/** The photos of an animal: added, ordered, described and removed, each change at once. */
export function Photos({
  where,
  petId,
  photos: saved,
  onPhotos,
}: {
  readonly where: Where;
  readonly petId: number;
  /** As the service has them. */
  readonly photos: readonly PhotoShown[];
  /** Changes the photos that are shown, as the service did. */
  readonly onPhotos: (revise: (photos: readonly PhotoShown[]) => readonly PhotoShown[]) => void;
}): JSX.Element {
  const { photos: text } = animalWords.words();
  const edited = useSignal<number | undefined>(undefined);
  const said = useSignal("");
  const uploads = useMemo(
    () =>
      createUploads(where, petId, (photo, made) => {
        onPhotos((all) => (all.some(({ id }) => id === photo.id) ? all : [...all, photo]));
        said.value = text.added(made);
      }),
    [petId],
  );
  useEffect(() => uploads.stop, [uploads]);
  useUnsaved(uploads.state.value.some(({ fault }) => fault === undefined));
  /** The order that the user chose, while the service does not have it yet. */
  const moved = useSignal<readonly number[] | undefined>(undefined);
  const photos = inOrder(saved, moved.value ?? []);
  const count = photos.length;
  const add = (files: readonly File[]): void => uploads.add(files, MAX_PHOTOS - count);
  const pet = { ...inCatalogue(where), pet: String(petId) };

  const order = async (ids: readonly number[]): Promise<void> => {
    moved.value = ids;
    const ordered = await call("PATCH /accounts/:account/:environment/pets/:pet/photos", {
      ...pet,
      body: { order: ids },
    });
    // Photos may have been added, changed and removed since the service answered.
    if (ordered.ok) onPhotos((all) => inOrder(all, idsOf(ordered.value)));
    else toast(inDetail(ordered.failure));
    // Later moves are shown already.
    if (moved.peek() === ids) moved.value = undefined;
  };
  const move = (from: number, to: number): void => {
    const ids = [...idsOf(inOrder(saved, moved.peek() ?? []))];
    const [id] = ids.splice(from, 1);
    if (id === undefined || to < 0 || to > ids.length || to === from) return;
    ids.splice(to, 0, id);
    said.value = text.moved(to + 1, ids.length);
    void order(ids);
  };
  const remove = async (photo: PhotoShown, index: number): Promise<void> => {
    // To add it again if the user takes the removal back: the service keeps nothing of it.
    const copy = await pictureOf(photo);
    const one = { ...pet, photo: String(photo.id) };
    const path = "/accounts/:account/:environment/pets/:pet/photos/:photo";
    const removed = await call(`DELETE ${path}`, one);
    if (!removed.ok) {
      toast(inDetail(removed.failure));
      return;
    }
    onPhotos((all) => all.filter(({ id }) => id !== photo.id));
    const address = `${API}${at`/accounts/${where.account.id}/${where.environment}/pets/${String(petId)}/photos`}`;
    const restore =
      copy &&
      undoBy(async () => {
        const again = await sendPicture(address, copy, new AbortController().signal);
        if (!again.ok) return again;
        const { alt = null, focus = null } = photo;
        const changed = await call(`PATCH ${path}`, {
          ...one,
          photo: String(again.value.id),
          body: { alt, focus, position: index + 1 },
        });
        if (changed.ok) {
          const added = changed.value;
          onPhotos((all) => all.filter(({ id }) => id !== added.id).toSpliced(index, 0, added));
        }
        return changed;
      });
    toast(text.removed, restore);
  };

  const shown = photos.find(({ id }) => id === edited.value);
  return (
    <Card
      title={text.title}
      actions={<span class="soft small">{text.count(count, MAX_PHOTOS)}</span>}
    >
      <p class="out-of-sight" role="status">
        {said.value}
      </p>
      {count === 0 && !mayChange.value && <p class="soft">{text.none}</p>}
      {count > 0 && (
        <PhotoList
          photos={photos}
          onEdit={(id) => (edited.value = id)}
          onMove={move}
          onRemove={(photo, index) => void remove(photo, index)}
        />
      )}
      {uploads.state.value.length > 0 && (
        <ul class="stack tight">
          {uploads.state.value.map((upload) => (
            <Upload key={upload.id} upload={upload} uploads={uploads} />
          ))}
        </ul>
      )}
      {mayChange.value &&
        (count < MAX_PHOTOS ? (
          <DropZone
            label={isTouched() ? text.add : text.drop}
            labelOver={text.dropNow}
            hint={text.hint}
            choices={[
              ...(isTouched() ? [{ label: text.camera, accept: ACCEPT, camera: true }] : []),
              { label: text.choose, accept: ACCEPT, multiple: true },
            ]}
            onDrop={(data) => add([...data.files])}
            onChoose={add}
          />
        ) : (
          <p class="soft">{text.full}</p>
        ))}
      {shown !== undefined && (
        <PhotoDialog
          where={where}
          petId={petId}
          photo={shown}
          position={photos.indexOf(shown) + 1}
          onSaved={(changed) => {
            onPhotos((all) => all.map((one) => (one.id === changed.id ? changed : one)));
          }}
          onClose={() => (edited.value = undefined)}
        />
      )}
    </Card>
  );
}

function idsOf(photos: readonly PhotoShown[]): readonly number[] {
  return photos.map(({ id }) => id);
}

/** Returns the photos in the order of these ids, with those that are not among them last. */
function inOrder(photos: readonly PhotoShown[], ids: readonly number[]): readonly PhotoShown[] {
  const known = ids.flatMap((id) => photos.find((photo) => photo.id === id) ?? []);
  return [...known, ...photos.filter(({ id }) => !ids.includes(id))];
}

/** A phone or a tablet, where a file dialog can open the camera, and nothing can be dropped. */
function isTouched(): boolean {
  return matchMedia("(pointer: coarse)").matches;
}

/** Reads the largest size of a photo; undefined if it cannot be loaded. */
async function pictureOf(photo: PhotoShown): Promise<Blob | undefined> {
  try {
    const answer = await fetch(sizeFor(photo, Infinity));
    return answer.ok ? await answer.blob() : undefined;
  } catch {
    return undefined;
  }
}

function PhotoList({
  photos,
  onEdit,
  onMove,
  onRemove,
}: {
  readonly photos: readonly PhotoShown[];
  readonly onEdit: (id: number) => void;
  readonly onMove: (from: number, to: number) => void;
  readonly onRemove: (photo: PhotoShown, index: number) => void;
}): JSX.Element {
  const { photos: text } = animalWords.words();
  const dragged = useRef<number | undefined>(undefined);
  const over = useSignal<number | undefined>(undefined);
  const may = mayChange.value;
  return (
    <ol class="photos">
      {photos.map((photo, index) => {
        const { id, alt, focus = { x: 50, y: 50 } } = photo;
        const position = index + 1;
        return (
          <li
            key={id}
            draggable={may}
            class={over.value === index ? "over" : ""}
            onDragStart={(event) => {
              dragged.current = index;
              event.dataTransfer?.setData("text/plain", String(id));
            }}
            onDragEnd={() => {
              dragged.current = undefined;
              over.value = undefined;
            }}
            onDragOver={(event) => {
              // Files belong to the drop zone.
              if (dragged.current === undefined) return;
              event.preventDefault();
              over.value = index;
            }}
            onDrop={(event) => {
              if (dragged.current === undefined) return;
              event.preventDefault();
              onMove(dragged.current, index);
            }}
          >
            <img
              src={sizeFor(photo, SHOWN_WIDTH)}
              alt={alt ?? ""}
              loading="lazy"
              draggable={false}
              style={{ objectPosition: `${focus.x}% ${focus.y}%` }}
            />
            {index === 0 && <Badge tone="accent">{text.main}</Badge>}
            <p class={alt === undefined ? "small soft" : "small"}>{alt ?? text.noAlt}</p>
            {may && (
              <div class="row">
                <button
                  type="button"
                  class="icon-button"
                  aria-label={text.earlier(position)}
                  title={text.earlier(position)}
                  aria-disabled={index === 0}
                  onClick={() => onMove(index, index - 1)}
                >
                  <Icon name="earlier" />
                </button>
                <button
                  type="button"
                  class="icon-button"
                  aria-label={text.later(position)}
                  title={text.later(position)}
                  aria-disabled={position === photos.length}
                  onClick={() => onMove(index, index + 1)}
                >
                  <Icon name="later" />
                </button>
                <button
                  type="button"
                  class="icon-button"
                  aria-label={text.editOne(position)}
                  title={text.editOne(position)}
                  onClick={() => onEdit(id)}
                >
                  <Icon name="edit" />
                </button>
                <button
                  type="button"
                  class="icon-button"
                  aria-label={text.removeOne(position)}
                  title={text.removeOne(position)}
                  onClick={() => onRemove(photo, index)}
                >
                  <Icon name="trash" />
                </button>
              </div>
            )}
          </li>
        );
      })}
    </ol>
  );
}

/** Why a picture did not become a photo, and what the service says about it. */
export function FaultText({
  fault,
}: {
  readonly fault: NonNullable<UploadState["fault"]>;
}): JSX.Element {
  const { photos: text } = animalWords.words();
  if (typeof fault === "string") return <p>{text.faults[fault]}</p>;
  const refused: Readonly<Record<string, string>> = text.refused;
  return (
    <>
      <p>{refused[fault.code] ?? inDetail(fault)}</p>
      <p class="soft small" lang="en">
        {fault.message}
      </p>
    </>
  );
}

/** A picture on its way, or why it did not become a photo. */
function Upload({
  upload: { id, file, sent, fault },
  uploads,
}: {
  readonly upload: UploadState;
  readonly uploads: Uploads;
}): JSX.Element {
  const { photos: text } = animalWords.words();
  const { common } = words();
  if (fault === undefined) {
    return (
      <li>
        <Progress
          label={sent < 1 ? text.sending(file.name) : text.making(file.name)}
          {...(sent < 1 ? { done: sent, total: 1 } : {})}
        />
      </li>
    );
  }
  return (
    <li>
      <Notice tone="bad" live="alert">
        <p>
          <strong>{file.name}</strong>
        </p>
        <FaultText fault={fault} />
        <p class="row">
          {typeof fault !== "string" && (
            <Button small onClick={() => uploads.retry(id)}>
              {common.retry}
            </Button>
          )}
          <Button small look="quiet" onClick={() => uploads.dismiss(id)}>
            {text.dismiss}
          </Button>
        </p>
      </Notice>
    </li>
  );
}
