import { AwsV4Signer } from "aws4fetch";

import { isoTime, MINUTE_MS, SECOND_MS, systemClock, type Clock } from "../../lib/base/clock.ts";
import { hex, webDigest } from "../../lib/base/digest.ts";
import { lazyStream } from "../../lib/publishing/archive/byte-source.ts";
import { faultOf, type S3, type S3Upload } from "./client.ts";
import { elementsIn, escaped, keyDecoder, textIn } from "./xml.ts";
import { withoutUndefined } from "../../lib/base/without-undefined.ts";

/** Where a bucket is, and the credentials for it. Consists of plain values. */
export interface S3Access {
  /** `https://minio.example.org`. Default: AWS in the region. */
  readonly endpoint?: string | undefined;
  readonly region: string;
  readonly accessKeyId: string;
  /** A secret. */
  readonly secretAccessKey: string;
  /** A secret, of temporary credentials. */
  readonly sessionToken?: string | undefined;
}

export interface FetchS3Options extends S3Access {
  readonly clock?: Clock;
  /** How often a request is sent until it succeeds, if the server fails or cannot be reached. Default: 4. */
  readonly attempts?: number;
  /** How long a response may take, in milliseconds, and how long its body may pause. Default: a minute. */
  readonly patienceMs?: number;
}

/** What else this client can do. */
export interface FetchS3 extends S3 {
  /** Returns the uploads in parts that neither were completed nor aborted. */
  unfinishedUploads(input: {
    readonly Bucket: string;
    readonly Prefix: string;
  }): Promise<readonly S3Upload[]>;
}

/** A response of S3 that is an error, or none at all. */
export class S3Error extends Error {
  /** The error code of S3; `Unreachable` without a response. */
  override readonly name: string;
  readonly $metadata: { readonly httpStatusCode?: number };
  /** The bucket's region, if the server names it because the request was for another. */
  readonly region: string | undefined;

  constructor(
    name: string,
    message: string,
    {
      status,
      region,
      ...options
    }: ErrorOptions & { readonly status?: number; readonly region?: string | undefined } = {},
  ) {
    super(message, options);
    this.name = name;
    this.$metadata = status === undefined ? {} : { httpStatusCode: status };
    this.region = region;
  }
}

