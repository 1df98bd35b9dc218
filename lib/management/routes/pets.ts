import { petHasChanged } from "../../catalogue/pets.ts";
import type { Problem } from "../../base/problem.ts";
import { done, type Result } from "../../base/result.ts";
import { entityTag } from "../../http/conditional.ts";
import { NewPetSchema, petExample, PetPatchSchema, PetSchema } from "../../catalogue/schema.ts";
import { petShown, type Pet, type StoredPet } from "../../catalogue/model.ts";
import { endpoint, Reply } from "../endpoint.ts";
import { wantedVersion } from "../if-match.ts";
import { idIn, inEnvironment } from "../in-catalogue.ts";

const one = {
  status: 200,
  description: "The animal.",
  schema: PetSchema,
  example: petExample,
} as const;

/** One animal at a time, by the rules of the public API. */
export const petEndpoints = [
  endpoint({
    operationId: "createAnimal",
    method: "POST",
    path: "/accounts/:account/:environment/pets",
    tag: "animals",
    access: "account",
    role: "staff",
    summary: "Add an animal",
    description: "Without a `status` it is available.",
    body: NewPetSchema,
    success: {
      ...one,
      status: 201,
      description: "The animal, with the id it was assigned.",
      headers: ["ETag", "Location"],
    },
    refusals: ["not_found", "unknown_category"],
    run: (call, { client }) =>
      inEnvironment(call, async (where) => {
        const created = await client.pets.create({ ...where, ...call.body });
        if (!created.ok) return created;
        const { accountId, environment } = where;
        const location = `${call.base}/accounts/${accountId}/${environment}/pets/${created.value.id}`;
        return done(shown(created.value, { location }));
      }),
  }),
  endpoint({
    operationId: "getAnimal",
    method: "GET",
    path: "/accounts/:account/:environment/pets/:pet",
    tag: "animals",
    access: "account",
    role: "viewer",
    summary: "Get an animal",
    description: "With its `ETag`, which `If-Match` takes.",
    success: one,
    refusals: ["not_found"],
    run: (call, { client }) =>
      inEnvironment(call, async (where) =>
        answered(await client.pets.byId({ ...where, petId: idIn(call, "pet") })),
      ),
  }),
  endpoint({
    operationId: "updateAnimal",
    method: "PATCH",
    path: "/accounts/:account/:environment/pets/:pet",
    tag: "animals",
    access: "account",
    role: "staff",
    summary: "Change an animal",
    description: "What is absent stays. A sold animal may come back (`available`).",
    body: PetPatchSchema,
    conditional: true,
    success: { ...one, description: "The animal as it is now.", headers: ["ETag"] },
    refusals: ["not_found", "unknown_category", "invalid_transition"],
    run: (call, { client }) =>
      inEnvironment(call, async (where) => {
        const which = { ...where, petId: idIn(call, "pet") };
        const read = () => client.pets.byId(which);
        const version = await wantedVersion(call.request, read, petHasChanged);
        if (!version.ok) return version;
        const change = { ...which, ...call.body, ifVersion: version.value };
        return answered(await client.pets.update(change));
      }),
  }),
  endpoint({
    operationId: "deleteAnimal",
    method: "DELETE",
    path: "/accounts/:account/:environment/pets/:pet",
    tag: "animals",
    access: "account",
    role: "staff",
    summary: "Delete an animal",
    description: "Hides it at once. It can be restored for 48 hours.",
    conditional: true,
    success: { status: 204, description: "The animal is gone." },
    refusals: ["not_found"],
    run: (call, { client }) =>
      inEnvironment(call, async (where) => {
        const which = { ...where, petId: idIn(call, "pet") };
        const read = () => client.pets.byId(which);
        const version = await wantedVersion(call.request, read, petHasChanged);
        if (!version.ok) return version;
        return client.pets.delete({ ...which, ifVersion: version.value });
      }),
  }),
  endpoint({
    operationId: "restoreAnimal",
    method: "POST",
    path: "/accounts/:account/:environment/pets/:pet/restore",
    tag: "animals",
    access: "account",
    role: "staff",
    summary: "Restore an animal",
    description: "Brings back one that was deleted less than 48 hours ago.",
    success: { ...one, description: "The animal as it was.", headers: ["ETag"] },
    refusals: ["not_found"],
    run: (call, { client }) =>
      inEnvironment(call, async (where) =>
        answered(await client.pets.restore({ ...where, petId: idIn(call, "pet") })),
      ),
  }),
];

function answered(outcome: Result<StoredPet, Problem>): Result<Reply<Pet>, Problem> {
  return outcome.ok ? done(shown(outcome.value)) : outcome;
}

function shown(pet: StoredPet, headers: Readonly<Record<string, string>> = {}): Reply<Pet> {
  return new Reply(petShown(pet), { headers, etag: entityTag(pet) });
}
