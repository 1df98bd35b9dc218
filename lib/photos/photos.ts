import { defaultAccount, noSuchAccount } from "../accounts/default-account.ts";
import type { Clock } from "../base/clock.ts";
import { problem, type Problem } from "../base/problem.ts";
import { done, refused, retried, type Result } from "../base/result.ts";
import { check } from "../base/check.ts";
import { withoutUndefined } from "../base/without-undefined.ts";
import { ATTEMPTS } from "../catalogue/commit.ts";
import { petRefusals as refusals } from "../catalogue/refusals.ts";
import { MAX_PHOTOS, type PhotoFocus, type StoredPhoto } from "../catalogue/model-profile.ts";
import type { Catalogue, Environment, Plan } from "../model/account.ts";
import { normalText } from "../model/text.ts";
import type { ForActors } from "../model/actor.ts";
import type { Blobs } from "../publishing/blobs.ts";
import { photoOutcome, type Change, type Conflict } from "../storage/change.ts";
import type { Commit, StoreReads } from "../storage/store.ts";
import type { PhotoFiles } from "./files.ts";
import type { PictureType } from "./images.ts";
import { MAX_PICTURE_BYTES } from "./limits.ts";
import type { PhotoMaker } from "./maker.ts";
import { pictureTooLarge, receivePicture } from "./receive.ts";
import { PhotoPatchSchema } from "./schema.ts";

/** The most bytes of photos of an account, by its plan. Enterprise has as many as Business. */
export type PhotoBytes = Readonly<Record<Exclude<Plan, "enterprise">, number>>;

const GIB = 1_024 ** 3;

/** The default: 256 MiB, 2 GiB and 20 GiB. A photo takes about 1 MiB. */
export const defaultPhotoBytes: PhotoBytes = { free: GIB / 4, pro: 2 * GIB, business: 20 * GIB };

/** Names an animal. Default: in the default account, and in the environment that the instance serves. */
export interface OfAnimal {
  readonly accountId?: string | undefined;
  readonly environment?: Environment | undefined;
  readonly petId: number;
}

/** Names a photo of an animal. */
export interface OfPhoto extends OfAnimal {
  readonly photoId: number;
}

/** A picture to add. */
export interface NewPicture {
  /** A JPEG, PNG or WebP of at most 25 MiB and 50 megapixels. */
  readonly picture: Uint8Array | ReadableStream<Uint8Array>;
  /** The type that its sender states. Absent: any of the three. */
  readonly declared?: PictureType | undefined;
  /** The length of a stream, if known. */
  readonly length?: number | undefined;
  /** What the photo shows: 1 to 500 code points. */
  readonly alt?: string | undefined;
  /** The point to keep visible. */
  readonly focus?: PhotoFocus | undefined;
  /** Adds nothing if the animal has a photo of the same picture, and returns that photo. Default: false. */
  readonly once?: boolean | undefined;
}

/** What to change of a photo. Absent members stay; null removes one. */
export interface PhotoChanges {
  readonly alt?: string | null | undefined;
  readonly focus?: PhotoFocus | null | undefined;
  /** The position, counted from 1. One beyond the last means the last. */
  readonly position?: number | undefined;
}

/** The photos of animals. An animal has at most 12. */
export interface Photos {
  /** Lists the photos in their order. `not_found` without the animal. */
  list(of: OfAnimal): Promise<Result<readonly StoredPhoto[], Problem>>;
  /**
   * Makes a photo of a picture, behind the others. The picture is decoded and encoded again: nothing but its pixels remains.
   * `not_found`, `unsupported_media_type`, `invalid_picture`, `limit_reached`, `payload_too_large` also if the account has
   * no room for it, and `unavailable` with the seconds until another attempt if too many pictures wait.
   */
  add(of: OfAnimal, picture: NewPicture): Promise<Result<StoredPhoto, Problem>>;
  /** `not_found`, `invalid_value`. */
  change(of: OfPhoto, changes: PhotoChanges): Promise<Result<StoredPhoto, Problem>>;
  /** Orders the photos as `ids`, which names each once. `not_found`, `invalid_value`. */
  order(of: OfAnimal, ids: readonly number[]): Promise<Result<readonly StoredPhoto[], Problem>>;
  /** `not_found`. */
  remove(of: OfPhoto): Promise<Result<undefined, Problem>>;
}

/** The photos of the host, with `as` those of others, and their files. */
export type PhotoService = ForActors<Photos> & { readonly files: PhotoFiles };

/** The dependencies of the photo actions. */
export interface PhotosContext {
  readonly store: StoreReads;
  /** Commits as the actor of the call. */
  readonly commit: Commit;
  readonly clock: Clock;
  readonly blobs: Blobs;
  readonly maker: PhotoMaker;
  readonly photoBytes: PhotoBytes;
  readonly environment: Environment;
}

const noSuchPhoto: Problem = problem("not_found", "The animal has no such photo.");
const tooMany: Problem = problem(
  "limit_reached",
  `An animal can have ${MAX_PHOTOS} photos. Remove one first.`,
);
const otherPhotos: Problem = problem(
  "invalid_value",
  "The order must name each photo of the animal once. Read the photos again.",
);

const MIB = 1_024 ** 2;
const inMib = (bytes: number): string => `${Math.round((10 * bytes) / MIB) / 10} MiB`;

function noRoom(used: number, most: number): Problem {
  return problem(
    "payload_too_large",
    `The photos of the account use ${inMib(used)} of ${inMib(most)}, and this one does not fit. Remove photos, or change the plan.`,
  );
}

