import { andThen } from "../../base/eventual.ts";
import { actions } from "./late-actions.ts";
import { MAX_ID } from "../../base/id.ts";
import { done } from "../../base/result.ts";
import { entityTag } from "../../http/conditional.ts";
import {
  choiceParameter,
  idParameter,
  idsParameter,
  integerParameter,
  textParameter,
  withFallback,
  type Parameter,
} from "../../http/parameters.ts";
import { SEARCHABLE, trimText } from "../../model/text.ts";
import { petShown, petStatuses, type Pet, type StoredPet } from "../model.ts";
import { petRefusals } from "../refusals.ts";
import {
  petListSchema,
  petWithProfile,
  staffPetListSchema,
  staffPetWithProfile,
  type PetWithProfile,
  type StaffPetWithProfile,
} from "../profile-schema.ts";
import { NewPetSchema, petExample, PetPatchSchema, PetSchema } from "../schema.ts";
import { list, operation, rowOf, type Reader } from "./operation.ts";
import { profileFilterOf, profileParameters, withProfiles, type PetRow } from "./pet-profiles.ts";

/** Longest search text, in characters: the longest name. */
const MAX_SEARCHED = 120;

/** `GET /pets/{petId}` has been deprecated since version 1.0.0. */
const getPetDeprecation = {
  // 2026-11-20T00:00:00Z
  deprecatedAt: 1_795_132_800_000,
  // 2030-12-05T00:00:00Z
  sunsetAt: 1_922_659_200_000,
  successor: "/pets",
} as const;

const show = (pet: StoredPet): Pet => petShown(pet);
const animal = rowOf({ schema: PetSchema, example: petExample, show });

const path = "/pets";
const onePath = "/pets/:pet";
const status = choiceParameter("Only animals in this status.", petStatuses);
export const categoryId = idParameter("Only animals of this category.");
const searched = textParameter(
  "Only animals whose names contain this text, without regard to case and accents.",
  {
    maxLength: MAX_SEARCHED,
    rule: `must be a text of 1 to ${MAX_SEARCHED} characters`,
    pattern: SEARCHABLE,
  },
);
export const name: Parameter<string> = {
  ...searched,
  read: (text) => {
    const read = searched.read(text);
    return read === undefined ? undefined : trimText(read);
  },
};

const listPets = list({
  path,
  public: {
    operationId: "listPets",
    scope: "pets:read",
    description:
      "Returns a paginated list of animals, newest first. The next page is in the `Link` header.",
    success: "One page of animals.",
    filters: {
      status,
      categoryId,
      id: idsParameter("Only the animals with these IDs: up to 100, separated by commas."),
      ...profileParameters,
    },
    items: {
      schema: petListSchema,
      example: [petExample],
      show: (pet: PetRow, to: Reader): PetWithProfile => petWithProfile(pet, to),
    },
  },
  management: {
    operationId: "listAnimals",
    role: "viewer",
    filters: {
      name,
      id: idsParameter("Only animals with one of these IDs."),
      status,
      categoryId,
      ...profileParameters,
    },
    pages: {
      order: withFallback(
        choiceParameter("By age. With `newest`, `after` leads to older animals.", [
          "oldest",
          "newest",
        ]),
        "oldest",
      ),
      after: integerParameter(
        "Only animals after the one with this ID, in the order of the list.",
        { maximum: MAX_ID },
      ),
    },
  },
  summary: "List animals",
  description: "The animals of one catalogue. Requests do not count towards the plan's limits.",
  success: "One page. `Link` leads to the next one, if any.",
  items: {
    schema: staffPetListSchema,
    example: [petExample],
    show: (pet: PetRow, to: Reader): StaffPetWithProfile => staffPetWithProfile(pet, to),
  },
  select: ({ store }, { catalogueId, now, query: { id: ids, ...query } }) => {
    const { pets } = store;
    const selected = profileFilterOf(query, now);
    if (!selected.ok) return selected;
    const profile = selected.value;
    const filter = {
      status: query.status,
      categoryId: query.categoryId,
      ids,
      name: query.name,
      profile: profile?.filter,
    };
    return done({
      rows: (page) => {
        const found = pets.list(catalogueId, filter, page);
        return profile === undefined ? found : withProfiles(store, catalogueId, found);
      },
      count: () => pets.count(catalogueId, filter),
      texts: (part) =>
        ids === undefined && profile === undefined
          ? pets.texts?.(catalogueId, { ...filter, ...part })
          : undefined,
      etag: ([pet]) =>
        ids?.length === 1 && pet !== undefined && profile === undefined
          ? entityTag(pet)
          : undefined,
      day: profile?.day,
    });
  },
});

