import { categoryHasChanged } from "../categories.ts";
import type { Problem } from "../../base/problem.ts";
import { done, type Result } from "../../base/result.ts";
import { entityTag, wantedVersion } from "../../http/conditional.ts";
import { CategoriesSchema, CategorySchema, NewCategorySchema } from "../schema.ts";
import { categoryShown, type Category, type StoredCategory } from "../model.ts";
import { endpoint, Reply } from "../../http/endpoint.ts";
import { inAccount } from "../../management/endpoint.ts";
import { idIn } from "../../http/parameters.ts";
import { inEnvironment } from "../../management/in-catalogue.ts";

const example = { id: 4, name: "Rabbits" };

const one = {
  status: 200,
  description: "The category.",
  schema: CategorySchema,
  example,
} as const;

export const categoryEndpoints = [
  endpoint({
    operationId: "listAnimalCategories",
    method: "GET",
    path: "/accounts/:account/:environment/categories",
    tag: "animals",
    access: inAccount("viewer"),
    summary: "List categories",
    description: "All categories of one catalogue, oldest first.",
    success: {
      status: 200,
      description: "All categories.",
      schema: CategoriesSchema,
      example: [{ id: 1, name: "Dogs" }],
    },
    refusals: ["not_found"],
    run: (call, { client }) => inEnvironment(call, (where) => client.categories.list(where)),
  }),
  endpoint({
    operationId: "createAnimalCategory",
    method: "POST",
    path: "/accounts/:account/:environment/categories",
    tag: "animals",
    access: inAccount("staff"),
    summary: "Add a category",
    description: "Adds a category. Its name must be unique, without regard to case.",
    body: NewCategorySchema,
    success: {
      ...one,
      status: 201,
      description: "The category, with the ID it was assigned.",
      headers: ["ETag"],
    },
    refusals: ["not_found", "category_exists"],
    run: (call, { client }) =>
      inEnvironment(call, async (where) => {
        return answered(await client.categories.create({ ...where, name: call.body.name }));
      }),
  }),
  endpoint({
    operationId: "renameAnimalCategory",
    method: "PATCH",
    path: "/accounts/:account/:environment/categories/:category",
    tag: "animals",
    access: inAccount("staff"),
    summary: "Rename a category",
    description: "Changes the name. Its animals stay in the category.",
    body: NewCategorySchema,
    conditional: true,
    success: { ...one, headers: ["ETag"] },
    refusals: ["not_found", "category_exists"],
    run: (call, { client }) =>
      inEnvironment(call, async (where) => {
        const which = { ...where, categoryId: idIn(call, "category") };
        const read = () => client.categories.byId(which);
        const version = await wantedVersion(call.request, read, categoryHasChanged);
        if (!version.ok) return version;
        const change = { name: call.body.name, ifVersion: version.value };
        return answered(await client.categories.rename({ ...which, ...change }));
      }),
  }),
  endpoint({
    operationId: "deleteAnimalCategory",
    method: "DELETE",
    path: "/accounts/:account/:environment/categories/:category",
    tag: "animals",
    access: inAccount("staff"),
    summary: "Delete a category",
    description: "Deletes a category that no animal uses, including animals that can be restored.",
    conditional: true,
    success: { status: 204, description: "The category was deleted." },
    refusals: ["not_found", "category_in_use"],
    run: (call, { client }) =>
      inEnvironment(call, async (where) => {
        const which = { ...where, categoryId: idIn(call, "category") };
        const read = () => client.categories.byId(which);
        const version = await wantedVersion(call.request, read, categoryHasChanged);
        if (!version.ok) return version;
        return client.categories.delete({ ...which, ifVersion: version.value });
      }),
  }),
];

function answered(outcome: Result<StoredCategory, Problem>): Result<Reply<Category>, Problem> {
  if (!outcome.ok) return outcome;
  return done(new Reply(categoryShown(outcome.value), { etag: entityTag(outcome.value) }));
}
