import { SECOND_MS, type Clock } from "../../base/clock.ts";
import type { Problem } from "../../base/problem.ts";
import { done, refused, type Result } from "../../base/result.ts";
import { nextTurn } from "../../base/steps.ts";
import type { NewPicture, Photos } from "../../photos/photos.ts";
import type { ImportedAnimal, ReadAnimal } from "../animal.ts";
import type { ArchivedPicture, PhotoArchive } from "../photo-archive.ts";
import { isFileName, type PhotoFiles } from "../photo-files.ts";
import { pictureAddress, pictureInData, type FetchPicture } from "../pictures.ts";
import type { Cell, Table } from "../table.ts";
import { actorOf, MAX_NAMED_PHOTOS, noPhotos, type PhotoProgress } from "./model.ts";
import { batchDone, recordStep } from "./records.ts";
import type { Work } from "./work.ts";

/** The time that a picture may take to arrive. */
const FETCH_MS = 20 * SECOND_MS;
/** A host that has failed so often in a row is not asked any more. */
const MOST_FAILURES = 5;
/** Nor is a host that has sent so many files in a row that are no pictures, or of formats that are refused. */
const MOST_JUNK = 50;
/** Once so many pictures in a row have found no room, no others are fetched. */
const MOST_WITHOUT_ROOM = 5;
/** How often a picture is offered again while others wait to be decoded. */
const MOST_TRIES = 30;
const MAX_SHOWN = 100;

/** Where the pictures of an import are. */
interface PictureSources {
  readonly table: Table;
  /** Absent: the rows have addresses and data only. */
  readonly archive: PhotoArchive | undefined;
  readonly files: PhotoFiles | undefined;
  readonly readRow: (line: number, cells: readonly Cell[]) => ReadAnimal;
  /** An earlier attempt may have added some of them. */
  readonly continued: boolean;
}

/** Adds the pictures that the rows name to the animals of the file that had no photos before. */
export async function addPhotos(
  work: Work,
  { table, archive, files, readRow, continued }: PictureSources,
): Promise<void> {
  const { store, photos, fetchPicture, clock } = work.context;
  const { row } = work;
  const catalogue = await store.catalogues.byId(row.catalogueId);
  if (photos === undefined || catalogue === undefined) return;
  const adding = photos.as(actorOf(work.details));
  const fetching = fetchingFrom(fetchPicture, clock);
  const find = async (text: string): Promise<Result<FoundPicture, string>> => {
    if (archive?.has(text) === true) return archive.read(text);
    if (!isFileName(text)) return fetching.find(text);
    return refused(files?.faultOf(text) ?? "no archive with this file was uploaded");
  };
  const add = bounded(adding, find, { clock, once: continued, onAdded: fetching.note });
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
        add: (text) => add(of, text),
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
  readonly add: (text: string) => Promise<Result<unknown, string>>;
}

/** Adds the pictures of an animal one by one. What fails is named, and does not stop the others. */
async function ofAnimal(work: Work, { animal, add, ...rest }: Pictured): Promise<PhotoProgress> {
  let { progress } = rest;
  for (const [index, text] of animal.photos.entries()) {
    if (index < progress.next) continue;
    const added = await add(text);
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

type OfAnimal = Parameters<Photos["add"]>[0];
/** A picture, and what is known about it. */
type FoundPicture = Pick<ArchivedPicture, "alt" | "focus"> & { readonly picture: Uint8Array };
type Find = (text: string) => Promise<Result<FoundPicture, string>>;

/** Returns the function that finds a picture and adds it. It stops once the account has no room. */
function bounded(
  photos: Photos,
  find: Find,
  {
    clock,
    once,
    onAdded,
  }: {
    readonly clock: Clock;
    /** Adds no picture that the animal has already. */
    readonly once: boolean;
    readonly onAdded: (text: string, refusal: string | undefined) => void;
  },
): (of: OfAnimal, text: string) => Promise<Result<unknown, string>> {
  let withoutRoom = 0;
  return async (of, text) => {
    if (withoutRoom >= MOST_WITHOUT_ROOM) return refused("the account has no room for it");
    const found = await find(text);
    if (!found.ok) return found;
    const added = await offered(photos, of, { ...found.value, once }, clock);
    const code = added.ok ? undefined : added.failure.code;
    withoutRoom = code === NO_ROOM ? withoutRoom + 1 : 0;
    onAdded(text, code);
    return added.ok ? added : refused(added.failure.message);
  };
}

/** Finds pictures by address, and in data. */
interface Fetching {
  readonly find: Find;
  /** Notes why the picture of an address became no photo. */
  readonly note: (text: string, refusal: string | undefined) => void;
}

/** Stops fetching where this leads to no photos: a file may name millions of addresses. */
function fetchingFrom(fetchPicture: FetchPicture | undefined, clock: Clock): Fetching {
  const failures = new Map<string, number>();
  const junk = new Map<string, number>();
  return {
    find: async (text) => {
      const url = pictureAddress(text);
      if (url === undefined) {
        const data = pictureInData(text);
        return data.ok ? done({ picture: data.value }) : data;
      }
      const { host } = url;
      const [failed, useless] = [failures.get(host) ?? 0, junk.get(host) ?? 0];
      if (failed >= MOST_FAILURES) {
        return refused(`${host} has failed ${MOST_FAILURES} times before`);
      }
      if (useless >= MOST_JUNK) {
        return refused(`${host} has sent ${MOST_JUNK} files before that cannot be used`);
      }
      const picture = await fetched(fetchPicture, url, clock);
      failures.set(host, picture.ok ? 0 : failed + 1);
      return picture.ok ? done({ picture: picture.value }) : picture;
    },
    note: (text, refusal) => {
      const host = pictureAddress(text)?.host;
      if (host === undefined) return;
      const useless = refusal !== undefined && JUNK.has(refusal);
      junk.set(host, useless ? (junk.get(host) ?? 0) + 1 : 0);
    },
  };
}

/** The codes of a file that is no picture, or of a format that is refused. */
const JUNK: ReadonlySet<string> = new Set(["invalid_picture", "unsupported_media_type"]);
/** The code of a picture that finds no room. None is too large by itself: that is checked before it is offered. */
const NO_ROOM = "payload_too_large";

async function offered(
  photos: Photos,
  of: OfAnimal,
  picture: NewPicture,
  clock: Clock,
): Promise<Result<unknown, Problem>> {
  for (let attempt = 1; ; attempt++) {
    const added = await photos.add(of, picture);
    if (added.ok || added.failure.code !== "unavailable" || attempt === MOST_TRIES) return added;
    await clock.sleep(SECOND_MS);
  }
}

async function fetched(
  fetchPicture: FetchPicture | undefined,
  url: URL,
  clock: Clock,
): Promise<Result<Uint8Array, string>> {
  if (fetchPicture === undefined) return refused("this server fetches no pictures");
  const [late, over] = [new AbortController(), new AbortController()];
  // Rejects if `over` is aborted, because the picture has arrived.
  clock.sleep(FETCH_MS, over.signal).then(
    () => late.abort(),
    () => undefined,
  );
  return fetchPicture(url, late.signal).finally(() => over.abort());
}
