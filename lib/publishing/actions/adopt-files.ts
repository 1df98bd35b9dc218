import { problem, type Problem } from "../../base/problem.ts";
import { done, refused, type Result } from "../../base/result.ts";
import { check } from "../../base/check.ts";
import type { CatalogueContext } from "../../catalogue/commit.ts";
import { StaffProfilePatchSchema } from "../../catalogue/profile-schema.ts";
import { updateProfile } from "../../catalogue/profiles.ts";
import { normalLines } from "../../model/text.ts";
import { animalFilesIn, type AnimalFiles, type PhotoEnding } from "../model/animal-files.ts";
import type { ManifestFile } from "../model/deploy.ts";
import type { Project } from "../model/project.ts";
import type { Projects } from "../projects.ts";
import { MAX_PICTURE_BYTES } from "../../photos/limits.ts";
import type { Photos } from "../../photos/photos.ts";

/** What moving files into profiles needs. Its changes have the actor of the call. */
export interface AdoptContext extends CatalogueContext {
  readonly projects: Projects;
  readonly photos: Photos;
}

/** The outcome for some animals of a site. */
export interface AdoptedFiles {
  /** The live deploy that was read. */
  readonly deploy: string;
  /** The files whose contents the profiles now have. */
  readonly adopted: readonly string[];
  readonly skipped: readonly SkippedFile[];
  /** The animal to go on after. Absent: that was the last one. */
  readonly next?: number;
}

/** A file that stays in the deploy, and why. */
export interface SkippedFile {
  readonly path: string;
  readonly message: string;
}

/** A photo takes about a second. */
const ANIMALS_AT_ONCE = 5;

const nothingLive: Problem = problem("deploy_required", "The project has no live site.");
const changed: Problem = problem(
  "precondition_failed",
  "Another deploy has become live in the meantime. Adopt its files.",
);

/**
 * Copies the photos and texts of the live deploy into the profiles of the next animals. A photo comes first in the profile, as
 * the site shows it. Repeating it changes nothing. Nothing is overwritten: a file that contradicts a profile is skipped.
 */
export async function adoptFiles(
  context: AdoptContext,
  { id, accountId, liveDeployId }: Project,
  after: number,
): Promise<Result<AdoptedFiles, Problem>> {
  if (liveDeployId === undefined) return refused(nothingLive);
  const manifest = await context.projects.deploys.manifest(id, liveDeployId);
  const catalogue = await context.store.catalogues.of(accountId, "production");
  if (manifest === undefined || catalogue === undefined) return refused(nothingLive);
  const files = animalFilesIn(new Map(manifest.files.map((file) => [file.path, file])));
  const all = [...files].filter(([petId]) => petId > after).toSorted(([a], [b]) => a - b);
  const batch = all.slice(0, ANIMALS_AT_ONCE);
  const adopted: string[] = [];
  const skipped: SkippedFile[] = [];
  for (const [petId, animal] of batch) {
    const read = (path: string): Promise<Uint8Array | undefined> =>
      context.projects.deploys.read(id, liveDeployId, { path, maxBytes: MAX_PICTURE_BYTES });
    for (const each of movesOf(animal)) {
      const moved =
        each.kind === "photo"
          ? await movePhoto(context, { accountId, petId }, await read(each.read))
          : await moveText(context, { catalogueId: catalogue.id, petId }, await read(each.read));
      if (moved.ok) adopted.push(...each.paths);
      else if (moved.failure.retryAfterSeconds !== undefined) return moved;
      else skipped.push(...each.paths.map((path) => ({ path, message: moved.failure.message })));
    }
  }
  const last = batch.at(-1)?.[0];
  return done({
    deploy: liveDeployId,
    adopted,
    skipped,
    ...(last === undefined || all.length <= batch.length ? {} : { next: last }),
  });
}

/** One file to read, and all that it stands for. */
interface Move {
  readonly kind: "photo" | "text";
  readonly read: string;
  readonly paths: readonly string[];
}

/** The formats in the order in which they are read. The others hold the same photo. */
const best = ["png", "jpg", "jpeg", "webp", "avif"] as const satisfies readonly PhotoEnding[];