interface Call {
  readonly method: "GET" | "PUT" | "POST" | "DELETE";
  readonly bucket: string;
  readonly key?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

/**
 * Creates a client of S3-compatible storage over `fetch`, which signs every request with its content (AWS Signature Version
 * 4), so that the server refuses what was changed on the way. Repeats what the server could not do, with growing pauses.
 */
export function fetchS3(options: FetchS3Options): FetchS3 {
  const { clock = systemClock, attempts = 4, patienceMs = MINUTE_MS } = options;
  const signingKeys = new Map<string, ArrayBuffer>();

  const sendOnce = async (call: Call): Promise<Reply> => {
    const { method, body } = call;
    const url = addressOf(options, call);
    const { headers } = await new AwsV4Signer({
      accessKeyId: options.accessKeyId,
      secretAccessKey: options.secretAccessKey,
      ...withoutUndefined({ sessionToken: options.sessionToken }),
      method,
      url,
      headers: {
        ...call.headers,
        "x-amz-content-sha256": hex(await webDigest.sha256(body ?? new Uint8Array())),
      },
      service: "s3",
      region: options.region,
      cache: signingKeys,
      datetime: isoTime(clock.now()).replaceAll(/[:-]|\.\d{3}/g, ""),
    }).sign();
    const patience = patient(url, patienceMs + (body?.length ?? 0) / SLOWEST_BYTES_PER_MS, clock);
    try {
      const response = await patience.await(
        fetch(url, {
          method,
          headers,
          redirect: "manual",
          signal: patience.signal,
          ...withoutUndefined({ body: body && asBody(body) }),
        }),
      );
      if (response.ok) return { response, patience };
      const text = await patience.await(documentOf(response));
      throw errorOf(response.status, text, response.headers);
    } catch (error) {
      patience.end();
      throw error;
    }
  };

  /** Sends a request until it succeeds and its reply could be read. */
  const send = async <Value>(
    call: Call,
    read: (reply: Reply) => Promise<Value>,
  ): Promise<Value> => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await read(await sendOnce(call));
      } catch (error) {
        if (attempt >= attempts || !mayPass(error)) throw error;
        await clock.sleep(FIRST_PAUSE_MS * 2 ** (attempt - 1));
      }
    }
  };

  /** Sends a request whose response is short, and has this element if it is one of S3. */
  const sendForText = (call: Call, element?: string): Promise<{ text: string; headers: Headers }> =>
    send(call, async ({ response, patience }) => {
      try {
        const text = await patience.await(documentOf(response));
        const { headers } = response;
        // Some operations begin their response before they know the outcome.
        if (textIn(text, "Error") !== undefined) throw errorOf(500, text, headers);
        if (element !== undefined && !text.includes(`<${element}`)) throw notS3();
        return { text, headers };
      } finally {
        patience.end();
      }
    });

  /** Reads the body of an object; continues where the connection broke, if the object is still the same. */
  const bodyOf = (call: Call, opened: Reply): ReadableStream<Uint8Array> => {
    const { headers } = opened.response;
    const etag = headers.get("etag");
    const length = headers.get("content-length");
    const [, first = "0"] = /^bytes (\d+)-/.exec(headers.get("content-range") ?? "") ?? [];
    let offset = Number(first);
    const end = length === null ? undefined : offset + Number(length);
    let { patience } = opened;
    let reader = opened.response.body?.getReader();
    let failures = 0;

    const next = async (): Promise<Uint8Array | undefined> => {
      try {
        const read = reader === undefined ? ENDED : await patience.await(reader.read());
        if (!read.done) {
          offset += read.value.length;
          failures = 0;
          return read.value;
        }
        if (offset < (end ?? 0)) throw new S3Error("Unreachable", "The response was cut off.");
        patience.end();
        return undefined;
      } catch (error) {
        patience.end();
        failures++;
        if (failures >= attempts || etag === null || end === undefined) throw error;
      }
      const rest = { range: `bytes=${offset}-${end - 1}`, "if-match": etag };
      const again = await send({ ...call, headers: rest }, async (reply) => reply);
      ({ patience } = again);
      reader = again.response.body?.getReader();
      if (again.response.status === 206) return next();
      patience.end();
      throw new S3Error("Unreachable", "The response was cut off, and cannot be continued.");
    };
    return lazyStream(next, async (reason) => {
      await reader?.cancel(reason).catch(() => undefined);
      patience.end();
    });
  };

  return {
    putObject: async ({ Bucket: bucket, Key: key, Body: body }) => {
      await sendForText({ method: "PUT", bucket, key, body });
    },
    getObject: async ({ Bucket: bucket, Key: key, Range: range }) => {
      const call: Call = { method: "GET", bucket, key };
      const headers = range === undefined ? {} : { range };
      const opened = await send({ ...call, headers }, async (reply) => {
        if (reply.response.headers.has("etag")) return reply;
        reply.patience.end();
        throw notS3();
      });
      return { Body: { transformToWebStream: () => bodyOf(call, opened) } };
    },
    copyObject: async ({ Bucket: bucket, Key: key, CopySource }) => {
      const headers = { "x-amz-copy-source": CopySource };
      await sendForText({ method: "PUT", bucket, key, headers }, "CopyObjectResult");
    },
    deleteObject: async ({ Bucket: bucket, Key: key }) => {
      await sendForText({ method: "DELETE", bucket, key });
    },
    listObjectsV2: async ({ Bucket: bucket, Prefix, ContinuationToken, MaxKeys }) => {
      const query = {
        "list-type": "2",
        "encoding-type": "url",
        ...withoutUndefined({
          prefix: Prefix,
          "continuation-token": ContinuationToken,
          "max-keys": MaxKeys?.toString(),
        }),
      };
      const { text } = await sendForText({ method: "GET", bucket, query }, "ListBucketResult");
      return {
        Contents: listedIn(text, "Contents").map(({ key, xml }) => ({
          Key: key,
          Size: Number(textIn(xml, "Size")),
        })),
        NextContinuationToken:
          textIn(text, "IsTruncated") === "true"
            ? textIn(text, "NextContinuationToken")
            : undefined,
      };
    },
    createMultipartUpload: async ({ Bucket: bucket, Key: key }) => {
      const call: Call = { method: "POST", bucket, key, query: { uploads: "" } };
      const { text } = await sendForText(call, "UploadId");
      return { UploadId: textIn(text, "UploadId") };
    },
    uploadPart: async ({ Bucket: bucket, Key: key, UploadId, PartNumber, Body: body }) => {
      const query = { partNumber: String(PartNumber), uploadId: UploadId };
      const { headers } = await sendForText({ method: "PUT", bucket, key, query, body });
      return { ETag: headers.get("etag") ?? undefined };
    },
    completeMultipartUpload: async ({ Bucket: bucket, Key: key, UploadId, MultipartUpload }) => {
      const parts = MultipartUpload.Parts.map(
        ({ ETag, PartNumber }) =>
          `<Part><PartNumber>${PartNumber}</PartNumber><ETag>${escaped(ETag)}</ETag></Part>`,
      );
      const body = new TextEncoder().encode(
        `<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`,
      );
      const call: Call = { method: "POST", bucket, key, query: { uploadId: UploadId }, body };
      await sendForText(call, "CompleteMultipartUploadResult");
    },
    abortMultipartUpload: async ({ Bucket: bucket, Key: key, UploadId }) => {
      await sendForText({ method: "DELETE", bucket, key, query: { uploadId: UploadId } });
    },
    unfinishedUploads: async ({ Bucket: bucket, Prefix }) => {
      const found: S3Upload[] = [];
      let markers = {};
      for (;;) {
        const query = { uploads: "", prefix: Prefix, "encoding-type": "url", ...markers };
        const call: Call = { method: "GET", bucket, query };
        const { text } = await sendForText(call, "ListMultipartUploadsResult");
        for (const { key, xml } of listedIn(text, "Upload")) {
          found.push({ Bucket: bucket, Key: key, UploadId: textIn(xml, "UploadId") ?? "" });
        }
        const keyMarker = keyDecoder(text)(textIn(text, "NextKeyMarker") ?? "");
        if (keyMarker === undefined) throw notS3();
        if (textIn(text, "IsTruncated") !== "true" || keyMarker === "") return found;
        const next = {
          "key-marker": keyMarker,
          "upload-id-marker": textIn(text, "NextUploadIdMarker") ?? "",
        };
        if (JSON.stringify(next) === JSON.stringify(markers)) {
          throw new TypeError("The server repeats a page of its list.");
        }
        markers = next;
      }
    },
  };
}

