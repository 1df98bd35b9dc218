import type { Problem } from "../base/problem.ts";
import type { Result } from "../base/result.ts";
import type { InputOf, OperationsOf } from "../http/operation.ts";
import type { importEndpoints } from "../import/routes/imports.ts";
import type { ImportView } from "../import/job/shapes.ts";
import { readAnswer } from "./client.ts";

const CREATE = "POST /accounts/:account/:environment/imports";

const ADD_PHOTOS = "PUT /accounts/:account/:environment/imports/:import/photos";

type ImportOperations = OperationsOf<ReturnType<typeof importEndpoints>>;
type Input = InputOf<ImportOperations[typeof CREATE]>;
type PhotosInput = InputOf<ImportOperations[typeof ADD_PHOTOS]>;

/** A file of animals to be uploaded. */
export interface ImportFile extends Pick<Input, "account" | "environment"> {
  /** The name to show; empty if the file has none. */
  readonly fileName: string;
  readonly content: ReadableStream<Uint8Array>;
}

/** An archive of photos to be uploaded beside the file of an import. */
export interface ImportPhotos extends ImportFile {
  readonly import: string;
}

/** The part of a `ManagementClient` that an upload needs. */
export interface ImportUploads {
  open(operation: typeof CREATE, input: Omit<Input, "body">, init: RequestInit): Promise<Response>;
}

/** The part of a `ManagementClient` that an upload of photos needs. */
export interface ImportPhotoUploads {
  open(
    operation: typeof ADD_PHOTOS,
    input: Omit<PhotosInput, "body">,
    init: RequestInit,
  ): Promise<Response>;
}

/** Uploads a file of animals, which the server then reads. */
export async function uploadImport(
  client: ImportUploads,
  { account, environment, fileName, content }: ImportFile,
): Promise<Result<ImportView, Problem>> {
  const input = { account, environment, query: named(fileName) };
  return readAnswer(await client.open(CREATE, input, streamed(content)));
}

/** Uploads an archive of photos for an import, whose file the server then reads again. */
export async function uploadImportPhotos(
  client: ImportPhotoUploads,
  { account, environment, import: id, fileName, content }: ImportPhotos,
): Promise<Result<ImportView, Problem>> {
  const input = { account, environment, import: id, query: named(fileName) };
  return readAnswer(await client.open(ADD_PHOTOS, input, streamed(content)));
}

function named(fileName: string): { readonly fileName?: string } {
  return fileName === "" ? {} : { fileName };
}

function streamed(content: ReadableStream<Uint8Array>): RequestInit {
  return {
    headers: { "content-type": "application/octet-stream" },
    body: content,
    // The length of a stream is unknown when it is sent (Fetch §5.4); older types lack the member.
    ...{ duplex: "half" },
  };
}
