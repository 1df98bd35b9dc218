import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";

import { done, type Result } from "../../../../lib/base/result.ts";
import type { Pet } from "../../../../lib/catalogue/model.ts";
import { API, at, call, type Problem } from "../../api.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Refusal } from "../../components/feedback.tsx";
import { useAttempt } from "../../components/form.tsx";
import { Progress } from "../../components/indicators.tsx";
import { useUnsaved } from "../../components/unsaved.ts";
import { DropZone } from "../../components/upload.tsx";
import { number } from "../../words/format.ts";
import { animalsWords, animalWords } from "../../words/late.tsx";
import { words } from "../../words/words.ts";
import { FaultText } from "./animal/photos.tsx";
import { ACCEPT, sendPicture, unfitOf, type UploadState } from "./animal/photo-uploads.ts";
import { inCatalogue, type Where } from "./catalogue.tsx";
import { patiently } from "./patiently.ts";
import { type Owner, ownerOf, readName, stemOf } from "./photo-names.ts";

/** The most pictures of one turn. */
const MOST = 200;
/** The most animals whose names contain that of a picture. */
const MOST_CALLED = 200;

interface Picture {
  readonly file: File;
  readonly owner: Owner;
  readonly fault?: UploadState["fault"];
}

/** Adds photos to several animals, which the names of the files name. */
export const AddPhotos = animalWords.within(ForSeveral);

function ForSeveral({
  where,
  onClose,
}: {
  readonly where: Where;
  readonly onClose: () => void;
}): JSX.Element {
  const text = animalsWords.words().photosOf;
  const { photos } = animalWords.words();
  const { common } = words();
  const pictures = useSignal<readonly Picture[] | undefined>(undefined);
  const sent = useSignal<{ readonly count: number; readonly of: number } | undefined>(undefined);
  const beyond = useSignal(0);
  const added = useSignal<number | undefined>(undefined);
  const control = useRef(new AbortController()).current;
  useEffect(() => () => control.abort(), []);
  const { busy, problem, run } = useAttempt();
  useUnsaved(sent.value !== undefined);

  const choose = (files: readonly File[]): void => {
    beyond.value = Math.max(0, files.length - MOST);
    void run(
      () => withOwners(where, files.slice(0, MOST), control.signal),
      (found) => (pictures.value = found),
    );
  };
  const ready = (pictures.value ?? []).filter(isReady);
  const send = async (): Promise<void> => {
    let count = 0;
    for (const [index, { file, owner }] of ready.entries()) {
      sent.value = { count: index, of: ready.length };
      const address = `${API}${at`/accounts/${where.account.id}/${where.environment}/pets/${String(owner.id)}/photos`}`;
      const result = await sendPicture(address, file, control.signal);
      if (control.signal.aborted) return;
      if (result.ok) count++;
      else mark(file, result.failure);
    }
    added.value = count;
    sent.value = undefined;
  };
  const mark = (file: File, fault: Problem): void => {
    pictures.value = pictures.peek()?.map((one) => (one.file === file ? { ...one, fault } : one));
  };
  const left = (pictures.value ?? []).filter((one) => !isReady(one));
  const may = ready.length > 0 && added.value === undefined;
  return (
    <Dialog
      title={text.title}
      wide
      busy={sent.value !== undefined}
      {...(may && { action: text.action(ready.length), onSubmit: () => void send() })}
      onClose={onClose}
    >
      <p class="soft">{text.text}</p>
      {pictures.value === undefined && (
        <DropZone
          label={photos.drop}
          labelOver={photos.dropNow}
          hint={text.hint(MOST)}
          choices={[{ label: photos.choose, accept: ACCEPT, multiple: true }]}
          onDrop={(data) => choose([...data.files])}
          onChoose={choose}
        />
      )}
      {busy && <Progress label={text.looking} />}
      <Refusal problem={problem} />
      {added.value !== undefined && <p role="status">{photos.added(added.value)}</p>}
      {sent.value !== undefined && (
        <Progress label={text.sending} done={sent.value.count} total={sent.value.of}>
          {text.progress(sent.value.count, sent.value.of)}
        </Progress>
      )}
      {may && (
        <ul class="stack tight">
          {animalsOf(ready).map(({ pet, files }) => (
            <li key={pet.id}>
              <strong>{pet.name}</strong> <span class="soft">{number(pet.id)}</span>
              <br />
              <span class="soft small">{files.join(", ")}</span>
            </li>
          ))}
        </ul>
      )}
      {beyond.value > 0 && <p>{text.beyond(beyond.value)}</p>}
      {left.length > 0 && (
        <>
          <p>{text.left(left.length)}</p>
          <ul class="stack tight">
            {left.map(({ file, owner, fault }) => (
              <li key={file.name}>
                <span class="mono">{file.name}</span>
                {fault === undefined ? (
                  <p class="soft small">{owner === "several" ? text.several : text.none}</p>
                ) : (
                  <FaultText fault={fault} />
                )}
              </li>
            ))}
          </ul>
        </>
      )}
      {!may && (
        <div class="actions">
          <Button onClick={onClose}>{common.close}</Button>
        </div>
      )}
    </Dialog>
  );
}

