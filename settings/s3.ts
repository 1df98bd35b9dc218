import type { S3Access } from "../adapters/s3/fetch.ts";
import { done, refused } from "../lib/base/result.ts";
import { Failure } from "./failure.ts";
import { quoted, type Parse } from "./values.ts";

/** Part of a bucket: the objects whose keys begin with the prefix. */
export interface Bucket {
  readonly bucket: string;
  /** Empty, or ends with a slash. */
  readonly prefix: string;
}

const SCHEME = /^s3:\/\//i;

export function isBucketUrl(written: string): boolean {
  return SCHEME.test(written);
}

/** Parses `s3://BUCKET/PREFIX`. The prefix is not escaped; a slash at its end makes no difference. */
export const bucketOf: Parse<Bucket> = (written) => {
  const [bucket = "", ...parts] = written.replace(SCHEME, "").split("/");
  if (!isBucketUrl(written) || !/^[a-z\d][\w.-]{1,253}[a-z\d]$/i.test(bucket)) {
    return refused(`must be s3://BUCKET or s3://BUCKET/PREFIX, not ${quoted(written)}`);
  }
  if (parts.at(-1) === "") parts.pop();
  const misleading = parts.find((part) => ["", ".", ".."].includes(part));
  if (misleading !== undefined) {
    const found = misleading === "" ? "an empty part" : `the part ${quoted(misleading)}`;
    return refused(`must not have ${found} in its prefix`);
  }
  return done({ bucket, prefix: parts.map((part) => `${part}/`).join("") });
};

/** Returns a bucket as it could be written. */
export function bucketUrl({ bucket, prefix }: Bucket): string {
  return `s3://${bucket}/${prefix}`.replace(/\/$/, "");
}

/** Parses the address of a server: `https://minio.example.org`, possibly with a port and a path. */
export const endpointUrl: Parse<string> = (written) => {
  const url = URL.parse(written);
  const plain =
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    url.username + url.password + url.search + url.hash === "";
  return plain
    ? done(url.href.replace(/\/$/, ""))
    : refused(`must be a URL such as https://minio.example.org, not ${quoted(written)}`);
};

/** The options of the access to buckets. */
export interface S3Settings {
  readonly s3Endpoint: string | undefined;
  readonly s3Region: string | undefined;
  readonly s3AccessKeyId: string | undefined;
  readonly s3SecretAccessKey: string | undefined;
  readonly s3SessionToken: string | undefined;
}

/** AWS and most other servers know this region. */
const USUAL_REGION = "us-east-1";

/** Returns the access to S3-compatible storage; undefined without credentials. */
export function s3AccessIn({
  s3Endpoint: endpoint,
  s3Region: region = USUAL_REGION,
  s3AccessKeyId: accessKeyId,
  s3SecretAccessKey: secretAccessKey,
  s3SessionToken: sessionToken,
}: S3Settings): S3Access | undefined {
  return accessKeyId === undefined || secretAccessKey === undefined
    ? undefined
    : { endpoint, region, accessKeyId, secretAccessKey, sessionToken };
}

/** Returns the same as `s3AccessIn`; fails without credentials. */
export function s3AccessFor(url: string, settings: S3Settings): S3Access {
  const access = s3AccessIn(settings);
  if (access === undefined) throw new Failure("configuration", `${noAccess(url)}.`);
  return access;
}

export function noAccess(url: string): string {
  return `${url} needs s3-access-key-id and s3-secret-access-key`;
}
