import { done } from "../../base/result.ts";
import type { ValueOf } from "../../base/schema.ts";
import { petExample } from "../../catalogue/schema.ts";
import { MAX_ID, petShown, RESTORE_MS, type DeletedPet } from "../../catalogue/model.ts";
import { catalogueLimit, pageReply, pageIn } from "../catalogue-page.ts";
import { endpoint } from "../endpoint.ts";
import { inCatalogue } from "../in-catalogue.ts";
import { integerParameter } from "../../http/parameters.ts";
import { deletedPetsShape } from "../schemas/animals.ts";

export const deletedPetEndpoints = [
  endpoint({
    operationId: "listDeletedAnimals",
    method: "GET",
    path: "/accounts/:account/:environment/pets/deleted",
    tag: "animals",
    access: "account",
    role: "viewer",
    summary: "List animals that can be restored",
    description: "Those that were deleted less than 48 hours ago, the newest animals first.",
    query: {
      after: integerParameter("Only animals older than the one with this id.", {
        minimum: 1,
        maximum: MAX_ID,
      }),
      limit: catalogueLimit,
    },
    success: {
      status: 200,
      description: "One page; where there is more, `Link` leads to it.",
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
];

function restorable({ deletedAt, ...pet }: DeletedPet): ValueOf<typeof deletedPetsShape>[number] {
  return { ...petShown(pet), deletedAt, restorableUntil: deletedAt + RESTORE_MS };
}
