import {
  createCategory,
  deleteCategory,
  listCategories,
  readCategory,
  updateCategory,
} from "../../categories.ts";
import {
  CategoriesSchema,
  CategoryPatchSchema,
  CategorySchema,
  NewCategorySchema,
} from "../../schema.ts";
import { categoryShown, type StoredCategory } from "../../model.ts";
import { entityTag, mayChange } from "../../../http/conditional.ts";
import { withBody, type Call, type Endpoint } from "../../../http/endpoint.ts";
import type { Answer } from "../../../http/answer.ts";
import { paginate } from "../../../http/paginate.ts";
import { parameters } from "../../../http/parameters.ts";

const example = { id: 4, name: "Rabbits" };

export const categoryEndpoints: readonly Endpoint[] = [
  {
    operationId: "listCategories",
    method: "GET",
    path: "/categories",
    summary: "List categories",
    description: "Returns a paginated list of categories, newest first.",
    scope: "categories:read",
    stability: "beta",
    parameters: [parameters.limit, parameters.sort, parameters.cursor, parameters.count],
    pure: true,
    success: {
      status: 200,
      description: "One page of categories.",
      schema: CategoriesSchema,
      example: [example],
      headers: ["ETag", "Link", "X-Total-Count"],
    },
    refusals: ["invalid_parameter", "unknown_parameter", "invalid_cursor"],
    handle: (call, { actions, cursors }) =>
      paginate(call, cursors, {
        name: "categories",
        filters: [],
        rows: (page) => listCategories(actions, call.caller.key.catalogueId, page),
        count: () => actions.store.categories.count(call.caller.key.catalogueId),
        render: categoryJson,
      }),
  },
  withBody({
    operationId: "createCategory",
    method: "POST",
    path: "/categories",
    summary: "Add a category",
    description: "Adds a category. Its name must be unique, whatever its case.",
    scope: "categories:write",
    stability: "beta",
    parameters: [],
    body: NewCategorySchema,
    retryable: true,
    success: {
      status: 201,
      description: "The new category.",
      schema: CategorySchema,
      example,
      headers: ["ETag", "Location", "Idempotent-Replayed"],
    },
    refusals: ["category_exists"],
    handle: async (call, { actions }) => {
      const { base } = call;
      const answer = (category: StoredCategory): Answer => ({
        ...categoryAnswer(category),
        status: 201,
        headers: { location: `${base}/categories/${category.id}` },
      });
      const { name } = call.body;
      const created = await createCategory(
        actions,
        call.caller.key.catalogueId,
        name,
        call.remember(answer),
      );
      return created.ok ? { ok: true, value: answer(created.value) } : created;
    },
  }),
  {
    operationId: "getCategory",
    method: "GET",
    path: "/categories/:id",
    idName: "categoryId",
    summary: "Get a category",
    description: "Returns a single category.",
    scope: "categories:read",
    stability: "beta",
    parameters: [],
    pure: true,
    success: {
      status: 200,
      description: "The category.",
      schema: CategorySchema,
      example,
      headers: ["ETag"],
    },
    refusals: ["not_found"],
    handle: async ({ caller, id }, { actions }) => {
      const found = await readCategory(actions, caller.key.catalogueId, id);
      return found.ok ? { ok: true, value: categoryAnswer(found.value) } : found;
    },
  },
  withBody({
    operationId: "updateCategory",
    method: "PATCH",
    path: "/categories/:id",
    idName: "categoryId",
    summary: "Rename a category",
    description: "Changes the fields that are sent.",
    scope: "categories:write",
    stability: "beta",
    parameters: [],
    body: CategoryPatchSchema,
    retryable: true,
    conditional: true,
    success: {
      status: 200,
      description: "The changed category.",
      schema: CategorySchema,
      example,
      headers: ["ETag", "Idempotent-Replayed"],
    },
    refusals: ["not_found", "category_exists", "precondition_failed"],
    handle: async (call, { actions }) => {
      const { name } = call.body;
      const updated = await updateCategory(
        actions,
        call.caller.key.catalogueId,
        { categoryId: call.id, name, precondition: precondition(call) },
        call.remember(categoryAnswer),
      );
      return updated.ok ? { ok: true, value: categoryAnswer(updated.value) } : updated;
    },
  }),
  {
    operationId: "deleteCategory",
    method: "DELETE",
    path: "/categories/:id",
    idName: "categoryId",
    summary: "Delete a category",
    description: "Deletes a category that no animal uses, including animals that can be restored.",
    scope: "categories:write",
    stability: "beta",
    parameters: [],
    conditional: true,
    success: { status: 204, description: "The category is deleted." },
    refusals: ["not_found", "category_in_use", "precondition_failed"],
    handle: async (call, { actions }) => {
      const { caller, id } = call;
      const gone = await deleteCategory(actions, caller.key.catalogueId, id, precondition(call));
      return gone.ok ? { ok: true, value: { status: 204 } } : gone;
    },
  },
];

function categoryJson(category: StoredCategory): string {
  return JSON.stringify(categoryShown(category));
}

function categoryAnswer(category: StoredCategory): Answer {
  return { status: 200, body: categoryJson(category), etag: entityTag(category) };
}

function precondition({ request }: Call): ((category: StoredCategory) => boolean) | undefined {
  const ifMatch = request.headers.get("if-match");
  return ifMatch === null ? undefined : (category) => mayChange(ifMatch, entityTag(category));
}
