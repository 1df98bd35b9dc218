import { DAY_MS, HOUR_MS } from "../../base/clock.ts";
import type { Problem } from "../../base/problem.ts";
import type { StoredPet } from "../../catalogue/model.ts";
import type { Profile } from "../../catalogue/model-profile.ts";
import { withoutUndefined } from "../../base/without-undefined.ts";
import { actorIn, actorText, originIn, originText, system, type Actor } from "../../model/actor.ts";
import type { ImportRequest } from "../choices-schema.ts";
import type { ShownPlan } from "../plan-shown.ts";
import type { TableFacts } from "../table.ts";

/** What an import does, or is waiting for. */
export const importStates = [
  "reading",
  "waiting",
  "running",
  "finished",
  "cancelled",
  "failed",
  "undoing",
  "undone",
] as const;
/** What an import does, or is waiting for. */
export type ImportState = (typeof importStates)[number];

/** The states in which the server works on an import. */
export const workingStates: readonly ImportState[] = ["reading", "running", "undoing"];
/**
 * Returns the files of an import in a state: none once it has ended. An undo reads the records of the import, and files with
 * personal data are not kept longer than they are needed.
 */
export function filesIn(
  state: ImportState,
  { file, photosFile, spoolBytes }: ImportFiles,
): ImportFiles {
  return openStates.includes(state) ? { file, photosFile, spoolBytes } : { file: undefined };
}

/** The files of an import. */
export type ImportFiles = Pick<StoredImport, "file" | "photosFile" | "spoolBytes">;

/** The states of an import that has not ended. */
export const openStates: readonly ImportState[] = ["reading", "waiting", "running"];

/** The states after which an import can be undone. */
export const undoableStates: readonly ImportState[] = ["finished", "cancelled", "failed"];

/** How long an import can be undone after it ended. */
export const UNDO_MS: number = 48 * HOUR_MS;
/** How long what a batch did is kept: longer than an import takes, and an undo is possible. */
export const RECORDS_KEPT_MS: number = 4 * DAY_MS;
/** How long an import is listed after it was last touched. */
export const KEPT_MS: number = 30 * DAY_MS;
/** How long a file waits to be imported. */
export const WAITING_MS: number = 7 * DAY_MS;
/** The most imports of a catalogue that are not ended. */
export const MAX_OPEN = 10;
/** The most animals that an undo names because they were changed since. */
export const MAX_NAMED = 100;

/** The animals of an import by what became of them. */
export interface ImportCounts {
  readonly added: number;
  readonly updated: number;
  /** They were like that already. */
  readonly same: number;
  /** They look like animals that are there, and such rows were to be left out. */
  readonly skipped: number;
  /** The rows with faults, which were left out. */
  readonly faulty: number;
  /** The animals that the file no longer has, which were set to sold. */
  readonly sold: number;
}

/** How far the undo of an import has got. */
export interface UndoProgress {
  /** The animals that were removed or restored. */
  readonly undone: number;
  /** The animals that were changed since the import, and stay as they are. */
  readonly kept: number;
  readonly named: readonly { readonly id: number; readonly name: string }[];
}

/** What is known of an import, besides its place. Instants are in milliseconds since the Unix epoch. */
export interface ImportDetails {
  /** The name of the file; empty if it has none. */
  readonly fileName: string;
  /** The size of the file. */
  readonly bytes: number;
  /** The actor who makes the changes, as it is stored. */
  readonly actor: string;
  /** Where the actor began or undid the import, as it is stored. Older versions write none. */
  readonly origin?: string | undefined;
  readonly request: ImportRequest;
  readonly facts?: TableFacts;
  readonly plan?: ShownPlan;
  /** All questions are answered: the import can run. */
  readonly ready: boolean;
  /** Why the file cannot be read, or why the import failed. */
  readonly problem?: Problem;
  /** The date from which ages count back, the same in every attempt. */
  readonly today?: string;
  readonly startedAt?: number;
  readonly endedAt?: number;
  /** The rows that were read, of all of them. While the file is read first, of both passes. */
  readonly done: number;
  readonly rows: number;
  /** The batches that were recorded. */
  readonly batches: number;
  readonly counts: ImportCounts;
  /** The last animal that was there before the import. */
  readonly lastId?: number;
  /** The archive of photos beside the file. */
  readonly archive?: ArchiveDetails;
  readonly photos?: PhotoProgress;
  readonly undo?: UndoProgress;
}

