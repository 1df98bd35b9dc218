import { createPet, deletePet, listPets, readPet, restorePet, updatePet } from "../../pets.ts";
import { refused } from "../../../base/result.ts";
import { NewPetSchema, petExample, PetPatchSchema, PetSchema, PetsSchema } from "../../schema.ts";
import { petShown, petStatuses, type PetFilter, type StoredPet } from "../../model.ts";
import { entityTag, mayChange } from "../../../http/conditional.ts";
import { withBody, type Call, type Endpoint } from "../../../http/endpoint.ts";
import type { Answer } from "../../../http/answer.ts";
import { paginate } from "../../../http/paginate.ts";
import { parameters } from "../../../http/parameters.ts";

const statusParameter = parameters.choice("status", "Filters by availability.", petStatuses);

/** `GET /pets/{petId}` was announced to end when version 1.0.0 came out. */
const getPetDeprecation = {
  since: 1_795_132_800,
  // 2030-12-05T00:00:00Z
  sunset: 1_922_659_200_000,
  successor: "/pets",
} as const;

export const petEndpoints: readonly Endpoint[] = [
  {
    operationId: "listPets",
    method: "GET",
    path: "/pets",
    summary: "List animals",
    description:
      "Returns a paginated list of animals, newest first. The next page is in the `Link` header.",
    scope: "pets:read",
    parameters: [
      parameters.limit,
      statusParameter,
      parameters.id("categoryId", "Only animals of this category."),
      parameters.ids,
      parameters.sort,
      parameters.cursor,
      parameters.count,
    ],
    pure: true,
    success: {
      status: 200,
      description: "One page of animals.",
      schema: PetsSchema,
      example: [petExample],
      headers: ["ETag", "Link", "X-Total-Count"],
    },
    refusals: ["invalid_parameter", "unknown_parameter", "invalid_cursor"],
    handle: (call, { actions, cursors }) => {
      const { caller, query } = call;
      const { id: ids, categoryId } = query;
      const status = petStatuses.find((one) => one === query.status);
      const filter: PetFilter = {
        ...(status === undefined ? {} : { status }),
        ...(categoryId === undefined ? {} : { categoryId }),
        ...(ids === undefined ? {} : { ids }),
      };
      return paginate(call, cursors, {
        name: "pets",
        filters: [
          ["status", filter.status],
          ["categoryId", filter.categoryId],
          ["id", ids?.join(",")],
        ],
        rows: (page) => listPets(actions, caller.key.catalogueId, filter, page),
        count: () => actions.store.pets.count(caller.key.catalogueId, filter),
        render: petJson,
        etag: ([pet]) => (ids?.length === 1 && pet !== undefined ? entityTag(pet) : undefined),
      });
    },
  },
  withBody({
    operationId: "createPet",
    method: "POST",
    path: "/pets",
    summary: "Add an animal",
    description: "Adds a new animal. Without a `status` it is available.",
    scope: "pets:write",
    parameters: [],
    body: NewPetSchema,
    retryable: true,
    success: {
      status: 201,
      description: "The new animal.",
      schema: PetSchema,
      example: petExample,
      headers: ["ETag", "Location", "Idempotent-Replayed"],
    },
    refusals: ["unknown_category"],
    handle: async (call, { actions }) => {
      const { base } = call;
      const answer = (pet: StoredPet): Answer => ({
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
  {
    operationId: "getPet",
    method: "GET",
    path: "/pets/:id",
    idName: "petId",
    summary: "Get an animal",
    description:
      "Returns a single animal. Deprecated, to be removed on 5 December 2030: use `GET /pets` with the `status` or `id` filter instead.",
    scope: "pets:read",
    deprecation: getPetDeprecation,
    parameters: [],
    pure: true,
    success: {
      status: 200,
      description: "The animal.",
      schema: PetSchema,
      example: petExample,
      headers: ["ETag", "Deprecation", "Sunset", "Link"],
    },
    refusals: ["not_found", "operation_removed"],
    handle: async ({ caller, id }, { actions }) => {
      const found = await readPet(actions, caller.key.catalogueId, id);
      return found.ok ? { ok: true, value: petAnswer(found.value) } : refused(found.failure);
    },
  },
  withBody({
    operationId: "updatePet",
    method: "PATCH",
    path: "/pets/:id",
    idName: "petId",
    summary: "Change an animal",
    description:
      "Changes the fields that are sent. A sold animal comes back (`available`) with the scope `pets:admin` only.",
    scope: "pets:write",
    stability: "beta",
    parameters: [],
    body: PetPatchSchema,
    retryable: true,
    conditional: true,
    success: {
      status: 200,
      description: "The changed animal.",
      schema: PetSchema,
      example: petExample,
      headers: ["ETag", "Idempotent-Replayed"],
    },
    refusals: ["unknown_category", "not_found", "invalid_transition", "precondition_failed"],
    handle: async (call, { actions }) => {
      const updated = await updatePet(
        actions,
        call.caller.key.catalogueId,
        {
          petId: call.id,
          fields: call.body,
          precondition: precondition(call),
          admin: call.caller.key.scopes.includes("pets:admin"),
        },
        call.remember(petAnswer),
      );
      return updated.ok ? { ok: true, value: petAnswer(updated.value) } : updated;
    },
  }),
  {
    operationId: "deletePet",
    method: "DELETE",
    path: "/pets/:id",
    idName: "petId",
    summary: "Delete an animal",
    description: "Hides the animal at once. It can be restored for 48 hours.",
    scope: "pets:write",
    stability: "beta",
    parameters: [],
    conditional: true,
    success: { status: 204, description: "The animal is deleted." },
    refusals: ["not_found", "precondition_failed"],
    handle: async (call, { actions }) => {
      const { caller, id } = call;
      const gone = await deletePet(actions, caller.key.catalogueId, id, precondition(call));
      return gone.ok ? { ok: true, value: { status: 204 } } : gone;
    },
  },
  {
    operationId: "restorePet",
    method: "POST",
    path: "/pets/:id/restore",
    idName: "petId",
    summary: "Restore an animal",
    description: "Restores an animal that was deleted less than 48 hours ago.",
    scope: "pets:write",
    stability: "beta",
    parameters: [],
    retryable: true,
    success: {
      status: 200,
      description: "The restored animal.",
      schema: PetSchema,
      example: petExample,
      headers: ["ETag", "Idempotent-Replayed"],
    },
    refusals: ["not_found"],
    handle: async (call, { actions }) => {
      const restored = await restorePet(
        actions,
        call.caller.key.catalogueId,
        call.id,
        call.remember(petAnswer),
      );
      return restored.ok ? { ok: true, value: petAnswer(restored.value) } : restored;
    },
  },
];

function petJson(pet: StoredPet): string {
  return JSON.stringify(petShown(pet));
}

function petAnswer(pet: StoredPet): Answer {
  return { status: 200, body: petJson(pet), etag: entityTag(pet) };
}

function precondition({ request }: Call): ((pet: StoredPet) => boolean) | undefined {
  const ifMatch = request.headers.get("if-match");
  return ifMatch === null ? undefined : (pet) => mayChange(ifMatch, entityTag(pet));
}
