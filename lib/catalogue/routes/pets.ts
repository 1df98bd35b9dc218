import { petHasChanged } from "../pets.ts";
import type { Problem } from "../../base/problem.ts";
import { done, type Result } from "../../base/result.ts";
import type { ValueOf } from "../../base/schema.ts";
import { entityTag, wantedVersion } from "../../http/conditional.ts";
import {
  choiceParameter,
  idIn,
  idsParameter,
  integerParameter,
  textParameter,
} from "../../http/parameters.ts";
import { endpoint, Reply } from "../../http/endpoint.ts";
import { inAccount } from "../../management/endpoint.ts";
import { inCatalogue, inEnvironment } from "../../management/in-catalogue.ts";
import { withoutUndefined } from "../../base/without-undefined.ts";
import { SEARCHABLE } from "../../model/text.ts";
import {
  MAX_ID,
  petShown,
  petStatuses,
  RESTORE_MS,
  type DeletedPet,
  type Pet,
  type PetFilter,
  type PetStatus,
  type StoredPet,
} from "../model.ts";
import { NewPetSchema, petExample, PetPatchSchema, PetSchema, PetsSchema } from "../schema.ts";
import { deletedPetsShape, importShape, PetImportSchema } from "../shapes.ts";
import { catalogueLimit, pageIn, pageReply } from "./pages.ts";

/** Longest search text, in characters: the longest name. */
const MAX_SEARCHED = 120;
/** Enough for a thousand rows with the longest names. */
const MAX_IMPORT_BYTES: number = 4 * 1024 * 1024;

const one = {
  status: 200,
  description: "The animal.",
  schema: PetSchema,
  example: petExample,
} as const;