/** An archive of photos. */
export interface ArchiveDetails {
  /** The name of its file; empty if it has none. */
  readonly fileName: string;
  readonly bytes: number;
}

/** How far the photos of an import have got. */
export interface PhotoProgress {
  readonly added: number;
  readonly failed: number;
  /** The first pictures that could not be read or fetched, at most 20. */
  readonly named: readonly {
    readonly line: number;
    readonly name: string;
    readonly photo: string;
    readonly reason: string;
  }[];
  /** The row whose pictures are added. */
  readonly row: number;
  /** The next one of its pictures, from 0. */
  readonly next: number;
}

/** The most pictures that an import names because they failed. */
export const MAX_NAMED_PHOTOS = 20;

/** The photos of an import that has added none. */
export const noPhotos: PhotoProgress = { added: 0, failed: 0, named: [], row: 0, next: 0 };

/** An import, as it is stored. Instants are in milliseconds since the Unix epoch. */
export interface StoredImport {
  readonly id: string;
  readonly accountId: string;
  readonly catalogueId: number;
  readonly state: ImportState;
  /** The blob with the file; undefined once it is not needed. */
  readonly file: string | undefined;
  /** The blob with an archive of photos beside the file; undefined without one, and once it is not needed. */
  readonly photosFile?: string | undefined;
  /** The bytes of both. */
  readonly spoolBytes?: number | undefined;
  readonly details: ImportDetails;
  readonly version: number;
  readonly createdAt: number;
  readonly touchedAt: number;
}

/** The details of an import whose file was just received. */
export function newDetails({
  fileName,
  bytes,
  actor,
  origin,
  request,
  archive,
}: Pick<
  ImportDetails,
  "fileName" | "bytes" | "actor" | "origin" | "request" | "archive"
>): ImportDetails {
  const file = { fileName, bytes, actor, request, ...withoutUndefined({ origin, archive }) };
  return { ...file, ready: false, done: 0, rows: 0, batches: 0, counts: none };
}

/** Returns who makes the changes of an import, and from where. */
export function actorOf({ actor, origin }: Pick<ImportDetails, "actor" | "origin">): Actor {
  const from = originIn(origin ?? "");
  return { ...(actorIn(actor) ?? system), ...withoutUndefined({ from }) };
}

/** Returns what details keep of an actor. */
export function actorInDetails(actor: Actor): Pick<ImportDetails, "actor" | "origin"> {
  return { actor: actorText(actor), origin: originText(actor) };
}

/** The counts of an import that has done nothing. */
export const none: ImportCounts = { added: 0, updated: 0, same: 0, skipped: 0, faulty: 0, sold: 0 };

/** What a batch did: kept with it in one commit, so that an import continues exactly where it was. */
export interface BatchRecord {
  /** The rows of the table up to the end of the batch. */
  readonly through: number;
  readonly counts: ImportCounts;
  /** The animals that were added. */
  readonly added: readonly number[];
  /** The animals that were changed, or get photos. */
  readonly updated: readonly UpdatedAnimal[];
  /** The rows that name pictures for animals without photos, by their number in the table from 1, and the animals. */
  readonly pictured: readonly (readonly [row: number, petId: number])[];
  /** The last animal, if the batch set animals to sold that the file no longer has. */
  readonly soldThrough?: number;
}

/** An animal that an import changed, and what an undo restores. */
export interface UpdatedAnimal {
  /** The animal as it was. */
  readonly pet: StoredPet;
  readonly profile: Profile;
  /** The versions after the change, before photos were added. */
  readonly petVersion: number;
  readonly profileVersion: number;
  /** When the order of its sale was written, if the import wrote one. */
  readonly soldAt?: number;
}
