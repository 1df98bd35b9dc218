import { done } from "../../base/result.ts";
import { petExample, PetsSchema } from "../../model/pet-schema.ts";
import { MAX_ID, petShown, petStatuses, type PetFilter } from "../../model/pet.ts";
import { SEARCHABLE } from "../../model/search-form.ts";
import { catalogueLimit, pageAnswer, pageIn } from "../catalogue-page.ts";
import { withBody, type AccountCall, type ManagementEndpoint } from "../endpoint.ts";
import { inCatalogue, inEnvironment } from "../in-catalogue.ts";
import {
  choiceParameter,
  idsParameter,
  integerParameter,
  numberIn,
  numbersIn,
  textIn,
  textParameter,
} from "../parameters.ts";
import { importShape, PetImportSchema } from "../schemas/animals.ts";

/** As long as a name. */
const MAX_SEARCHED = 120;
/** A thousand rows with the longest names and then some. */
const MAX_IMPORT_BYTES: number = 4 * 1024 * 1024;

export const animalEndpoints: readonly ManagementEndpoint[] = [
  {
    operationId: "listAnimals",
    method: "GET",
    path: "/accounts/:account/:environment/pets",
    tag: "animals",
    access: "account",
    role: "viewer",
    summary: "List animals",
    description: "Of one catalogue: a way to read all of it. Counts towards no plan.",
    parameters: [
      choiceParameter(
        "order",
        "By age. With `newest`, `after` leads to older ones.",
        ["oldest", "newest"],
        "oldest",
      ),
      textParameter(
        "name",
        "Only animals with this in their name; case and accents do not matter.",
        {
          maxLength: MAX_SEARCHED,
          rule: `must be a text of 1 to ${MAX_SEARCHED} characters`,
          pattern: SEARCHABLE,
        },
      ),
      idsParameter("id", "Only animals with one of these ids."),
      choiceParameter("status", "Only animals in this state.", petStatuses),
      integerParameter("categoryId", "Only animals of this category.", {
        minimum: 1,
        maximum: MAX_ID,
      }),
      integerParameter("after", "Only animals after the one with this id, in that order.", {
        maximum: MAX_ID,
      }),
      catalogueLimit,
    ],
    success: {
      status: 200,
      description: "One page; where there is more, `Link` leads to it.",
      schema: PetsSchema,
      example: [petExample],
      headers: ["Link"],
    },
    refusals: ["not_found"],
    handle: (call, { store }) =>
      inCatalogue(call, store, async (catalogueId, environment) => {
        const { account, query } = call;
        const filter = filterOf(query);
        const newestFirst = query["order"] === "newest";
        const found = await store.pets.list(
          catalogueId,
          filter,
          pageIn(query, newestFirst ? "desc" : "asc"),
        );
        const path = `/accounts/${account.id}/${environment}/pets`;
        const { ids, ...others } = filter;
        const order = newestFirst ? "newest" : undefined;
        const asked = { ...others, order, id: ids?.join(",") };
        return done(pageAnswer(call, { path, found, again: asked, show: petShown }));
      }),
  },
  withBody({
    operationId: "importAnimals",
    method: "POST",
    path: "/accounts/:account/:environment/pets/import",
    tag: "animals",
    access: "account",
    role: "staff",
    summary: "Import animals",
    description:
      "Adds the valid ones of at most 1,000 rows, in one commit, and reports what is wrong with the others. A dry run only checks them.",
    parameters: [],
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
    handle: (call, { client }) =>
      inEnvironment(call, async (where) => {
        const { rows, dryRun = false, createCategories = false } = call.body;
        const outcome = await client.pets.import({ ...where, rows, dryRun, createCategories });
        return outcome.ok ? done({ status: 200, value: outcome.value }) : outcome;
      }),
  }),
];

function filterOf(query: AccountCall["query"]): PetFilter {
  const ids = numbersIn(query, "id");
  const name = textIn(query, "name")?.trim();
  const status = petStatuses.find((one) => one === query["status"]);
  const categoryId = numberIn(query, "categoryId");
  return {
    ...(status === undefined ? {} : { status }),
    ...(categoryId === undefined ? {} : { categoryId }),
    ...(name === undefined ? {} : { name }),
    ...(ids === undefined ? {} : { ids }),
  };
}
