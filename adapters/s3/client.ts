/**
 * The operations of S3-compatible storage that Petstore uses. `new S3({ … })` of `@aws-sdk/client-s3` has them, and any other
 * client can be adapted. Rejections have the error code of S3 as `name`, such as `NoSuchKey`, and the HTTP status as
 * `$metadata.httpStatusCode`; both are missing if the server could not be reached.
 */
export interface S3 {
  putObject(input: S3Object & { readonly Body: Uint8Array }): Promise<unknown>;
  getObject(input: S3Object & { readonly Range?: string }): Promise<{
    readonly Body?: S3Body | undefined;
  }>;
  copyObject(input: S3Object & { readonly CopySource: string }): Promise<unknown>;
  deleteObject(input: S3Object): Promise<unknown>;
  listObjectsV2(input: {
    readonly Bucket: string;
    readonly Prefix?: string | undefined;
    readonly ContinuationToken?: string | undefined;
    readonly MaxKeys?: number | undefined;
  }): Promise<{
    readonly Contents?: readonly S3Listed[] | undefined;
    readonly NextContinuationToken?: string | undefined;
  }>;
  createMultipartUpload(input: S3Object): Promise<{ readonly UploadId?: string | undefined }>;
  uploadPart(
    input: S3Upload & { readonly PartNumber: number; readonly Body: Uint8Array },
  ): Promise<{ readonly ETag?: string | undefined }>;
  completeMultipartUpload(
    input: S3Upload & { readonly MultipartUpload: { Parts: S3Part[] } },
  ): Promise<unknown>;
  abortMultipartUpload(input: S3Upload): Promise<unknown>;
}

/** An object, by its bucket and key. */
export interface S3Object {
  readonly Bucket: string;
  readonly Key: string;
}

/** An upload in parts that is in progress. */
export interface S3Upload extends S3Object {
  readonly UploadId: string;
}

/** A part of an upload that is in progress. */
export interface S3Part {
  ETag: string;
  PartNumber: number;
}

/** The contents of an object, as the client returns them. */
export interface S3Body {
  transformToWebStream(): ReadableStream<Uint8Array>;
}

/** An object in a list. */
export interface S3Listed {
  readonly Key?: string | undefined;
  /** The size in bytes. */
  readonly Size?: number | undefined;
}

/** Part of the rejection of an `S3`. */
export interface S3Fault {
  /** The error code of S3; undefined if the server could not be reached, or answered something else. */
  readonly code: string | undefined;
  /** The HTTP status; undefined if the server could not be reached. */
  readonly status: number | undefined;
}

/** Reads the rejection of an `S3`. */
export function faultOf(error: unknown): S3Fault {
  if (typeof error !== "object" || error === null) return { code: undefined, status: undefined };
  const code = "name" in error && typeof error.name === "string" ? error.name : undefined;
  const metadata = "$metadata" in error ? error.$metadata : undefined;
  const status =
    typeof metadata === "object" &&
    metadata !== null &&
    "httpStatusCode" in metadata &&
    typeof metadata.httpStatusCode === "number"
      ? metadata.httpStatusCode
      : undefined;
  return { code: status === undefined ? undefined : code, status };
}

/** Returns whether the rejection means that the object does not exist; not for a missing bucket. */
export function isMissing(error: unknown): boolean {
  const { code, status } = faultOf(error);
  return status === 404 && code !== "NoSuchBucket";
}

/** Lists all objects whose keys begin with a prefix. */
export async function* listed(
  s3: S3,
  bucket: string,
  prefix: string,
): AsyncIterable<{ readonly key: string; readonly bytes: number }> {
  let token: string | undefined;
  do {
    const page = await s3.listObjectsV2({
      Bucket: bucket,
      Prefix: prefix,
      ContinuationToken: token,
    });
    for (const { Key: key, Size: bytes = 0 } of page.Contents ?? []) {
      if (key !== undefined) yield { key, bytes };
    }
    const next = page.NextContinuationToken;
    if (next !== undefined && next === token) {
      throw new TypeError("The server repeats a page of its list.");
    }
    token = next;
  } while (token !== undefined && token !== "");
}

/** Two parts are in memory at a time: one that is sent, and one that is read. */
const PART_BYTES: number = 8 * 1_048_576;
/** Limits of S3. */
const MAX_PARTS = 10_000;

export interface UploadOptions {
  /** Bytes of a part, at least 5 MiB. An object has at most 10,000 parts. Default: 8 MiB. */
  readonly partBytes?: number;
}

