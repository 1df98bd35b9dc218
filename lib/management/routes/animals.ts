import { done } from "../../base/result.ts";
import { petExample, PetsSchema } from "../../catalogue/schema.ts";
import {
  MAX_ID,
  petShown,
  petStatuses,
  type PetFilter,
  type PetStatus,
} from "../../catalogue/model.ts";
import { SEARCHABLE } from "../../model/text.ts";
import { catalogueLimit, pageReply, pageIn } from "../catalogue-page.ts";
import { endpoint } from "../endpoint.ts";
import { inCatalogue, inEnvironment } from "../in-catalogue.ts";
import {
  choiceParameter,
  idsParameter,
  integerParameter,
  textParameter,
} from "../../http/parameters.ts";
import { importShape, PetImportSchema } from "../schemas/animals.ts";
import { present } from "../present.ts";

/** As long as a name. */
const MAX_SEARCHED = 120;
/** A thousand rows with the longest names and then some. */
const MAX_IMPORT_BYTES: number = 4 * 1024 * 1024;

export const animalEndpoints = [
  endpoint({
    operationId: "listAnimals",
    method: "GET",
    path: "/accounts/:account/:environment/pets",
    tag: "animals",
    access: "account",
    role: "viewer",
    summary: "List animals",
    description: "Of one catalogue: a way to read all of it. Counts towards no plan.",
    query: {
      order: choiceParameter(
        "By age. With `newest`, `after` leads to older ones.",
        ["oldest", "newest"],
        "oldest",
      ),
      name: textParameter("Only animals with this in their name; case and accents do not matter.", {
        maxLength: MAX_SEARCHED,
        rule: `must be a text of 1 to ${MAX_SEARCHED} characters`,
        pattern: SEARCHABLE,
      }),
      id: idsParameter("Only animals with one of these ids."),
      status: choiceParameter("Only animals in this state.", petStatuses),
      categoryId: integerParameter("Only animals of this category.", {
        minimum: 1,
        maximum: MAX_ID,
      }),
      after: integerParameter("Only animals after the one with this id, in that order.", {
        maximum: MAX_ID,
      }),
      limit: catalogueLimit,
    },
    success: {
      status: 200,
      description: "One page; where there is more, `Link` leads to it.",
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
        const asked = { ...others, order, id: ids?.join(",") };
        return done(pageReply(call, { path, found, again: asked, show: petShown }));
      }),
  }),
  endpoint({
    operationId: "importAnimals",
    method: "POST",
    path: "/accounts/:account/:environment/pets/import",
    tag: "animals",
    access: "account",
    role: "staff",
    summary: "Import animals",
    description:
      "Adds the valid ones of at most 1,000 rows, in one commit, and reports what is wrong with the others. A dry run only checks them.",
    body: PetImportSchema,
    maxBodyBytes: MAX_IMPORT_BYTES,
    success: {
      status: 200,
      description: "How many were added, and which were not.",
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
];

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
  return present({ ids, name: name?.trim(), status, categoryId });
}
