import { problem, type Problem } from "../../base/problem.ts";
import { done, refused, type Result } from "../../base/result.ts";
import { listOf } from "../../base/shape.ts";
import { photoNamed } from "../../catalogue/photo-address.ts";
import { photoShape, photoShown, type PhotoShown } from "../../catalogue/profile-schema.ts";
import type { StoredPhoto } from "../../catalogue/model-profile.ts";
import { endpoint, FileReply, Reply } from "../../http/endpoint.ts";
import { memberParameter } from "../../http/member-parameter.ts";
import { idIn } from "../../http/parameters.ts";
import { inAccount, onPlatform } from "../../management/endpoint.ts";
import { inEnvironment } from "../../management/in-catalogue.ts";
import type { EnvironmentCall } from "../../management/in-catalogue.ts";
import type { PictureType } from "../images.ts";
import type { OfAnimal, OfPhoto, Photos } from "../photos.ts";
import { altSchema, PhotoOrderSchema, PhotoPatchSchema } from "../schema.ts";

const path = "/accounts/:account/:environment/pets/:pet/photos";
const onePath = `${path}/:photo` as const;

const photoExample = {
  id: 1,
  alt: "Bella lies in the grass",
  focus: { x: 50, y: 30 },
  width: 2_560,
  height: 1_920,
  sizes: [
    {
      width: 2_560,
      height: 1_920,
      type: "image/webp",
      url: `https://pets.example.org/manage/v1/photos/${"0f".repeat(32)}/2560.webp`,
    },
  ],
};

const named = { name: "Photo", ...photoShape };
const one = {
  status: 200,
  description: "The photo.",
  schema: named,
  example: photoExample,
} as const;
const all = {
  status: 200,
  description: "The photos in their order.",
  schema: listOf("Photos", named),
  example: [photoExample],
} as const;

const types: readonly PictureType[] = ["image/jpeg", "image/png", "image/webp"];
/** Read as well, so that the refusal says what to do. */
const refusedTypes = ["image/heic", "image/heif", "image/avif", "image/gif"] as const;