/**
 * Stores a stream of any length in bounded memory. The object appears whole once all of the stream was read, or not at all.
 * Rejects with the reason of the stream if that fails, and cancels it if the server does.
 */
export async function upload(
  s3: S3,
  target: S3Object,
  content: ReadableStream<Uint8Array>,
  { partBytes = PART_BYTES }: UploadOptions = {},
): Promise<void> {
  const source = partsOf(content, partBytes);
  let begun: S3Upload | undefined;
  try {
    let part = await source.next();
    let following = part.length < partBytes ? NONE : await source.next();
    if (following.length === 0) {
      await s3.putObject({ ...target, Body: part });
      return;
    }
    const { UploadId } = await s3.createMultipartUpload(target);
    if (UploadId === undefined) throw new TypeError("The server began an upload without an ID.");
    const into = { ...target, UploadId };
    begun = into;
    const sent: S3Part[] = [];
    let bytes = 0;
    const send = async (Body: Uint8Array): Promise<void> => {
      const PartNumber = sent.length + 1;
      if (PartNumber > MAX_PARTS) throw new ObjectTooLarge(MAX_PARTS * partBytes);
      const { ETag } = await s3.uploadPart({ ...into, PartNumber, Body });
      if (ETag === undefined) throw new TypeError("The server stored a part without an ETag.");
      sent.push({ ETag, PartNumber });
      bytes += Body.length;
    };
    await send(part);
    while (following.length > 0) {
      const recycled = part;
      part = following;
      const sending = send(part);
      // A stream that has nothing to give must not hide that the server failed.
      sending.catch((error: unknown) => void source.cancel(error));
      const [read, outcome] = await Promise.allSettled([source.next(recycled), sending]);
      if (outcome.status === "rejected") throw outcome.reason;
      if (read.status === "rejected") throw read.reason;
      following = read.value;
    }
    await complete(s3, into, sent, bytes);
  } catch (error) {
    await source.cancel(error);
    // What remains if this fails too is not an object; a sweep or a lifecycle rule removes it.
    if (begun !== undefined) await s3.abortMultipartUpload(begun).catch(() => undefined);
    throw error;
  }
}

async function complete(s3: S3, into: S3Upload, Parts: S3Part[], bytes: number): Promise<void> {
  try {
    await s3.completeMultipartUpload({ ...into, MultipartUpload: { Parts } });
  } catch (error) {
    if (faultOf(error).code !== "NoSuchUpload") throw error;
    // A repetition: the upload was complete, but the first answer was lost.
    for await (const found of listed(s3, into.Bucket, into.Key)) {
      if (found.key === into.Key && found.bytes === bytes) return;
    }
    throw error;
  }
}

/** Thrown if a stream does not end within the parts that an object can have. */
export class ObjectTooLarge extends Error {
  override readonly name = "ObjectTooLarge";

  constructor(maxBytes: number) {
    super(`An object can have at most ${maxBytes / 1_073_741_824} GiB.`);
  }
}

const NONE = new Uint8Array();

interface PartSource {
  /** Returns the next part, which is empty or small at the end. Writes into `recycled` if that is as large as a part. */
  next(recycled?: Uint8Array): Promise<Uint8Array>;
  /** Ends a pending `next`, too. */
  cancel(reason: unknown): Promise<void>;
}

function partsOf(content: ReadableStream<Uint8Array>, size: number): PartSource {
  const reader = content.getReader();
  let rest: Uint8Array = NONE;
  return {
    next: async (recycled = NONE) => {
      let part = recycled.buffer.byteLength === size ? new Uint8Array(recycled.buffer) : NONE;
      let filled = 0;
      while (filled < size) {
        if (rest.length === 0) {
          const next = await reader.read();
          if (next.done) break;
          rest = next.value;
          continue;
        }
        if (filled === part.length) part = grown(part, rest.length, size);
        const taken = rest.subarray(0, part.length - filled);
        part.set(taken, filled);
        filled += taken.length;
        rest = rest.subarray(taken.length);
      }
      return part.subarray(0, filled);
    },
    // If the stream is what failed, cancelling it fails too.
    cancel: (reason) => reader.cancel(reason).catch(() => undefined),
  };
}

/** Most contents are small. */
const LEAST_BYTES = 65_536;

function grown(part: Uint8Array, more: number, most: number): Uint8Array {
  const larger = new Uint8Array(Math.min(most, Math.max(2 * part.length, more, LEAST_BYTES)));
  larger.set(part);
  return larger;
}