function movesOf({ photos, bio }: AnimalFiles): readonly Move[] {
  const [source] = best.flatMap((ending) => photos.get(ending) ?? []);
  const pathOf = ({ path }: ManifestFile): string => path;
  return [
    ...(source === undefined
      ? []
      : [{ kind: "photo", read: source.path, paths: [...photos.values()].map(pathOf) } as const]),
    ...(bio === undefined ? [] : [{ kind: "text", read: bio.path, paths: [bio.path] } as const]),
  ];
}

async function movePhoto(
  { photos }: AdoptContext,
  of: { readonly accountId: string; readonly petId: number },
  picture: Uint8Array | undefined,
): Promise<Result<unknown, Problem>> {
  const before = await photos.list(of);
  if (!before.ok) return before;
  if (picture === undefined) return refused(tooLarge);
  const added = await photos.add(of, { picture, once: true });
  const isNew = added.ok && before.value.every(({ id }) => id !== added.value.id);
  if (!added.ok || !isNew || before.value.length === 0) return added;
  return photos.change({ ...of, photoId: added.value.id }, { position: 1 });
}

const tooLarge: Problem = problem("payload_too_large", "The picture is larger than 25 MiB.");
const otherText: Problem = problem(
  "invalid_value",
  "The animal's profile has another text. Remove one of them.",
);

async function moveText(
  context: AdoptContext,
  { catalogueId, petId }: { readonly catalogueId: number; readonly petId: number },
  content: Uint8Array | undefined,
): Promise<Result<unknown, Problem>> {
  const changes = { text: new TextDecoder().decode(content) };
  const checked = check(StaffProfilePatchSchema, changes);
  if (!checked.ok) return refused(problem(checked.failure[0].code, checked.failure[0].message));
  const [profile] = await context.store.profiles.of(catalogueId, [petId]);
  const had = profile?.fields.text;
  if (had !== undefined && had !== normalLines(changes.text)) return refused(otherText);
  return updateProfile(context, catalogueId, { petId, keep: "all", changes }, () => []);
}

/** Publishes the live deploy without files that profiles have, and returns the id of the deploy that is live then. */
export async function removeAdopted(
  { projects, store }: Pick<AdoptContext, "projects" | "store">,
  { id, accountId, liveDeployId }: Project,
  {
    deploy,
    paths,
    author,
  }: {
    readonly deploy?: string | undefined;
    readonly paths: readonly string[];
    readonly author: string;
  },
): Promise<Result<string, Problem>> {
  if (liveDeployId === undefined) return refused(nothingLive);
  if (deploy !== undefined && deploy !== liveDeployId) return refused(changed);
  if (paths.length === 0) return done(liveDeployId);
  const manifest = await projects.deploys.manifest(id, liveDeployId);
  const catalogue = await store.catalogues.of(accountId, "production");
  if (manifest === undefined || catalogue === undefined) return refused(nothingLive);
  const files = animalFilesIn(new Map(manifest.files.map((file) => [file.path, file])));
  const without = new Set(paths);
  const found = new Set<string>();
  for (const [petId, { photos, bio }] of files) {
    const all = [...photos.values(), ...(bio === undefined ? [] : [bio])];
    const gone = all.filter(({ path }) => without.has(path));
    if (gone.length === 0) continue;
    const [profile] = await store.profiles.of(catalogue.id, [petId]);
    const has = {
      photo: (await store.photos.of(catalogue.id, [petId])).length > 0,
      text: profile?.fields.text !== undefined,
    };
    for (const file of gone) {
      if (!(file === bio ? has.text : has.photo)) return refused(notAdopted(file.path));
      found.add(file.path);
    }
  }
  const other = paths.find((path) => !found.has(path));
  if (other !== undefined) return refused(notAdopted(other));
  const message = "Photos and texts of animals moved into profiles";
  const archive = { deploy: liveDeployId, without };
  const made = await projects.deploys.create(id, { archive, author, message });
  return made.ok ? done(made.value.id) : made;
}

function notAdopted(path: string): Problem {
  return problem(
    "invalid_value",
    `${JSON.stringify(path)} is not a file of an animal whose profile has its content.`,
  );
}