export const photoEndpoints = [
  endpoint({
    tag: "animals",
    access: inAccount("viewer"),
    operationId: "listAnimalPhotos",
    method: "GET",
    path,
    summary: "List photos of an animal",
    description: "In their order. An animal has at most 12.",
    success: all,
    refusals: ["not_found"],
    run: (call, { photos }) =>
      answer(call, photos, async (found, of) => shown(call, await found.list(of))),
  }),
  endpoint({
    tag: "animals",
    access: inAccount("staff"),
    operationId: "addAnimalPhoto",
    method: "POST",
    path,
    summary: "Add a photo to an animal",
    description:
      "Reads a picture from the body and adds it behind the other photos. The picture is decoded and encoded again, upright, in several sizes of at most 2,560 pixels. Nothing else remains of the file, such as the place where it was taken. The response is 503 with `Retry-After` while too many pictures wait.",
    query: {
      alt: memberParameter(altSchema, {
        description: "What the photo shows, for people who do not see it.",
        rule: "must be a text of at most 500 characters that can be shown",
      }),
    },
    streams: {
      types: [...types, ...refusedTypes],
      description:
        "A JPEG, PNG or WebP of at most 25 MiB and 50 megapixels. Animated pictures and other formats are refused.",
    },
    success: { ...one, status: 201, headers: ["Location"] },
    refusals: ["not_found", "invalid_picture", "limit_reached"],
    run: (call, { photos }) =>
      answer(call, photos, async (found, of) => {
        const { request, query, base } = call;
        const { headers } = request;
        if ((headers.get("content-encoding") ?? "identity").toLowerCase() !== "identity") {
          return refused(encoded);
        }
        const [essence = ""] = (headers.get("content-type") ?? "").toLowerCase().split(";");
        const length = headers.get("content-length");
        const added = await found.add(of, {
          picture: request.body ?? new Uint8Array(),
          declared: types.find((type) => type === essence.trim()),
          length: length === null ? undefined : Number(length),
          alt: query.alt,
        });
        if (!added.ok) return added;
        const location = `${base}/accounts/${of.accountId}/${of.environment}/pets/${of.petId}/photos/${added.value.id}`;
        return done(new Reply(photoShown(added.value, base), { headers: { location } }));
      }),
  }),
  endpoint({
    tag: "animals",
    access: inAccount("staff"),
    operationId: "orderAnimalPhotos",
    method: "PATCH",
    path,
    summary: "Order the photos of an animal",
    description: "The first photo stands for the animal in lists.",
    body: PhotoOrderSchema,
    success: all,
    refusals: ["not_found"],
    run: (call, { photos }) =>
      answer(call, photos, async (found, of) =>
        shown(call, await found.order(of, call.body.order)),
      ),
  }),
  endpoint({
    tag: "animals",
    access: inAccount("staff"),
    operationId: "updateAnimalPhoto",
    method: "PATCH",
    path: onePath,
    summary: "Update a photo",
    description: "Changes what is sent; null removes `alt` or `focus`.",
    body: PhotoPatchSchema,
    success: one,
    refusals: ["not_found"],
    run: (call, { photos }) =>
      answer(call, photos, async (found, of) => {
        const changed = await found.change(photoOf(call, of), call.body);
        return changed.ok ? done(photoShown(changed.value, call.base)) : changed;
      }),
  }),
  endpoint({
    tag: "animals",
    access: inAccount("staff"),
    operationId: "removeAnimalPhoto",
    method: "DELETE",
    path: onePath,
    summary: "Remove a photo",
    description: "Its file is deleted within two hours, unless another photo has it too.",
    success: { status: 204, description: "The photo was removed." },
    refusals: ["not_found"],
    run: (call, { photos }) => answer(call, photos, (found, of) => found.remove(photoOf(call, of))),
  }),
  endpoint({
    tag: "animals",
    access: onPlatform("viewer"),
    operationId: "getPhotoFile",
    method: "GET",
    path: "/photos/:hash/:file",
    summary: "Get a size of a photo",
    description:
      "The picture itself, of an animal that the caller may see, in Production or Staging, shown on a site or not. `url` in the sizes of a photo leads here.",
    success: {
      status: 200,
      description: "The picture.",
      files: ["image/webp", "image/jpeg"],
    },
    refusals: ["not_found"],
    run: async (
      { params, principal },
      { store, photoFiles },
    ): Promise<Result<FileReply, Problem>> => {
      const name = photoNamed(`/photos/${params.hash}/${params.file}`);
      if (name === undefined || photoFiles === undefined) return refused(noSuchFile);
      for (const photo of await store.photos.byHash(name.hash)) {
        const { accountId } = principal;
        const catalogue = await store.catalogues.byId(photo.catalogueId);
        if (catalogue === undefined) continue;
        if (accountId !== undefined && catalogue.accountId !== accountId) continue;
        const found = await photoFiles.read(photo, name.file);
        if (found !== undefined) return done(new FileReply(found.content, found.type));
      }
      return refused(noSuchFile);
    },
  }),
] as const;

const noSuchFile: Problem = problem("not_found", "There is no such photo.");
const encoded: Problem = problem(
  "unsupported_media_type",
  "Send the picture without a Content-Encoding.",
);
const withoutImages: Problem = problem(
  "unavailable",
  "This server takes no photos, because nothing decodes them: give createPetstore images and blobs.",
);

type Place = Required<Pick<OfAnimal, "accountId" | "environment">> & OfAnimal;

/** Calls `run` with the photos and the animal that the path names. */
function answer<Value>(
  call: EnvironmentCall & { readonly params: Readonly<Record<"pet", string>> },
  photos: Photos | undefined,
  run: (photos: Photos, of: Place) => Promise<Result<Value, Problem>>,
): Promise<Result<Value, Problem>> {
  return inEnvironment(call, async (where) =>
    photos === undefined
      ? refused(withoutImages)
      : run(photos, { ...where, petId: idIn(call, "pet") }),
  );
}

function photoOf(
  call: { readonly params: Readonly<Record<"photo", string>> },
  of: OfAnimal,
): OfPhoto {
  return { ...of, photoId: idIn(call, "photo") };
}

function shown(
  { base }: { readonly base: string },
  found: Result<readonly StoredPhoto[], Problem>,
): Result<readonly PhotoShown[], Problem> {
  return found.ok ? done(found.value.map((photo) => photoShown(photo, base))) : found;
}