export const addPet = operation({
  method: "POST",
  path,
  public: {
    operationId: "createPet",
    scope: "pets:write",
    description: "Adds a new animal. Without a `status` it is available.",
    success: "The new animal.",
  },
  management: { operationId: "createAnimal", role: "staff" },
  summary: "Add an animal",
  description: "Adds an animal. Without a `status` it is available.",
  body: NewPetSchema,
  creates: true,
  success: "The animal, with the ID it was assigned.",
  output: animal,
  refusals: ["unknown_category"],
  run: (context, { catalogueId, body }, also) =>
    andThen(actions(), ({ createPet }) => createPet(context, catalogueId, body, also)),
});

export const getPet = operation({
  method: "GET",
  path: onePath,
  public: {
    operationId: "getPet",
    scope: "pets:read",
    description:
      "Returns a single animal. Deprecated, to be removed on 5 December 2030: use `GET /pets` with the `status` or `id` filter instead.",
    deprecation: getPetDeprecation,
  },
  management: { operationId: "getAnimal", role: "viewer" },
  summary: "Get an animal",
  description: "The animal, with its `ETag` for `If-Match`.",
  success: "The animal.",
  output: animal,
  run: (context, { catalogueId, ids }) =>
    andThen(actions(), ({ readPet }) => readPet(context, catalogueId, ids.pet)),
});

export const changePet = operation({
  method: "PATCH",
  path: onePath,
  public: {
    operationId: "updatePet",
    scope: "pets:write",
    stability: "beta",
    description:
      "Changes the fields that are sent. Reversing an adoption (`sold` to `available`) needs the scope `pets:admin`.",
  },
  management: { operationId: "updateAnimal", role: "staff" },
  summary: "Update an animal",
  description:
    "Omitted fields stay unchanged. An adoption can be reversed (`sold` to `available`).",
  body: PetPatchSchema,
  conditional: petRefusals.changed,
  success: "The updated animal.",
  output: animal,
  refusals: ["unknown_category", "invalid_transition"],
  run: (context, { catalogueId, ids, body, precondition, may }, also) =>
    andThen(actions(), ({ updatePet }) =>
      updatePet(
        context,
        catalogueId,
        { petId: ids.pet, fields: body, precondition, admin: may("pets:admin") },
        also,
      ),
    ),
});

export const removePet = operation({
  method: "DELETE",
  path: onePath,
  public: {
    operationId: "deletePet",
    scope: "pets:write",
    stability: "beta",
    success: "The animal is deleted.",
  },
  management: { operationId: "deleteAnimal", role: "staff" },
  summary: "Delete an animal",
  description: "Hides the animal at once. It can be restored for 48 hours.",
  conditional: petRefusals.changed,
  success: "The animal was deleted.",
  run: (context, { catalogueId, ids, precondition }) =>
    andThen(actions(), ({ deletePet }) => deletePet(context, catalogueId, ids.pet, precondition)),
});

export const bringBackPet = operation({
  method: "POST",
  path: "/pets/:pet/restore",
  public: { operationId: "restorePet", scope: "pets:write", stability: "beta" },
  management: { operationId: "restoreAnimal", role: "staff" },
  summary: "Restore an animal",
  description: "Restores an animal that was deleted less than 48 hours ago.",
  success: "The restored animal.",
  output: animal,
  run: (context, { catalogueId, ids }, also) =>
    andThen(actions(), ({ restorePet }) => restorePet(context, catalogueId, ids.pet, also)),
});

export const petOperations = [
  listPets,
  addPet,
  getPet,
  changePet,
  removePet,
  bringBackPet,
] as const;
