import { SECOND_MS, type Clock } from "../../base/clock.ts";
import { done, refused, type Result } from "../../base/result.ts";
import { nextTurn } from "../../base/steps.ts";
import { actorIn, system } from "../../model/actor.ts";
import type { Photos } from "../../photos/photos.ts";
import type { ImportedAnimal, ReadAnimal } from "../animal.ts";
import { pictureAddress, pictureInData, type FetchPicture } from "../pictures.ts";
import type { Cell, Table } from "../table.ts";
import { MAX_NAMED_PHOTOS, noPhotos, type PhotoProgress } from "./model.ts";
import { batchDone, recordStep } from "./records.ts";
import type { Work } from "./work.ts";

/** The time that a picture may take to arrive. */
const FETCH_MS = 20 * SECOND_MS;
/** A host that failed so often in a row is not asked any more. */
const MOST_FAILURES = 5;
/** How often a picture is offered again while others wait to be decoded. */
const MOST_TRIES = 30;
const MAX_SHOWN = 100;

/** Adds the pictures that the rows name to the animals of the file that had no photos before. */
export async function addPhotos(
  work: Work,
  table: Table,
  readRow: (line: number, cells: readonly Cell[]) => ReadAnimal,
): Promise<void> {
  const { store, photos, fetchPicture, clock } = work.context;
  const { row } = work;
  const catalogue = await store.catalogues.byId(row.catalogueId);
  if (photos === undefined || catalogue === undefined) return;
  const adding = photos.as(actorIn(work.details.actor) ?? system);
  const failures = new Map<string, number>();
  let progress = work.details.photos ?? noPhotos;
  let [read, batch] = [0, 0];
  let record = await batchDone(store, row, batch);
  for await (const rows of table.rows()) {
    for (const found of rows) {
      read++;
      while (record !== undefined && read > record.through) {
        record = await batchDone(store, row, ++batch);
      }
      if (record === undefined) return;
      // Read in any case: a reader remembers the keys of earlier rows.
      const animal = "cells" in found ? readRow(found.line, found.cells) : undefined;
      const petId = record.pictured.find(([at]) => at === read)?.[1];
      const finished = read < progress.row;
      if (petId === undefined || finished || animal === undefined || !("animal" in animal))
        continue;
      const of = { accountId: row.accountId, environment: catalogue.environment, petId };
      progress = await ofAnimal(work, {
        animal: animal.animal,
        progress: { ...progress, row: read, next: progress.row === read ? progress.next : 0 },
        add: (picture) => offered(adding, of, picture, clock),
        fetch: (url) => fetched(fetchPicture, url, failures, clock),
      });
      const [profile] = await store.profiles.of(row.catalogueId, [petId]);
      const version = profile?.version ?? 0;
      // Refused if an earlier attempt has written it.
      await work.commit([recordStep(row, photosStep(petId), clock.now(), () => version)]);
      await work.save("running", { photos: progress });
      await nextTurn();
    }
  }
}

/** The name of the step that adds the photos of an animal; its record is the version of the profile after it. */
export function photosStep(petId: number): string {
  return `photos ${petId}`;
}

interface Pictured {
  readonly animal: ImportedAnimal;
  readonly progress: PhotoProgress;
  readonly add: (picture: Uint8Array) => Promise<Result<unknown, string>>;
  readonly fetch: (url: URL) => Promise<Result<Uint8Array, string>>;
}

/** Adds the pictures of an animal one by one. What fails is named, and does not stop the others. */
async function ofAnimal(
  work: Work,
  { animal, add, fetch, ...rest }: Pictured,
): Promise<PhotoProgress> {
  let { progress } = rest;
  for (const [index, text] of animal.photos.entries()) {
    if (index < progress.next) continue;
    const url = pictureAddress(text);
    const picture = url === undefined ? pictureInData(text) : await fetch(url);
    const added = picture.ok ? await add(picture.value) : picture;
    const named = added.ok ? [] : [faultOf(animal, text, added.failure)];
    progress = {
      ...progress,
      next: index + 1,
      added: progress.added + (added.ok ? 1 : 0),
      failed: progress.failed + (added.ok ? 0 : 1),
      named: [...progress.named, ...named].slice(0, MAX_NAMED_PHOTOS),
    };
    await work.note({ photos: progress });
  }
  return progress;
}

function faultOf(
  { line, name }: ImportedAnimal,
  photo: string,
  reason: string,
): PhotoProgress["named"][number] {
  const shown = photo.length > MAX_SHOWN ? `${photo.slice(0, MAX_SHOWN)}…` : photo;
  return { line, name, photo: shown, reason };
}

async function offered(
  photos: Photos,
  of: Parameters<Photos["add"]>[0],
  picture: Uint8Array,
  clock: Clock,
): Promise<Result<unknown, string>> {
  for (let attempt = 1; ; attempt++) {
    const added = await photos.add(of, { picture });
    if (added.ok) return added;
    const { code, message } = added.failure;
    if (code !== "unavailable" || attempt === MOST_TRIES) return refused(message);
    await clock.sleep(SECOND_MS);
  }
}

async function fetched(
  fetchPicture: FetchPicture | undefined,
  url: URL,
  failures: Map<string, number>,
  clock: Clock,
): Promise<Result<Uint8Array, string>> {
  if (fetchPicture === undefined) return refused("this server fetches no pictures");
  const { host } = url;
  const failed = failures.get(host) ?? 0;
  if (failed >= MOST_FAILURES) return refused(`${host} has not answered before`);
  const [late, over] = [new AbortController(), new AbortController()];
  // Rejects if `over` is aborted, because the picture has arrived.
  clock.sleep(FETCH_MS, over.signal).then(
    () => late.abort(),
    () => undefined,
  );
  const picture = await fetchPicture(url, late.signal).finally(() => over.abort());
  failures.set(host, picture.ok ? 0 : failed + 1);
  return picture.ok ? done(picture.value) : picture;
}
