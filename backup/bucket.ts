import { fetchS3, S3Error, type S3Access } from "../adapters/s3/fetch.ts";
import { faultOf, isMissing, listed, ObjectTooLarge, upload } from "../adapters/s3/client.ts";
import type { Clock } from "../lib/base/clock.ts";
import { lazyStream } from "../lib/publishing/archive/byte-source.ts";
import { Failure, type Exit } from "../settings/failure.ts";
import { bucketUrl, type Bucket } from "../settings/s3.ts";
import type { Objects } from "./ports.ts";

/** Large enough for objects of 78 GiB, the most that 10,000 parts hold. Two parts are in memory at a time. */
const PART_BYTES = 8 * 1_048_576;
/** Backups outlast short outages: with pauses of 250 ms, 500 ms and so on, half a minute. */
const ATTEMPTS = 8;

interface BucketOptions {
  readonly clock?: Clock;
  readonly attempts?: number;
  readonly patienceMs?: number;
  readonly partBytes?: number;
}

/**
 * Stores objects in S3-compatible storage. The server verifies each request by its signature, so an object is complete as soon
 * as it is visible; `verify` reads it under its own name.
 */
export function bucketObjects(
  at: Bucket,
  access: S3Access,
  { partBytes = PART_BYTES, ...given }: BucketOptions = {},
): Objects {
  const { bucket, prefix } = at;
  const place = bucketUrl(at);
  const s3 = fetchS3({ ...access, attempts: ATTEMPTS, ...given });
  const asked = async <Value>(doing: string, asking: Promise<Value>): Promise<Value> => {
    try {
      return await asking;
    } catch (error) {
      throw failureAt(place, doing, error);
    }
  };
  const objectOf = (name: string) => ({ Bucket: bucket, Key: keyOf(prefix, name) });

  const get = async (name: string): Promise<ReadableStream<Uint8Array> | undefined> => {
    try {
      const { Body } = await s3.getObject(objectOf(name));
      return Body && reporting(Body.transformToWebStream(), place);
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw failureAt(place, `read ${name}`, error);
    }
  };

  return {
    place,
    put: async (name, content, verify) => {
      const target = objectOf(name);
      await asked(`write ${name}`, upload(s3, target, content, { partBytes }));
      if (verify === undefined) return;
      try {
        await verify(async () => {
          const stored = await get(name);
          if (stored === undefined) throw new Failure("failed", `${place}/${name} was removed.`);
          return stored;
        });
      } catch (error) {
        await asked(`remove ${name}`, s3.deleteObject(target));
        throw error;
      }
    },
    get,
    list: async function* (start) {
      try {
        for await (const { key, bytes } of listed(s3, bucket, prefix + start)) {
          yield { name: key.slice(prefix.length), bytes };
        }
      } catch (error) {
        throw failureAt(place, "list the objects", error);
      }
    },
    delete: async (name) => {
      try {
        await s3.deleteObject(objectOf(name));
      } catch (error) {
        if (!isMissing(error)) throw failureAt(place, `remove ${name}`, error);
      }
    },
    sweep: async (start, owned) => {
      const unfinished = await asked(
        "list unfinished uploads",
        s3.unfinishedUploads({ Bucket: bucket, Prefix: prefix + start }),
      );
      for (const one of unfinished) {
        if (!owned(one.Key.slice(prefix.length))) continue;
        try {
          await s3.abortMultipartUpload(one);
        } catch (error) {
          // Another process ended it.
          if (!isMissing(error)) throw failureAt(place, "remove an unfinished upload", error);
        }
      }
    },
  };
}

/** Addresses with dot segments lead elsewhere (RFC 3986 §5.2.4). */
function keyOf(prefix: string, name: string): string {
  if (name.split("/").some((part) => part === "." || part === "..")) {
    throw new Failure("usage", `${name} cannot be the name of an object.`);
  }
  return prefix + name;
}

/** Passes a stream on, with failures for the operator. */
function reporting(stream: ReadableStream<Uint8Array>, place: string): ReadableStream<Uint8Array> {
  const reader = stream.getReader();
  return lazyStream(
    async () => {
      try {
        return (await reader.read()).value;
      } catch (error) {
        throw failureAt(place, "read", error);
      }
    },
    (reason) => reader.cancel(reason),
  );
}

/** Converts an error of the storage to a sentence for the operator. Errors of others stay as they are. */
export function failureAt(place: string, doing: string, error: unknown): unknown {
  if (error instanceof ObjectTooLarge) {
    return new Failure("failed", `${place}: cannot ${doing}: ${error.message}`, { cause: error });
  }
  if (!(error instanceof S3Error)) return error;
  const { code = "", status } = faultOf(error);
  const [exit, reason] = reasonOf(code, status, error);
  return new Failure(exit, `${place}: cannot ${doing}: ${reason}`, { cause: error });
}

function reasonOf(
  code: string,
  status: number | undefined,
  { message, region }: S3Error,
): readonly [Exit, string] {
  if (status === undefined) return ["tryLater", message];
  switch (code) {
    case "NoSuchBucket":
      return ["configuration", "the bucket does not exist. Create it, or correct its name."];
    case "InvalidAccessKeyId":
      return ["configuration", "the server does not know the access key. Check s3-access-key-id."];
    case "SignatureDoesNotMatch":
      return ["configuration", "the secret key is wrong. Check s3-secret-access-key."];
    case "ExpiredToken":
    case "InvalidToken":
      return ["configuration", "the temporary credentials have expired. Get new ones."];
    case "RequestTimeTooSkewed":
      return ["configuration", "the clock of this machine is wrong. Set it by NTP."];
    case "AccessDenied":
      return ["denied", "the access key lacks the permission."];
  }
  if (code === "AuthorizationHeaderMalformed" || (status >= 300 && status < 400)) {
    const fix = region === undefined ? "" : ` It is in ${region}: set s3-region.`;
    return ["configuration", `the bucket is in another region.${fix}`];
  }
  const why = `${message.replace(/\.$/, "")} (${code}).`;
  return [status >= 500 || status === 429 ? "tryLater" : "failed", why];
}
