import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { S3Access } from "../../adapters/s3/fetch.ts";

/** What an operation was asked for, as faults see it. */
export interface Asked {
  /** Such as `PutObject`, `UploadPart` or `ListObjectsV2`. */
  readonly operation: string;
  readonly key: string;
  /** How many of this operation came before. */
  readonly index: number;
}

/** What happens instead of an operation. */
export type Fault =
  /** An error with this code and status, before the operation. */
  | { readonly kind: "error"; readonly status: number; readonly code: string }
  /** The operation happens, but its response is an error with the status 200. */
  | { readonly kind: "disguised" }
  /** The operation happens, but its response is lost. */
  | { readonly kind: "lost" }
  /** No response at all. */
  | { readonly kind: "silent" }
  /** The body is cut off after so many bytes, and the connection is closed. */
  | { readonly kind: "cut"; readonly bytes: number }
  /** The body pauses forever after so many bytes. */
  | { readonly kind: "stall"; readonly bytes: number }
  /** One bit of the body is changed on its way to the client. */
  | { readonly kind: "flipped" };

export interface S3Server extends AsyncDisposable {
  readonly access: S3Access & { readonly endpoint: string };
  /** The operations so far, in order: `PutObject pets/a`. */
  readonly log: readonly string[];
  /** Decides on the fault of each operation; undefined for none. */
  fault: (asked: Asked) => Fault | undefined | Promise<Fault | undefined>;
  /** Keys with the sizes of their objects, sorted. */
  objects(bucket?: string): ReadonlyMap<string, number>;
  /** Changes the content of an object behind everybody's back. */
  tamper(key: string, content: Uint8Array): void;
  /** Number of uploads that neither were completed nor aborted. */
  unfinished(): number;
}

interface Stored {
  /** Files with the content, or the content. */
  readonly parts: readonly (string | Uint8Array)[];
  readonly size: number;
  readonly etag: string;
  readonly modified: string;
}

interface Upload {
  readonly bucket: string;
  readonly key: string;
  readonly parts: Map<number, Stored>;
}

const ACCESS_KEY = "AKIAIOSFODNN7EXAMPLE";
const SECRET_KEY = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";
const MAX_SKEW_MS = 15 * 60_000;
/** Smaller contents stay in memory. */
const IN_MEMORY_BYTES = 1_048_576;

/**
 * Starts a server for tests that speaks the S3 protocol as far as Petstore uses it: paths instead of host names, listings in
 * pages, copies, uploads in parts with their least size. Checks every signature (AWS Signature Version 4) and the digest of
 * every body. `server.fault` makes it misbehave.
 */