/** The animals of a catalogue, by the rules of the public API. */
export const petEndpoints = [
  endpoint({
    operationId: "listAnimals",
    method: "GET",
    path: "/accounts/:account/:environment/pets",
    tag: "animals",
    access: inAccount("viewer"),
    summary: "List animals",
    description: "The animals of one catalogue. Requests do not count towards the plan's limits.",
    query: {
      order: choiceParameter(
        "By age. With `newest`, `after` leads to older animals.",
        ["oldest", "newest"],
        "oldest",
      ),
      name: textParameter(
        "Only animals whose names contain this text, without regard to case and accents.",
        {
          maxLength: MAX_SEARCHED,
          rule: `must be a text of 1 to ${MAX_SEARCHED} characters`,
          pattern: SEARCHABLE,
        },
      ),
      id: idsParameter("Only animals with one of these IDs."),
      status: choiceParameter("Only animals in this status.", petStatuses),
      categoryId: integerParameter("Only animals of this category.", {
        minimum: 1,
        maximum: MAX_ID,
      }),
      after: integerParameter(
        "Only animals after the one with this ID, in the order of the list.",
        {
          maximum: MAX_ID,
        },
      ),
      limit: catalogueLimit,
    },
    success: {
      status: 200,
      description: "One page. `Link` leads to the next one, if any.",
      schema: PetsSchema,
      example: [petExample],
      headers: ["Link"],
    },
    refusals: ["not_found"],
    run: (call, { store }) =>
      inCatalogue(call, store, async (catalogueId, environment) => {
        const { account, query } = call;
        const filter = filterOf(query);
        const newestFirst = query.order === "newest";
        const found = await store.pets.list(
          catalogueId,
          filter,
          pageIn(query, newestFirst ? "desc" : "asc"),
        );
        const path = `/accounts/${account.id}/${environment}/pets`;
        const { ids, ...others } = filter;
        const order = newestFirst ? "newest" : undefined;
        const filters = { ...others, order, id: ids?.join(",") };
        return done(pageReply(call, { path, found, filters, show: petShown }));
      }),
  }),
  endpoint({
    operationId: "importAnimals",
    method: "POST",
    path: "/accounts/:account/:environment/pets/import",
    tag: "animals",
    access: inAccount("staff"),
    summary: "Import animals",
    description:
      "Takes up to 1,000 rows, adds the valid ones in order, and reports the faults of the others. If the server becomes unavailable on the way, the remaining rows fail with `unavailable`. A dry run only checks the rows.",
    body: PetImportSchema,
    maxBodyBytes: MAX_IMPORT_BYTES,
    bulk: true,
    success: {
      status: 200,
      description: "The number of added animals, and the rows that failed.",
      schema: importShape,
      example: {
        added: 1,
        failures: [
          { index: 1, problem: { code: "unknown_category", message: "There is no category 9." } },
        ],
        categories: [],
      },
    },
    refusals: ["not_found", "invalid_value"],
    run: (call, { client }) =>
      inEnvironment(call, async (where) => {
        const { rows, dryRun = false, createCategories = false } = call.body;
        return client.pets.import({ ...where, rows, dryRun, createCategories });
      }),
  }),
  endpoint({
    operationId: "listDeletedAnimals",
    method: "GET",
    path: "/accounts/:account/:environment/pets/deleted",
    tag: "animals",
    access: inAccount("viewer"),
    summary: "List animals that can be restored",
    description: "Animals that were deleted less than 48 hours ago, newest first.",
    query: {
      after: integerParameter("Only animals older than the one with this ID.", {
        minimum: 1,
        maximum: MAX_ID,
      }),
      limit: catalogueLimit,
    },
    success: {
      status: 200,
      description: "One page. `Link` leads to the next one, if any.",
      schema: deletedPetsShape,
      example: [
        {
          ...petExample,
          deletedAt: "2026-11-20T09:30:00.000Z",
          restorableUntil: "2026-11-22T09:30:00.000Z",
        },
      ],
      headers: ["Link"],
    },
    refusals: ["not_found"],
    run: (call, { store }) =>
      inCatalogue(call, store, async (catalogueId, environment) => {
        const { account, query, now } = call;
        const found = await store.pets.deleted(
          catalogueId,
          now - RESTORE_MS,
          pageIn(query, "desc"),
        );
        const path = `/accounts/${account.id}/${environment}/pets/deleted`;
        return done(pageReply(call, { path, found, show: restorable }));
      }),
  }),
  endpoint({
    operationId: "createAnimal",
    method: "POST",
    path: "/accounts/:account/:environment/pets",
    tag: "animals",
    access: inAccount("staff"),
    summary: "Add an animal",
    description: "Adds an animal. Without a `status` it is available.",
    body: NewPetSchema,
    success: {
      ...one,
      status: 201,
      description: "The animal, with the ID it was assigned.",
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
    access: inAccount("viewer"),
    summary: "Get an animal",
    description: "The animal, with its `ETag` for `If-Match`.",
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
    access: inAccount("staff"),
    summary: "Update an animal",
    description:
      "Omitted fields stay unchanged. An adoption can be reversed (`sold` to `available`).",
    body: PetPatchSchema,
    conditional: true,
    success: { ...one, description: "The updated animal.", headers: ["ETag"] },
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
    access: inAccount("staff"),
    summary: "Delete an animal",
    description: "Hides the animal at once. It can be restored for 48 hours.",
    conditional: true,
    success: { status: 204, description: "The animal was deleted." },
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
    access: inAccount("staff"),
    summary: "Restore an animal",
    description: "Restores an animal that was deleted less than 48 hours ago.",
    success: { ...one, description: "The restored animal.", headers: ["ETag"] },
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

function restorable({ deletedAt, ...pet }: DeletedPet): ValueOf<typeof deletedPetsShape>[number] {
  return { ...petShown(pet), deletedAt, restorableUntil: deletedAt + RESTORE_MS };
}

function filterOf({
  id: ids,
  name,
  status,
  categoryId,
}: {
  readonly id?: readonly number[];
  readonly name?: string;
  readonly status?: PetStatus;
  readonly categoryId?: number;
}): PetFilter {
  return withoutUndefined({ ids, name: name?.trim(), status, categoryId });
}
