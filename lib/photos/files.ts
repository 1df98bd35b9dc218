import { blobResponse } from "../base/blob-response.ts";
import { sizedCache } from "../base/cache.ts";
import type { Eventual } from "../base/eventual.ts";
import type { PhotoSize, StoredPhoto } from "../catalogue/model-profile.ts";
import { photoFile, type PhotoName } from "../catalogue/photo-address.ts";
import type { StoredPet } from "../catalogue/model.ts";
import type { HeaderFields } from "../http/answer.ts";
import { isFresh } from "../http/conditional.ts";
import type { Blobs } from "../publishing/blobs.ts";
import type { StoreReads } from "../storage/store.ts";

/** Serves the files of photos. */
export interface PhotoFiles {
  /**
   * Answers a GET or HEAD for a photo of a present animal that `isVisible`; undefined if there is none. `catalogueId`
   * narrows the search.
   */
  answer(
    request: Request,
    name: PhotoName,
    options: {
      readonly isVisible: (pet: StoredPet, catalogueId: number) => Eventual<boolean>;
      readonly catalogueId?: number;
    },
  ): Promise<Response | undefined>;
  /** Reads a size; undefined if the photo has no such one. Rejects if its file is missing. */
  read(
    photo: StoredPhoto,
    file: string,
  ): Promise<{ readonly type: string; readonly content: Blob } | undefined>;
}

/** Memory for sizes that were sent recently. */
const CACHE_BYTES = 16 * 1_024 * 1_024;
/** Larger sizes are rare on pages. */
const MAX_CACHED_BYTES = 512 * 1_024;
const OVERHEAD = 300;
const A_YEAR_SECONDS = 31_536_000;

export function photoFiles({
  store,
  blobs,
  cors,
}: {
  readonly store: StoreReads;
  readonly blobs: Blobs;
  readonly cors: HeaderFields;
}): PhotoFiles {
  const kept = sizedCache<Blob>(CACHE_BYTES, ({ size }) => size + OVERHEAD);

  const load = async (hash: string, { start, bytes }: PhotoSize): Promise<Blob> => {
    const key = `${hash} ${start}`;
    const known = kept.get(key);
    if (known !== undefined) return known;
    const body = await blobs.open(hash, { start, end: start + bytes });
    const content = body === undefined ? undefined : await new Response(body).blob();
    if (content?.size !== bytes)
      throw new Error(`The file ${hash} of a photo is missing or cut off.`);
    if (bytes <= MAX_CACHED_BYTES) kept.set(key, content);
    return content;
  };

  const read: PhotoFiles["read"] = async ({ hash, sizes }, file) => {
    const size = sizes.find((one) => photoFile(one) === file);
    return size && { type: size.type, content: await load(hash, size) };
  };

  return {
    read,
    answer: async (request, { hash, file }, { isVisible, catalogueId }) => {
      for (const photo of await store.photos.byHash(hash, catalogueId)) {
        const pet = await store.pets.byId(photo.catalogueId, photo.petId);
        if (pet === undefined || !(await isVisible(pet, photo.catalogueId))) continue;
        const etag = `"${hash.slice(0, 32)}-${file}"`;
        const found = await read(photo, file);
        if (found === undefined) continue;
        const { type, content } = found;
        const headers = {
          etag,
          "cache-control": `public, max-age=${A_YEAR_SECONDS}, immutable`,
          ...cors,
          // Pages of any origin may show it.
          "cross-origin-resource-policy": "cross-origin",
        };
        const known = request.headers.get("if-none-match");
        if (known !== null && isFresh(known, etag)) {
          return new Response(null, { status: 304, headers });
        }
        return blobResponse(request.method === "HEAD" ? null : content, {
          status: 200,
          headers: {
            ...headers,
            "content-type": type,
            "content-length": String(content.size),
            "x-content-type-options": "nosniff",
          },
        });
      }
      return undefined;
    },
  };
}
