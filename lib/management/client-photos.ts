import type { Problem } from "../base/problem.ts";
import { done, type Result } from "../base/result.ts";
import type { PhotoShown } from "../catalogue/profile-schema.ts";
import type { InputOf } from "../http/operation.ts";
import type { PictureType } from "../photos/images.ts";
import { readAnswer } from "./client.ts";
import type { ManagementOperations } from "./endpoints.ts";

const ADD = "POST /accounts/:account/:environment/pets/:pet/photos";

/** The part of a `ManagementClient` that an upload needs, whatever other operations its table has. */
export interface PhotoUploads {
  open(
    operation: typeof ADD,
    input: Omit<InputOf<ManagementOperations[typeof ADD]>, "body">,
    init: RequestInit,
  ): Promise<Response>;
}

/** A picture for an animal. */
export interface PictureToSend {
  readonly account: string;
  readonly environment: string;
  /** ID of the animal. */
  readonly pet: string;
  readonly picture: Uint8Array<ArrayBuffer> | Blob;
  readonly type: PictureType;
  readonly alt?: string | undefined;
}

/** Adds a photo to an animal. */
export async function addPhoto(
  client: PhotoUploads,
  { picture, type, alt, ...animal }: PictureToSend,
): Promise<Result<PhotoShown, Problem>> {
  return readAnswer(
    await client.open(
      ADD,
      { ...animal, query: { alt } },
      { body: picture, headers: { accept: "application/json", "content-type": type } },
    ),
  );
}

const READ = "GET /photos/:hash/:file";

/** The part of a `ManagementClient` that reads photos, whatever other operations its table has. */
export interface PhotoReads {
  open(
    operation: typeof READ,
    input: InputOf<ManagementOperations[typeof READ]>,
    init: RequestInit,
  ): Promise<Response>;
}

/** Reads the largest size of a photo. Refused `not_found` if it was removed. */
export async function readPhoto(
  client: PhotoReads,
  { sizes }: Pick<PhotoShown, "sizes">,
): Promise<Result<Uint8Array, Problem>> {
  const [hash = "", file = ""] = (sizes[0]?.url ?? "").split("/").slice(-2);
  const response = await client.open(READ, { hash, file }, {});
  return response.ok
    ? done(new Uint8Array(await response.arrayBuffer()))
    : readAnswer<never>(response);
}
