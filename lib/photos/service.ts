import { createPhotos, defaultPhotoBytes, type Photos, type PhotosContext } from "./photos.ts";
import { photoFiles, type PhotoFiles } from "./files.ts";
import type { Images } from "./images.ts";
import { photoMaker } from "./maker.ts";
import { photoVisits, type PhotoVisits } from "./visits.ts";

/** What the photos of a petstore need. */
export interface PhotoServiceOptions
  extends
    Omit<PhotosContext, "commit" | "maker" | "photoBytes">,
    Omit<Parameters<typeof photoVisits>[0], "files"> {
  readonly images: Images;
  /** Default: 256 MiB, 2 GiB and 20 GiB. */
  readonly photoBytes: PhotosContext["photoBytes"] | undefined;
}

/** The photos of a petstore, and their files. */
export interface LoadedPhotos {
  /** Returns the photos for an actor, who commits. */
  of(actor: Pick<PhotosContext, "commit">): Photos;
  readonly files: PhotoFiles;
  readonly visit: PhotoVisits;
}

/** Creates the photos of a petstore. The core loads this module when a photo is first asked for. */
export function photoService({
  images,
  photoBytes = defaultPhotoBytes,
  ...rest
}: PhotoServiceOptions): LoadedPhotos {
  const files = photoFiles(rest);
  const maker = photoMaker(images);
  return {
    of: (actor) => createPhotos({ ...rest, ...actor, maker, photoBytes }),
    files,
    visit: photoVisits({ ...rest, files }),
  };
}
