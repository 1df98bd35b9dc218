import { problem, type Problem } from "../base/problem.ts";
import { done, refused, type Result } from "../base/result.ts";
import { problemOf } from "./fault.ts";
import { joined } from "./formats/bytes.ts";
import { withColours } from "./formats/colours.ts";
import { inspectPicture } from "./formats/inspect.ts";
import { PictureUndecodable, type Images, type PictureType } from "./images.ts";
import { MAX_WAITING_BYTES, MAX_WAITING_PICTURES, MAX_WAITING_OF_ACCOUNT } from "./limits.ts";
import { renditionsOf } from "./renditions.ts";

/** Makes photos of pictures, one at a time: decoding takes memory and processor time. */
export interface PhotoMaker {
  /**
   * Makes all forms of a photo. `declared` is the type that the sender states. Refused `unsupported_media_type`,
   * `invalid_picture`, and `unavailable` with `Retry-After` if too many pictures wait, of all accounts or of this one.
   */
  make(picture: Uint8Array, from: PictureSource): Promise<Result<MadePhoto, Problem>>;
}

/** Where a picture comes from. */
export interface PictureSource {
  readonly accountId: string;
  /** Default: the type is not compared. */
  readonly declared?: PictureType;
}

/** A photo before it is stored. */
export interface MadePhoto {
  /** In pixels, of the largest form. */
  readonly width: number;
  readonly height: number;
  /** All forms, one after the other. */
  readonly content: Uint8Array;
  readonly sizes: readonly MadeSize[];
}

/** A form of a photo, and its place in the content. */
export interface MadeSize {
  readonly width: number;
  readonly height: number;
  readonly type: "image/webp" | "image/jpeg";
  readonly start: number;
  readonly bytes: number;
}

/** Creates a maker. Waiting pictures are held in memory, within bounds. */
export function photoMaker(images: Images): PhotoMaker {
  const waiting = new Map<string, number>();
  let pictures = 0;
  let bytes = 0;
  let last: Promise<unknown> = Promise.resolve();

  return {
    make: async (picture, { accountId, declared }) => {
      const own = waiting.get(accountId) ?? 0;
      // A single picture is always taken.
      const full = pictures > 0 && bytes + picture.length > MAX_WAITING_BYTES;
      if (full || pictures >= MAX_WAITING_PICTURES) return refused(busy);
      if (own >= MAX_WAITING_OF_ACCOUNT) return refused(busyWithYours);
      waiting.set(accountId, own + 1);
      pictures++;
      bytes += picture.length;
      const made = last.then(() => makeOne(images, picture, declared));
      last = made.catch(() => undefined);
      try {
        return await made;
      } finally {
        const left = (waiting.get(accountId) ?? 1) - 1;
        if (left === 0) waiting.delete(accountId);
        else waiting.set(accountId, left);
        pictures--;
        bytes -= picture.length;
      }
    },
  };
}

const RETRY_SECONDS = 5;
const busy: Problem = problem(
  "unavailable",
  `Too many photos are waiting to be processed. Try again in ${RETRY_SECONDS} seconds.`,
  { retryAfterSeconds: RETRY_SECONDS },
);
const busyWithYours: Problem = problem(
  "unavailable",
  `${MAX_WAITING_OF_ACCOUNT} photos of this account are waiting to be processed. Send fewer at the same time, and this one again in ${RETRY_SECONDS} seconds.`,
  { retryAfterSeconds: RETRY_SECONDS },
);

async function makeOne(
  images: Images,
  bytes: Uint8Array,
  declared: PictureType | undefined,
): Promise<Result<MadePhoto, Problem>> {
  const inspected = await inspectPicture(bytes);
  if (!inspected.ok) return refused(problemOf(inspected.failure));
  const { colours, ...picture } = inspected.value;
  if (declared !== undefined && declared !== picture.type) {
    return refused(problemOf({ kind: "type", declared, found: picture.type }));
  }
  const wanted = renditionsOf(picture);
  let rendered: readonly Uint8Array[];
  try {
    rendered = await images.render(picture, wanted);
  } catch (error) {
    if (!(error instanceof PictureUndecodable)) throw error;
    return refused(problemOf({ kind: "damaged" }));
  }
  const forms = wanted.map((form, index) =>
    withColours(rendered[index] ?? new Uint8Array(), colours, form),
  );
  const [{ width, height }] = wanted;
  const sizes: MadeSize[] = [];
  let start = 0;
  for (const [index, form] of wanted.entries()) {
    const length = forms[index]?.length ?? 0;
    sizes.push({ width: form.width, height: form.height, type: form.type, start, bytes: length });
    start += length;
  }
  return done({ width, height, sizes, content: joined(forms) });
}
