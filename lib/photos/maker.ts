import { problem, type Problem } from "../base/problem.ts";
import { done, refused, type Result } from "../base/result.ts";
import { problemOf } from "./fault.ts";
import { joinedInSteps } from "./formats/bytes.ts";
import { withColours } from "./formats/colours.ts";
import { inspectPicture } from "./formats/inspect.ts";
import { PictureUndecodable, type Images, type PictureType } from "./images.ts";
import {
  MAX_WAITING_BYTES,
  MAX_WAITING_BYTES_OF_ACCOUNT,
  MAX_WAITING_OF_ACCOUNT,
  MAX_WAITING_PICTURES,
} from "./limits.ts";
import { renditionsOf } from "./renditions.ts";

/** Makes photos of pictures, one at a time: decoding takes memory and processor time. */
export interface PhotoMaker {
  /**
   * Receives a picture and makes all sizes of its photo. Refused as `read` is, `unsupported_media_type`, `invalid_picture`,
   * and `unavailable` with `Retry-After` if too many pictures are received or wait, of all accounts or of this one.
   */
  make(source: PictureSource): Promise<Result<MadePhoto, Problem>>;
}

/** A picture that arrives. */
export interface PictureSource {
  readonly accountId: string;
  /** The most bytes that it can have. */
  readonly bytes: number;
  /** The type that the sender states. Absent: any is accepted. */
  readonly declared?: PictureType | undefined;
  /** Receives it in parts. Called only if there is room for its bytes. */
  readonly read: () => Promise<Result<readonly Uint8Array[], Problem>>;
}

/** A photo before it is stored. */
export interface MadePhoto {
  /** The width of the largest form in pixels. */
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

/** Pictures of all makers with the same adapter wait in one queue. */
const queues = new WeakMap<Images, Queue>();

/** Pictures that are received or wait. */
interface Waiting {
  readonly pictures: number;
  readonly bytes: number;
}

interface Queue {
  readonly ofAccount: Map<string, Waiting>;
  pictures: number;
  bytes: number;
  last: Promise<unknown>;
}

/** Creates a maker. The pictures that it receives are held in memory, within bounds. */
export function photoMaker(images: Images): PhotoMaker {
  const queue: Queue = queues.get(images) ?? {
    ofAccount: new Map(),
    pictures: 0,
    bytes: 0,
    last: Promise.resolve(),
  };
  queues.set(images, queue);

  return {
    make: async ({ accountId, bytes, declared, read }) => {
      const own = queue.ofAccount.get(accountId) ?? NONE;
      const full = queue.bytes + bytes > MAX_WAITING_BYTES;
      if (full || queue.pictures >= MAX_WAITING_PICTURES) return refused(busy);
      const ownFull = own.bytes + bytes > MAX_WAITING_BYTES_OF_ACCOUNT;
      if (ownFull || own.pictures >= MAX_WAITING_OF_ACCOUNT) return refused(busyWithYours);
      queue.ofAccount.set(accountId, {
        pictures: own.pictures + 1,
        bytes: own.bytes + bytes,
      });
      queue.pictures++;
      queue.bytes += bytes;
      try {
        const picture = await read();
        if (!picture.ok) return picture;
        const made = queue.last.then(() => makeOne(images, picture.value, declared));
        queue.last = made.catch(() => undefined);
        return await made;
      } finally {
        const before = queue.ofAccount.get(accountId) ?? NONE;
        const left = { pictures: before.pictures - 1, bytes: before.bytes - bytes };
        if (left.pictures <= 0) queue.ofAccount.delete(accountId);
        else queue.ofAccount.set(accountId, left);
        queue.pictures--;
        queue.bytes -= bytes;
      }
    },
  };
}

const NONE: Waiting = { pictures: 0, bytes: 0 };

const RETRY_SECONDS = 5;
const busy: Problem = problem(
  "unavailable",
  `Too many photos are waiting to be processed. Try again in ${RETRY_SECONDS} seconds.`,
  { retryAfterSeconds: RETRY_SECONDS },
);
const busyWithYours: Problem = problem(
  "unavailable",
  `Too many photos of this account are waiting to be processed. Send fewer at the same time, and this one again in ${RETRY_SECONDS} seconds.`,
  { retryAfterSeconds: RETRY_SECONDS },
);

async function makeOne(
  images: Images,
  parts: readonly Uint8Array[],
  declared: PictureType | undefined,
): Promise<Result<MadePhoto, Problem>> {
  const inspected = await inspectPicture(await joinedInSteps(parts));
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
  return done({ width, height, sizes, content: await joinedInSteps(forms) });
}