interface Reply {
  readonly response: Response;
  readonly patience: Patience;
}

/** Ends a request whose server is silent. */
interface Patience {
  readonly signal: AbortSignal;
  /** Rejects with `S3Error` if the promise rejects, and if it takes too long. */
  await<Value>(promise: Promise<Value>): Promise<Value>;
  /** Closes a connection that is still in use. */
  end(): void;
}

function patient(url: string, ms: number, clock: Clock): Patience {
  const controller = new AbortController();
  const { host } = new URL(url);
  return {
    signal: controller.signal,
    await: async (promise) => {
      const settled = new AbortController();
      const late = clock.sleep(ms, settled.signal).then((): never => {
        controller.abort();
        throw new Error(`no answer within ${Math.round(ms / SECOND_MS)} seconds`);
      });
      try {
        return await Promise.race([promise, late]);
      } catch (cause) {
        const reason = cause instanceof Error ? cause.message : String(cause);
        const message = `${host} cannot be reached: ${reason.replace(/\.$/, "")}.`;
        throw new S3Error("Unreachable", message, { cause });
      } finally {
        late.catch(() => undefined);
        settled.abort();
      }
    },
    end: () => controller.abort(),
  };
}

const FIRST_PAUSE_MS = 250;
/** Slower uploads fail. */
const SLOWEST_BYTES_PER_MS = 32;
const ENDED = { done: true } as const;

/** Returns whether a repetition may succeed. */
function mayPass(error: unknown): boolean {
  const { code, status } = faultOf(error);
  return status === undefined || PASSING.has(status) || code === "RequestTimeout";
}

const PASSING: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);

/** Returns the address of a bucket or object: buckets are host names at AWS, and paths elsewhere. */
function addressOf({ endpoint, region }: S3Access, { bucket, key, query = {} }: Call): string {
  const path = key === undefined ? "" : key.split("/").map(encoded).join("/");
  const search = Object.entries(query)
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .join("&");
  const suffix = path + (search === "" ? "" : `?${search}`);
  if (endpoint !== undefined) return `${endpoint.replace(/\/$/, "")}/${bucket}/${suffix}`;
  const domain = region.startsWith("cn-") ? "amazonaws.com.cn" : "amazonaws.com";
  // The certificate of AWS is for one label.
  return bucket.includes(".")
    ? `https://s3.${region}.${domain}/${bucket}/${suffix}`
    : `https://${bucket}.s3.${region}.${domain}/${suffix}`;
}

/** Escapes everything but unreserved characters (RFC 3986 §2.3), as the signature requires. */
function encoded(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** Returns the error for a proxy or web server that answers instead: an empty list would look as if everything was removed. */
function notS3(): S3Error {
  return new S3Error("Unreachable", "The answer is not one of S3-compatible storage.");
}

function errorOf(status: number, text: string, headers: Headers): S3Error {
  const code = textIn(text, "Code") ?? `HTTP ${status}`;
  const region = headers.get("x-amz-bucket-region") ?? textIn(text, "Region");
  const message = textIn(text, "Message") ?? `The server answered with the status ${status}.`;
  return new S3Error(code, message, { status, region });
}

/** A page of a list has at most 1,000 keys, of up to 1,024 bytes each, which may be escaped. */
const MAX_ANSWER_BYTES = 16 * 1_048_576;

/** Reads a document. Rejects with `S3Error` if it is longer than any of S3. */
async function documentOf({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let [text, bytes] = ["", 0];
  const reader = body?.getReader();
  for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) {
    bytes += part.value.length;
    if (bytes > MAX_ANSWER_BYTES) {
      await reader?.cancel();
      throw notS3();
    }
    text += decoder.decode(part.value, { stream: true });
  }
  return text + decoder.decode();
}

/** Returns the objects or uploads that a document lists, each with its key. */
function listedIn(text: string, element: string): readonly { key: string; xml: string }[] {
  const decode = keyDecoder(text);
  return elementsIn(text, element).map((xml) => {
    const key = decode(textIn(xml, "Key") ?? "");
    if (key === undefined) throw notS3();
    return { key, xml };
  });
}

// The DOM types require an ArrayBuffer behind a view.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const asBody = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => bytes as Uint8Array<ArrayBuffer>;
