import {
  createPet,
  deletePet,
  listPets,
  petTexts,
  readPet,
  restorePet,
  updatePet,
  petHasChanged,
} from "../../pets.ts";
import { refused } from "../../../base/result.ts";
import { NewPetSchema, petExample, PetPatchSchema, PetSchema, PetsSchema } from "../../schema.ts";
import {
  MAX_ID,
  petShown,
  petStatuses,
  type Pet,
  type PetFilter,
  type StoredPet,
} from "../../model.ts";
import { conditionsOf, entityTag } from "../../../http/conditional.ts";
import { endpoint } from "../../../http/endpoint.ts";
import { keyWith } from "../../../http/public-endpoint.ts";
import { encode, type AnswerOf, type Encoded } from "../../../http/answer.ts";
import { paginate } from "../../../http/paginate.ts";
import {
  choiceParameter,
  idIn,
  idsParameter,
  integerParameter,
  listParameters,
} from "../../../http/parameters.ts";

const { limit, ...paging } = listParameters;

/** `GET /pets/{petId}` has been deprecated since version 1.0.0. */
const getPetDeprecation = {
  since: 1_795_132_800,
  // 2030-12-05T00:00:00Z
  sunset: 1_922_659_200_000,
  successor: "/pets",
} as const;

export const petEndpoints = [
  endpoint({
    operationId: "listPets",
    method: "GET",
    path: "/pets",
    summary: "List animals",
    description:
      "Returns a paginated list of animals, newest first. The next page is in the `Link` header.",
    access: keyWith("pets:read"),
    query: {
      limit,
      status: choiceParameter("Only animals in this status.", petStatuses),
      categoryId: integerParameter("Only animals of this category.", {
        minimum: 1,
        maximum: MAX_ID,
      }),
      id: idsParameter("Only the animals with these IDs: up to 100, separated by commas."),
      ...paging,
    },
    pure: true,
    success: {
      status: 200,
      description: "One page of animals.",
      schema: PetsSchema,
      example: [petExample],
      headers: ["ETag", "Link", "X-Total-Count"],
    },
    refusals: ["invalid_parameter", "unknown_parameter", "invalid_cursor"],
    run: (call, { actions, cursors }) => {
      const { caller, query } = call;
      const { id: ids, status, categoryId } = query;
      const filter: PetFilter = { status, categoryId, ids };
      return paginate(call, cursors, {
        name: "pets",
        filters: [
          ["status", filter.status],
          ["categoryId", filter.categoryId],
          ["id", ids?.join(",")],
        ],
        rows: (page) => listPets(actions, caller.key.catalogueId, filter, page),
        texts: (part) =>
          ids === undefined
            ? petTexts(actions, caller.key.catalogueId, { ...filter, ...part })
            : undefined,
        count: () => actions.store.pets.count(caller.key.catalogueId, filter),
        encode: petJson,
        etag: ([pet]) => (ids?.length === 1 && pet !== undefined ? entityTag(pet) : undefined),
      });
    },
  }),
  endpoint({
    operationId: "createPet",
    method: "POST",
    path: "/pets",
    summary: "Add an animal",
    description: "Adds a new animal. Without a `status` it is available.",
    access: keyWith("pets:write"),
    body: NewPetSchema,
    retryable: true,
    success: {
      status: 201,
      description: "The new animal.",
      schema: PetSchema,
      example: petExample,
      headers: ["ETag", "Location", "Idempotent-Replayed"],
    },
    refusals: ["unknown_category", "precondition_failed"],
    run: async (call, { actions }) => {
      const { base } = call;
      const answer = (pet: StoredPet): AnswerOf<Pet> => ({
        ...petAnswer(pet),
        status: 201,
        headers: { location: `${base}/pets/${pet.id}` },
      });
      const created = await createPet(
        actions,
        call.caller.key.catalogueId,
        call.body,
        call.remember(answer),
      );
      return created.ok ? { ok: true, value: answer(created.value) } : created;
    },
  }),
  endpoint({
    operationId: "getPet",
    method: "GET",
    path: "/pets/:petId",
    summary: "Get an animal",
    description:
      "Returns a single animal. Deprecated, to be removed on 5 December 2030: use `GET /pets` with the `status` or `id` filter instead.",
    access: keyWith("pets:read"),
    deprecation: getPetDeprecation,
    pure: true,
    success: {
      status: 200,
      description: "The animal.",
      schema: PetSchema,
      example: petExample,
      headers: ["ETag", "Deprecation", "Sunset", "Link"],
    },
    refusals: ["not_found", "operation_removed"],
    run: async (call, { actions }) => {
      const found = await readPet(actions, call.caller.key.catalogueId, idIn(call, "petId"));
      return found.ok ? { ok: true, value: petAnswer(found.value) } : refused(found.failure);
    },
  }),
  endpoint({
    operationId: "updatePet",
    method: "PATCH",
    path: "/pets/:petId",
    summary: "Update an animal",
    description:
      "Changes the fields that are sent. Reversing an adoption (`sold` to `available`) needs the scope `pets:admin`.",
    access: keyWith("pets:write"),
    stability: "beta",
    body: PetPatchSchema,
    retryable: true,
    conditional: true,
    success: {
      status: 200,
      description: "The updated animal.",
      schema: PetSchema,
      example: petExample,
      headers: ["ETag", "Idempotent-Replayed"],
    },
    refusals: ["unknown_category", "not_found", "invalid_transition", "precondition_failed"],
    run: async (call, { actions }) => {
      const updated = await updatePet(
        actions,
        call.caller.key.catalogueId,
        {
          petId: idIn(call, "petId"),
          fields: call.body,
          precondition: conditionsOf(call.request, petHasChanged),
          admin: call.caller.key.scopes.includes("pets:admin"),
        },
        call.remember(petAnswer),
      );
      return updated.ok ? { ok: true, value: petAnswer(updated.value) } : updated;
    },
  }),
  endpoint({
    operationId: "deletePet",
    method: "DELETE",
    path: "/pets/:petId",
    summary: "Delete an animal",
    description: "Hides the animal at once. It can be restored for 48 hours.",
    access: keyWith("pets:write"),
    stability: "beta",
    conditional: true,
    success: { status: 204, description: "The animal is deleted." },
    refusals: ["not_found", "precondition_failed"],
    run: async (call, { actions }) => {
      const { catalogueId } = call.caller.key;
      const gone = await deletePet(
        actions,
        catalogueId,
        idIn(call, "petId"),
        conditionsOf(call.request, petHasChanged),
      );
      return gone.ok ? { ok: true, value: { status: 204 } } : gone;
    },
  }),
  endpoint({
    operationId: "restorePet",
    method: "POST",
    path: "/pets/:petId/restore",
    summary: "Restore an animal",
    description: "Restores an animal that was deleted less than 48 hours ago.",
    access: keyWith("pets:write"),
    stability: "beta",
    retryable: true,
    success: {
      status: 200,
      description: "The restored animal.",
      schema: PetSchema,
      example: petExample,
      headers: ["ETag", "Idempotent-Replayed"],
    },
    refusals: ["not_found"],
    run: async (call, { actions }) => {
      const restored = await restorePet(
        actions,
        call.caller.key.catalogueId,
        idIn(call, "petId"),
        call.remember(petAnswer),
      );
      return restored.ok ? { ok: true, value: petAnswer(restored.value) } : restored;
    },
  }),
];

function petJson(pet: StoredPet): Encoded<Pet> {
  return encode(petShown(pet));
}

function petAnswer(pet: StoredPet): AnswerOf<Pet> {
  return { status: 200, body: petJson(pet), etag: entityTag(pet) };
}
