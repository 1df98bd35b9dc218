import {
  createCategory,
  deleteCategory,
  listCategories,
  readCategory,
  updateCategory,
  categoryHasChanged,
} from "../../categories.ts";
import {
  CategoriesSchema,
  CategoryPatchSchema,
  CategorySchema,
  NewCategorySchema,
} from "../../schema.ts";
import { categoryShown, type Category, type StoredCategory } from "../../model.ts";
import { conditionsOf, entityTag } from "../../../http/conditional.ts";
import { endpoint } from "../../../http/endpoint.ts";
import { keyWith } from "../../../http/public-endpoint.ts";
import { encode, type AnswerOf, type Encoded } from "../../../http/answer.ts";
import { paginate } from "../../../http/paginate.ts";
import { idIn, listParameters } from "../../../http/parameters.ts";

const example = { id: 4, name: "Rabbits" };

export const categoryEndpoints = [
  endpoint({
    operationId: "listCategories",
    method: "GET",
    path: "/categories",
    summary: "List categories",
    description: "Returns a paginated list of categories, newest first.",
    access: keyWith("categories:read"),
    stability: "beta",
    query: listParameters,
    pure: true,
    success: {
      status: 200,
      description: "One page of categories.",
      schema: CategoriesSchema,
      example: [example],
      headers: ["ETag", "Link", "X-Total-Count"],
    },
    refusals: ["invalid_parameter", "unknown_parameter", "invalid_cursor"],
    run: (call, { actions, cursors }) =>
      paginate(call, cursors, {
        name: "categories",
        filters: [],
        rows: (page) => listCategories(actions, call.caller.key.catalogueId, page),
        count: () => actions.store.categories.count(call.caller.key.catalogueId),
        encode: categoryJson,
      }),
  }),
  endpoint({
    operationId: "createCategory",
    method: "POST",
    path: "/categories",
    summary: "Add a category",
    description: "Adds a category. Its name must be unique, without regard to case.",
    access: keyWith("categories:write"),
    stability: "beta",
    body: NewCategorySchema,
    retryable: true,
    success: {
      status: 201,
      description: "The new category.",
      schema: CategorySchema,
      example,
      headers: ["ETag", "Location", "Idempotent-Replayed"],
    },
    refusals: ["category_exists", "precondition_failed"],
    run: async (call, { actions }) => {
      const { base } = call;
      const answer = (category: StoredCategory): AnswerOf<Category> => ({
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
  endpoint({
    operationId: "getCategory",
    method: "GET",
    path: "/categories/:categoryId",
    summary: "Get a category",
    description: "Returns a single category.",
    access: keyWith("categories:read"),
    stability: "beta",
    pure: true,
    success: {
      status: 200,
      description: "The category.",
      schema: CategorySchema,
      example,
      headers: ["ETag"],
    },
    refusals: ["not_found"],
    run: async (call, { actions }) => {
      const { catalogueId } = call.caller.key;
      const found = await readCategory(actions, catalogueId, idIn(call, "categoryId"));
      return found.ok ? { ok: true, value: categoryAnswer(found.value) } : found;
    },
  }),
  endpoint({
    operationId: "updateCategory",
    method: "PATCH",
    path: "/categories/:categoryId",
    summary: "Rename a category",
    description: "Changes the fields that are sent.",
    access: keyWith("categories:write"),
    stability: "beta",
    body: CategoryPatchSchema,
    retryable: true,
    conditional: true,
    success: {
      status: 200,
      description: "The updated category.",
      schema: CategorySchema,
      example,
      headers: ["ETag", "Idempotent-Replayed"],
    },
    refusals: ["not_found", "category_exists", "precondition_failed"],
    run: async (call, { actions }) => {
      const { name } = call.body;
      const updated = await updateCategory(
        actions,
        call.caller.key.catalogueId,
        {
          categoryId: idIn(call, "categoryId"),
          name,
          precondition: conditionsOf(call.request, categoryHasChanged),
        },
        call.remember(categoryAnswer),
      );
      return updated.ok ? { ok: true, value: categoryAnswer(updated.value) } : updated;
    },
  }),
  endpoint({
    operationId: "deleteCategory",
    method: "DELETE",
    path: "/categories/:categoryId",
    summary: "Delete a category",
    description: "Deletes a category that no animal uses, including animals that can be restored.",
    access: keyWith("categories:write"),
    stability: "beta",
    conditional: true,
    success: { status: 204, description: "The category is deleted." },
    refusals: ["not_found", "category_in_use", "precondition_failed"],
    run: async (call, { actions }) => {
      const { catalogueId } = call.caller.key;
      const gone = await deleteCategory(
        actions,
        catalogueId,
        idIn(call, "categoryId"),
        conditionsOf(call.request, categoryHasChanged),
      );
      return gone.ok ? { ok: true, value: { status: 204 } } : gone;
    },
  }),
];

function categoryJson(category: StoredCategory): Encoded<Category> {
  return encode(categoryShown(category));
}

function categoryAnswer(category: StoredCategory): AnswerOf<Category> {
  return { status: 200, body: categoryJson(category), etag: entityTag(category) };
}