/** Creates the photos over a store and its blobs. */
export function createPhotos(context: PhotosContext): Photos {
  const { store, commit, clock, blobs, maker, photoBytes } = context;

  const find = async ({
    accountId,
    environment = context.environment,
    petId,
  }: OfAnimal): Promise<
    Result<{ readonly catalogue: Catalogue; readonly plan: Plan }, Problem>
  > => {
    const account =
      accountId === undefined
        ? await defaultAccount(context)
        : await store.accounts.byId(accountId);
    const catalogue = account && (await store.catalogues.of(account.id, environment));
    if (account === undefined || catalogue === undefined) return refused(noSuchAccount);
    const pet = await store.pets.byId(catalogue.id, petId);
    return pet === undefined ? refused(refusals.missing) : done({ catalogue, plan: account.plan });
  };

  const mostOf = (plan: Plan): number => photoBytes[plan === "enterprise" ? "business" : plan];

  const listed = async (catalogueId: number, petId: number): Promise<readonly StoredPhoto[]> =>
    store.photos.of(catalogueId, [petId]);

  const problemOf = async (
    { refusal }: Conflict,
    { accountId }: Catalogue,
    most: number,
  ): Promise<Problem> => {
    if (refusal === "limit") return tooMany;
    if (refusal === "quota") return noRoom(await store.photos.bytes(accountId), most);
    return refusals.missing;
  };

  return {
    list: async (of) => {
      const found = await find(of);
      return found.ok ? done(await listed(found.value.catalogue.id, of.petId)) : found;
    },

    add: async (of, { picture, declared, length, alt, focus, once = false }) => {
      const described = withoutUndefined({ alt, focus });
      const fault = faultOf(check(PhotoPatchSchema, described));
      if (fault !== undefined) return refused(fault);
      const found = await find(of);
      if (!found.ok) return found;
      const { catalogue, plan } = found.value;
      // Checked again by the commit. Here, so that no picture is received in vain.
      const before = await listed(catalogue.id, of.petId);
      if (before.length >= MAX_PHOTOS && !once) return refused(tooMany);
      const most = mostOf(plan);
      const used = await store.photos.bytes(catalogue.accountId);
      if (used >= most) return refused(noRoom(used, most));
      const bytes = picture instanceof Uint8Array ? picture.length : (length ?? MAX_PICTURE_BYTES);
      if (bytes > MAX_PICTURE_BYTES) return refused(pictureTooLarge);
      const made = await maker.make({
        accountId: catalogue.accountId,
        bytes,
        declared,
        read: async () =>
          picture instanceof Uint8Array ? done([picture]) : receivePicture(picture, clock),
      });
      if (!made.ok) return made;
      const { content, ...photo } = made.value;
      const { sha256: hash, size } = await blobs.put(content);
      const same = once ? before.find((one) => one.hash === hash) : undefined;
      if (same !== undefined) return done(same);
      const committed = await commit([
        {
          kind: "photo.add",
          catalogueId: catalogue.id,
          petId: of.petId,
          photo: {
            ...photo,
            ...(alt === undefined ? {} : { alt: normalText(alt) }),
            ...(focus === undefined ? {} : { focus }),
            hash,
            bytes: size,
          },
          maxBytes: most,
          at: clock.now(),
        },
      ]);
      return committed.ok
        ? done(photoOutcome(committed.value[0]))
        : refused(await problemOf(committed.failure, catalogue, most));
    },

    change: async (of, changes) => {
      const fault = faultOf(check(PhotoPatchSchema, withoutUndefined(changes)));
      if (fault !== undefined) return refused(fault);
      const found = await find(of);
      if (!found.ok) return found;
      const { petId, photoId } = of;
      const { id: catalogueId } = found.value.catalogue;
      const { alt, focus, position } = changes;
      return retried(ATTEMPTS, refusals.busy, async () => {
        const before = await listed(catalogueId, petId);
        if (!before.some(({ id }) => id === photoId)) return refused(noSuchPhoto);
        const place = { catalogueId, petId, at: clock.now() };
        const changed: Change = {
          kind: "photo.change",
          ...place,
          photoId,
          ...withoutUndefined({ alt: typeof alt === "string" ? normalText(alt) : alt, focus }),
        };
        const others = before.map(({ id }) => id).filter((id) => id !== photoId);
        const ordered: readonly Change[] =
          position === undefined
            ? []
            : [
                {
                  kind: "photo.order",
                  ...place,
                  ids: others.toSpliced(position - 1, 0, photoId),
                },
              ];
        const committed = await commit([...ordered, changed]);
        if (committed.ok) return done(photoOutcome(committed.value[ordered.length]));
        return committed.failure.refusal === "stale" ? undefined : refused(noSuchPhoto);
      });
    },

    order: async (of, ids) => {
      const found = await find(of);
      if (!found.ok) return found;
      const { petId } = of;
      const { id: catalogueId } = found.value.catalogue;
      const committed = await commit([
        { kind: "photo.order", catalogueId, petId, ids, at: clock.now() },
      ]);
      if (committed.ok) return done(await listed(catalogueId, petId));
      return refused(committed.failure.refusal === "stale" ? otherPhotos : refusals.missing);
    },

    remove: async (of) => {
      const found = await find(of);
      if (!found.ok) return found;
      const { petId, photoId } = of;
      const { id: catalogueId } = found.value.catalogue;
      const committed = await commit([
        { kind: "photo.remove", catalogueId, petId, photoId, at: clock.now() },
      ]);
      return committed.ok ? done(undefined) : refused(noSuchPhoto);
    },
  };
}

function faultOf(checked: ReturnType<typeof check>): Problem | undefined {
  if (checked.ok) return undefined;
  const [{ code, message }] = checked.failure;
  return problem(code, message, { errors: checked.failure });
}
