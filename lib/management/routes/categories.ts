import { categoryHasChanged } from "../../actions/categories.ts";
import type { Problem } from "../../base/problem.ts";
import { done, type Result } from "../../base/result.ts";
import { entityTag } from "../../http/conditional.ts";
import { CategorySchema, NewCategorySchema } from "../../model/category-schema.ts";
import { categoryShown, type StoredCategory } from "../../model/category.ts";
import { withBody, type ManagementAnswer, type ManagementEndpoint } from "../endpoint.ts";
import { wantedVersion } from "../if-match.ts";
import { idIn, inEnvironment } from "../in-catalogue.ts";
import { categoriesShape } from "../schemas/animals.ts";

const example = { id: 4, name: "Rabbits" };

const one = {
  status: 200,
  description: "The category as it is now.",
  schema: CategorySchema,
  example,
} as const;

export const categoryEndpoints: readonly ManagementEndpoint[] = [
  {
    operationId: "listAnimalCategories",
    method: "GET",
    path: "/accounts/:account/:environment/categories",
    tag: "animals",
    access: "account",
    role: "viewer",
    summary: "List categories",
    description: "All of one catalogue, oldest first.",
    parameters: [],
    success: {
      status: 200,
      description: "All of them.",
      schema: categoriesShape,
      example: [{ id: 1, name: "Dogs" }],
    },
    refusals: ["not_found"],
    handle: (call, { client }) =>
      inEnvironment(call, async (where) => {
        const found = await client.categories.list(where);
        return found.ok ? done({ status: 200, value: found.value }) : found;
      }),
  },
  withBody({
    operationId: "createAnimalCategory",
    method: "POST",
    path: "/accounts/:account/:environment/categories",
    tag: "animals",
    access: "account",
    role: "staff",
    summary: "Add a category",
    description: "Its name must differ from all others by more than case.",
    parameters: [],
    body: NewCategorySchema,
    success: {
      ...one,
      status: 201,
      description: "The category, with the id it was assigned.",
      headers: ["ETag"],
    },
    refusals: ["not_found", "category_exists"],
    handle: (call, { client }) =>
      inEnvironment(call, async (where) => {
        const created = await client.categories.create({ ...where, name: call.body.name });
        return created.ok ? done({ ...shown(created.value), status: 201 }) : created;
      }),
  }),
  withBody({
    operationId: "renameAnimalCategory",
    method: "PATCH",
    path: "/accounts/:account/:environment/categories/:category",
    tag: "animals",
    access: "account",
    role: "staff",
    summary: "Rename a category",
    description: "The animals of it stay in it.",
    parameters: [],
    body: NewCategorySchema,
    conditional: true,
    success: { ...one, headers: ["ETag"] },
    refusals: ["not_found", "category_exists"],
    handle: (call, { client }) =>
      inEnvironment(call, async (where) => {
        const which = { ...where, categoryId: idIn(call, "category") };
        const read = () => client.categories.byId(which);
        const version = await wantedVersion(call.request, read, categoryHasChanged);
        if (!version.ok) return version;
        const change = { name: call.body.name, ifVersion: version.value };
        return answered(await client.categories.rename({ ...which, ...change }));
      }),
  }),
  {
    operationId: "deleteAnimalCategory",
    method: "DELETE",
    path: "/accounts/:account/:environment/categories/:category",
    tag: "animals",
    access: "account",
    role: "staff",
    summary: "Delete a category",
    description: "One that no animal uses, animals that can be restored included.",
    parameters: [],
    conditional: true,
    success: { status: 204, description: "The category is gone." },
    refusals: ["not_found", "category_in_use"],
    handle: (call, { client }) =>
      inEnvironment(call, async (where) => {
        const which = { ...where, categoryId: idIn(call, "category") };
        const read = () => client.categories.byId(which);
        const version = await wantedVersion(call.request, read, categoryHasChanged);
        if (!version.ok) return version;
        const gone = await client.categories.delete({ ...which, ifVersion: version.value });
        return gone.ok ? done({ status: 204 }) : gone;
      }),
  },
];

function answered(outcome: Result<StoredCategory, Problem>): Result<ManagementAnswer, Problem> {
  return outcome.ok ? done(shown(outcome.value)) : outcome;
}

function shown(category: StoredCategory): ManagementAnswer {
  return { status: 200, value: categoryShown(category), etag: entityTag(category) };
}