interface Ready extends Picture {
  readonly owner: Pet;
}

function isReady(picture: Picture): picture is Ready {
  return picture.fault === undefined && typeof picture.owner === "object";
}

/** Returns the animals that get pictures, with the names of their files. */
function animalsOf(
  pictures: readonly Ready[],
): readonly { readonly pet: Pet; readonly files: readonly string[] }[] {
  const animals = new Map<number, { readonly pet: Pet; readonly files: string[] }>();
  for (const { owner, file } of pictures) {
    const known = animals.get(owner.id) ?? { pet: owner, files: [] };
    known.files.push(file.name);
    animals.set(owner.id, known);
  }
  return [...animals.values()];
}

/** Finds the animal of each picture, in the order of the names of the files, which is that of the photos. */
async function withOwners(
  where: Where,
  files: readonly File[],
  signal: AbortSignal,
): Promise<Result<readonly Picture[], Problem>> {
  const { compare } = new Intl.Collator("en", { numeric: true });
  const sorted = files.toSorted((one, other) => compare(stemOf(one.name), stemOf(other.name)));
  const known = new Map<string, readonly Pet[]>();
  const find = async (key: string, query: { readonly name?: string; readonly id?: number }) => {
    const before = known.get(key);
    if (before !== undefined) return done(before);
    const found = await patiently(signal, () => load(where, query));
    if (found.ok) known.set(key, found.value);
    return found;
  };
  const pictures: Picture[] = [];
  for (const file of sorted) {
    const fault = unfitOf(file);
    const named = readName(file.name);
    const pets: Pet[] = [];
    for (const name of named.names) {
      const found = await find(`name ${name}`, { name });
      if (!found.ok) return found;
      pets.push(...found.value);
    }
    const { number: id } = named;
    if (id !== undefined) {
      const found = await find(`id ${id}`, { id });
      if (!found.ok) return found;
      pets.push(...found.value);
    }
    const owner = ownerOf(named, [...new Map(pets.map((pet) => [pet.id, pet])).values()]);
    pictures.push({ file, owner, ...(fault === undefined ? {} : { fault }) });
  }
  return done(pictures);
}

async function load(
  where: Where,
  { name, id }: { readonly name?: string; readonly id?: number },
): Promise<Result<readonly Pet[], Problem>> {
  const catalogue = inCatalogue(where);
  if (id === undefined) {
    const query = { name: name?.slice(0, 120), limit: MOST_CALLED };
    return call("GET /accounts/:account/:environment/pets", { ...catalogue, query });
  }
  // A list of one or none: a request for an animal that does not exist would show as an error in the console.
  return call("GET /accounts/:account/:environment/pets", {
    ...catalogue,
    query: { after: id + 1, order: "newest", limit: 1 },
  });
}