export async function startS3({
  buckets = ["pets"],
  region = "eu-central-1",
  pageSize = 1_000,
  minPartBytes = 5 * 1_048_576,
  port = 0,
  now = Date.now,
}: {
  readonly buckets?: readonly string[];
  readonly region?: string;
  readonly pageSize?: number;
  readonly minPartBytes?: number;
  readonly port?: number;
  readonly now?: () => number;
} = {}): Promise<S3Server> {
  const directory = await mkdtemp(join(tmpdir(), "pet-s3-"));
  const stored = new Map(buckets.map((name) => [name, new Map<string, Stored>()]));
  const uploads = new Map<string, Upload>();
  const counts = new Map<string, number>();
  const log: string[] = [];

  const keep = async (content: Uint8Array): Promise<Stored> => {
    let part: string | Uint8Array = content;
    if (content.length > IN_MEMORY_BYTES) {
      part = join(directory, randomBytes(12).toString("hex"));
      await Bun.write(part, content);
    }
    const etag = `"${createHash("md5").update(content).digest("hex")}"`;
    return { parts: [part], size: content.length, etag, modified: new Date(now()).toISOString() };
  };

  const perform = async (
    { operation, bucket, key, query, headers }: Operation,
    content: Uint8Array,
    objects: Map<string, Stored>,
  ): Promise<Response> => {
    const uploadId = query.get("uploadId") ?? "";
    const upload = uploads.get(uploadId);
    switch (operation) {
      case "PutObject": {
        const kept = await keep(content);
        objects.set(key, kept);
        return new Response(null, { headers: { etag: kept.etag } });
      }
      case "CopyObject": {
        const [from = "", ...rest] = decodeURIComponent(headers.get("x-amz-copy-source") ?? "")
          .replace(/^\//, "")
          .split("/");
        const source = stored.get(from)?.get(rest.join("/"));
        if (source === undefined) return failure(404, "NoSuchKey");
        const modified = new Date(now()).toISOString();
        objects.set(key, { ...source, modified });
        return xml("CopyObjectResult", `<ETag>${escape(source.etag)}</ETag>`);
      }
      case "GetObject": {
        const found = objects.get(key);
        if (found === undefined) return failure(404, "NoSuchKey");
        const ifMatch = headers.get("if-match");
        if (ifMatch !== null && ifMatch !== found.etag) return failure(412, "PreconditionFailed");
        const [, first, last = ""] = /^bytes=(\d+)-(\d*)$/.exec(headers.get("range") ?? "") ?? [];
        const shared = {
          etag: found.etag,
          "last-modified": new Date(found.modified).toUTCString(),
        };
        if (first === undefined) {
          const length = { "content-length": String(found.size) };
          return new Response(bodyOf(found, 0, found.size), { headers: { ...shared, ...length } });
        }
        const start = Number(first);
        const end = Math.min(found.size, last === "" ? found.size : Number(last) + 1);
        if (start >= found.size) return failure(416, "InvalidRange");
        const range = `bytes ${start}-${end - 1}/${found.size}`;
        const length = { "content-length": String(end - start) };
        const all = { ...shared, ...length, "content-range": range };
        return new Response(bodyOf(found, start, end), { status: 206, headers: all });
      }
      case "DeleteObject":
        objects.delete(key);
        return new Response(null, { status: 204 });
      case "ListObjectsV2": {
        const prefix = query.get("prefix") ?? "";
        const [encoding, shown] = encodingOf(query);
        const after = query.get("continuation-token");
        const most = Math.min(pageSize, Number(query.get("max-keys") ?? pageSize));
        const all = [...objects].filter(([name]) => name.startsWith(prefix)).toSorted(byKey);
        const last = after === null ? "" : Buffer.from(after, "base64").toString();
        const rest = all.filter(([name]) => name > last);
        const page = rest.slice(0, most);
        const cut = rest.length > page.length;
        const token = Buffer.from(page.at(-1)?.[0] ?? "").toString("base64");
        return xml(
          "ListBucketResult",
          `<IsTruncated>${cut}</IsTruncated>${encoding}<KeyCount>${page.length}</KeyCount>` +
            (cut ? `<NextContinuationToken>${token}</NextContinuationToken>` : "") +
            page
              .map(
                ([name, { size, etag, modified }]) =>
                  `<Contents><Key>${shown(name)}</Key><LastModified>${modified}</LastModified><ETag>${escape(etag)}</ETag><Size>${size}</Size><StorageClass>STANDARD</StorageClass></Contents>`,
              )
              .join(""),
        );
      }
      case "CreateMultipartUpload": {
        const id = randomBytes(12).toString("base64url");
        uploads.set(id, { bucket, key, parts: new Map() });
        return xml("InitiateMultipartUploadResult", `<UploadId>${id}</UploadId>`);
      }
      case "UploadPart": {
        if (upload === undefined) return failure(404, "NoSuchUpload");
        const kept = await keep(content);
        upload.parts.set(Number(query.get("partNumber")), kept);
        return new Response(null, { headers: { etag: kept.etag } });
      }
      case "CompleteMultipartUpload": {
        if (upload === undefined) return failure(404, "NoSuchUpload");
        const text = new TextDecoder().decode(content);
        const named = Array.from(text.matchAll(/<Part>(.*?)<\/Part>/gs), ([, part = ""]) => ({
          number: Number(/<PartNumber>(\d+)</.exec(part)?.[1]),
          etag: (/<ETag>([^<]+)</.exec(part)?.[1] ?? "").replaceAll("&quot;", '"'),
        }));
        const parts: Stored[] = [];
        for (const { number, etag } of named) {
          const part = upload.parts.get(number);
          if (part?.etag !== etag) return failure(400, "InvalidPart");
          parts.push(part);
        }
        if (parts.length === 0) return failure(400, "MalformedXML");
        if (parts.slice(0, -1).some(({ size }) => size < minPartBytes)) {
          return failure(400, "EntityTooSmall");
        }
        objects.set(key, {
          parts: parts.flatMap((part) => part.parts),
          size: parts.reduce((sum, { size }) => sum + size, 0),
          etag: `"${randomBytes(16).toString("hex")}-${parts.length}"`,
          modified: new Date(now()).toISOString(),
        });
        uploads.delete(uploadId);
        return xml("CompleteMultipartUploadResult", `<Key>${escape(key)}</Key>`);
      }
      case "AbortMultipartUpload":
        return uploads.delete(uploadId)
          ? new Response(null, { status: 204 })
          : failure(404, "NoSuchUpload");
      case "ListMultipartUploads": {
        const prefix = query.get("prefix") ?? "";
        const all = [...uploads]
          .filter(([, one]) => one.bucket === bucket && one.key.startsWith(prefix))
          .map(([id, one]) => ({ id, key: one.key }))
          .toSorted((a, b) => byKey([a.key + a.id], [b.key + b.id]));
        const [afterKey, afterId] = [
          query.get("key-marker") ?? "",
          query.get("upload-id-marker") ?? "",
        ];
        const rest = all.filter(({ id, key: name }) => name + id > afterKey + afterId);
        const page = rest.slice(0, pageSize);
        const last = page.at(-1);
        return xml(
          "ListMultipartUploadsResult",
          `<EncodingType>url</EncodingType><IsTruncated>${rest.length > page.length}</IsTruncated>` +
            `<NextKeyMarker>${listedKey(last?.key ?? "")}</NextKeyMarker><NextUploadIdMarker>${last?.id ?? ""}</NextUploadIdMarker>` +
            page
              .map(
                ({ id, key: name }) =>
                  `<Upload><Key>${listedKey(name)}</Key><UploadId>${id}</UploadId></Upload>`,
              )
              .join(""),
        );
      }
      default:
        return failure(501, "NotImplemented");
    }
  };

  const answer = async (request: Request, content: Uint8Array): Promise<Response> => {
    const asked = operationOf(request);
    const index = counts.get(asked.operation) ?? 0;
    counts.set(asked.operation, index + 1);
    log.push(`${asked.operation} ${asked.key}`);
    const refused = refusalOf(request, content, { region, now: now() });
    if (refused !== undefined) return refused;
    const objects = stored.get(asked.bucket);
    if (objects === undefined) return failure(404, "NoSuchBucket");
    const fault = await server.fault({ operation: asked.operation, key: asked.key, index });
    if (fault === undefined) return perform(asked, content, objects);
    switch (fault.kind) {
      case "error":
        return failure(fault.status, fault.code);
      case "silent":
        return new Promise<never>(() => {});
      case "lost":
        await perform(asked, content, objects);
        return new Promise<never>(() => {});
      case "disguised":
        return new Response(await failure(500, "InternalError").text());
      case "cut":
      case "stall":
      case "flipped":
        return spoilt(await perform(asked, content, objects), fault);
    }
  };

  // Unlike Bun.serve, it announces the length of a streamed body, as S3 does.
  const http = createServer((incoming, outgoing) => {
    const body: Buffer[] = [];
    incoming.on("data", (part: Buffer) => body.push(part));
    incoming.on("end", () => void reply(incoming, Buffer.concat(body), outgoing));
  });
  const reply = async (
    { method = "", url = "", headers }: IncomingMessage,
    content: Uint8Array,
    outgoing: ServerResponse,
  ): Promise<void> => {
    const fields = Object.entries(headers).map(([name, value]): [string, string] => [
      name,
      String(value),
    ]);
    const request = new Request(`http://${headers.host}${url}`, { method, headers: fields });
    try {
      const response = await answer(request, content);
      outgoing.writeHead(response.status, Object.fromEntries(response.headers));
      for await (const part of response.body ?? []) {
        if (!outgoing.write(part)) await once(outgoing, "drain");
      }
      outgoing.end();
    } catch {
      outgoing.destroy();
    }
  };
  await once(http.listen(port, "127.0.0.1"), "listening");
  const address = http.address();
  const listening = typeof address === "object" ? address?.port : undefined;
  const server: S3Server = {
    access: {
      endpoint: `http://127.0.0.1:${listening}`,
      region,
      accessKeyId: ACCESS_KEY,
      secretAccessKey: SECRET_KEY,
    },
    log,
    fault: () => undefined,
    objects: (bucket = "pets") =>
      new Map(
        [...(stored.get(bucket) ?? [])].toSorted(byKey).map(([key, { size }]) => [key, size]),
      ),
    tamper: (key, content) => {
      for (const objects of stored.values()) {
        const found = objects.get(key);
        if (found !== undefined)
          objects.set(key, { ...found, parts: [content], size: content.length });
      }
    },
    unfinished: () => uploads.size,
    [Symbol.asyncDispose]: async () => {
      http.closeAllConnections();
      http.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
  return server;
}

interface Operation {
  readonly operation: string;
  readonly bucket: string;
  readonly key: string;
  readonly query: URLSearchParams;
  readonly headers: Headers;
}

function operationOf({ method, url, headers }: Request): Operation {
  const { pathname, searchParams: query } = new URL(url);
  const [bucket = "", ...rest] = pathname.slice(1).split("/").map(decodeURIComponent);
  const key = rest.join("/");
  const name = ((): string => {
    switch (method) {
      case "PUT":
        if (query.has("uploadId")) return "UploadPart";
        return headers.has("x-amz-copy-source") ? "CopyObject" : "PutObject";
      case "POST":
        return query.has("uploads") ? "CreateMultipartUpload" : "CompleteMultipartUpload";
      case "DELETE":
        return query.has("uploadId") ? "AbortMultipartUpload" : "DeleteObject";
      case "GET":
        if (key !== "") return "GetObject";
        return query.has("uploads") ? "ListMultipartUploads" : "ListObjectsV2";
      default:
        return "";
    }
  })();
  return { operation: name, bucket, key, query, headers };
}

/**
 * Returns the response to a request that is not signed as AWS Signature Version 4 demands
 * (docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html); undefined if it is.
 */
export function refusalOf(
  { method, url, headers }: Request,
  content: Uint8Array,
  {
    region,
    now,
    accessKeyId = ACCESS_KEY,
    secretAccessKey = SECRET_KEY,
  }: {
    readonly region: string;
    readonly now: number;
    readonly accessKeyId?: string;
    readonly secretAccessKey?: string;
  },
): Response | undefined {
  const [, credential = "", signedHeaders = "", signature = ""] =
    /^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=([\da-f]{64})$/.exec(
      headers.get("authorization") ?? "",
    ) ?? [];
  const [id, day = "", wantedRegion, service, end] = credential.split("/");
  if (id === undefined || service !== "s3" || end !== "aws4_request") {
    return failure(403, "AccessDenied");
  }
  if (id !== accessKeyId) return failure(403, "InvalidAccessKeyId");
  if (wantedRegion !== region) {
    return failure(400, "AuthorizationHeaderMalformed", `<Region>${region}</Region>`);
  }
  const time = headers.get("x-amz-date") ?? "";
  const at = Date.parse(
    time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"),
  );
  if (!(Math.abs(now - at) <= MAX_SKEW_MS) || !time.startsWith(day)) {
    return failure(403, "RequestTimeTooSkewed");
  }
  const names = signedHeaders.split(";");
  const must = ["host", ...[...headers.keys()].filter((name) => name.startsWith("x-amz-"))];
  if (must.some((name) => !names.includes(name))) return failure(403, "AccessDenied");
  const digest = headers.get("x-amz-content-sha256") ?? "";
  if (digest !== "UNSIGNED-PAYLOAD" && digest !== sha256(content))
    return failure(400, "XAmzContentSHA256Mismatch");

  const address = new URL(url);
  const path = address.pathname
    .split("/")
    .map((part) => uriEncode(decodeURIComponent(part)))
    .join("/");
  const query = [...address.searchParams]
    .map(([name, value]) => `${uriEncode(name)}=${uriEncode(value)}`)
    .toSorted()
    .join("&");
  const fields = names.map(
    (name) => `${name}:${(headers.get(name) ?? "").trim().replaceAll(/ +/g, " ")}\n`,
  );
  const canonical = [method, path, query, fields.join(""), signedHeaders, digest].join("\n");
  const scope = `${day}/${region}/s3/aws4_request`;
  const toSign = ["AWS4-HMAC-SHA256", time, scope, sha256(Buffer.from(canonical))].join("\n");
  const key = [day, region, "s3", "aws4_request"].reduce<Uint8Array>(
    (before, part) => createHmac("sha256", before).update(part).digest(),
    Buffer.from(`AWS4${secretAccessKey}`),
  );
  const right = createHmac("sha256", key).update(toSign).digest();
  return timingSafeEqual(right, Buffer.from(signature, "hex"))
    ? undefined
    : failure(403, "SignatureDoesNotMatch");
}

function sha256(content: Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

/** Escapes everything but unreserved characters. */
function uriEncode(text: string): string {
  return Array.from(Buffer.from(text), (byte) => {
    const one = String.fromCharCode(byte);
    return /[\w.~-]/.test(one) ? one : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }).join("");
}

function failure(status: number, code: string, more = ""): Response {
  const text = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>This is ${code}.</Message>${more}<RequestId>4442587FB7D0A2F9</RequestId></Error>`;
  return new Response(text, { status, headers: { "content-type": "application/xml" } });
}

function xml(root: string, content: string): Response {
  const text = `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${content}</${root}>`;
  return new Response(text, { headers: { "content-type": "application/xml" } });
}

function escape(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

/** Returns the element that announces escaped keys, and how keys are written. */
function encodingOf(query: URLSearchParams): readonly [string, (key: string) => string] {
  return query.get("encoding-type") === "url"
    ? ["<EncodingType>url</EncodingType>", listedKey]
    : ["", escape];
}

/** As AWS lists keys with `encoding-type=url`. */
function listedKey(key: string): string {
  return uriEncode(key).replaceAll("%20", "+").replaceAll("%2F", "/");
}

function byKey([a]: readonly [string, ...unknown[]], [b]: readonly [string, ...unknown[]]): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** Streams the bytes from `start` to `end` of an object. */
function bodyOf({ parts }: Stored, start: number, end: number): ReadableStream<Uint8Array> {
  async function* chunks(): AsyncGenerator<Uint8Array> {
    let offset = 0;
    for (const part of parts) {
      const size = typeof part === "string" ? Bun.file(part).size : part.length;
      const [from, to] = [Math.max(0, start - offset), Math.min(size, end - offset)];
      offset += size;
      for (let at = from; at < to; at += 262_144) {
        const until = Math.min(to, at + 262_144);
        yield typeof part === "string"
          ? new Uint8Array(await Bun.file(part).slice(at, until).arrayBuffer())
          : part.subarray(at, until);
      }
    }
  }
  const source = chunks();
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const next = await source.next();
      if (next.done === true) controller.close();
      else controller.enqueue(next.value);
    },
  });
}

/** Spoils the body of a response. */
function spoilt(
  response: Response,
  fault: Extract<Fault, { readonly kind: "cut" | "stall" | "flipped" }>,
): Response {
  const reader = response.body?.getReader();
  let left = fault.kind === "flipped" ? Infinity : fault.bytes;
  let first = true;
  const body = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      if (left <= 0) {
        if (fault.kind !== "cut") return new Promise<never>(() => {});
        // A closed connection loses what was not sent yet.
        await Bun.sleep(50);
        controller.error(new Error("cut"));
        return undefined;
      }
      const next = await reader?.read();
      if (next === undefined || next.done) {
        controller.close();
        return undefined;
      }
      const part = next.value.slice(0, left);
      if (fault.kind === "flipped" && first) part[0] = (part[0] ?? 0) ^ 1;
      first = false;
      left -= part.length;
      controller.enqueue(part);
      return undefined;
    },
  });
  return new Response(body, { status: response.status, headers: response.headers });
}
