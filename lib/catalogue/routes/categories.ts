import { andThen } from "../../base/eventual.ts";
import { actions } from "./late-actions.ts";
import { done } from "../../base/result.ts";
import { list, operation, rowOf } from "./operation.ts";
import { categoryRefusals } from "../refusals.ts";
import { categoryShown, type Category, type StoredCategory } from "../model.ts";
import {
  CategoriesSchema,
  CategoryPatchSchema,
  CategorySchema,
  NewCategorySchema,
} from "../schema.ts";

const example = { id: 4, name: "Rabbits" };
const show = (category: StoredCategory): Category => categoryShown(category);
const category = rowOf({ schema: CategorySchema, example, show });

const path = "/categories";
const onePath = "/categories/:category";
const reading = { scope: "categories:read", stability: "beta" } as const;
const writing = { scope: "categories:write", stability: "beta" } as const;

export const listCategories = list({
  path,
  public: {
    operationId: "listCategories",
    ...reading,
    description: "Returns a paginated list of categories, newest first.",
    success: "One page of categories.",
    filters: {},
  },
  management: {
    operationId: "listAnimalCategories",
    role: "viewer",
    filters: {},
    pages: "all",
    example: [{ id: 1, name: "Dogs" }],
  },
  summary: "List categories",
  description: "All categories of one catalogue, oldest first.",
  success: "All categories.",
  items: { schema: CategoriesSchema, example: [example], show },
  select: ({ store: { categories } }, { catalogueId }) =>
    done({
      rows: (page) => categories.list(catalogueId, page),
      count: () => categories.count(catalogueId),
    }),
});

export const addCategory = operation({
  method: "POST",
  path,
  public: { operationId: "createCategory", ...writing, success: "The new category." },
  management: { operationId: "createAnimalCategory", role: "staff" },
  summary: "Add a category",
  description: "Adds a category. Its name must be unique, without regard to case.",
  body: NewCategorySchema,
  creates: true,
  success: "The category, with the ID it was assigned.",
  output: category,
  refusals: ["category_exists"],
  run: (context, { catalogueId, body }, also) =>
    andThen(actions(), ({ createCategory }) =>
      createCategory(context, catalogueId, body.name, also),
    ),
});

export const getCategory = operation({
  method: "GET",
  path: onePath,
  public: { operationId: "getCategory", ...reading },
  summary: "Get a category",
  description: "Returns a single category.",
  success: "The category.",
  output: category,
  run: (context, { catalogueId, ids }) =>
    andThen(actions(), ({ readCategory }) => readCategory(context, catalogueId, ids.category)),
});

export const renameCategory = operation({
  method: "PATCH",
  path: onePath,
  public: {
    operationId: "updateCategory",
    ...writing,
    description: "Changes the fields that are sent.",
    success: "The updated category.",
  },
  management: { operationId: "renameAnimalCategory", role: "staff", body: NewCategorySchema },
  summary: "Rename a category",
  description: "Changes the name. Its animals stay in the category.",
  body: CategoryPatchSchema,
  conditional: categoryRefusals.changed,
  success: "The category.",
  output: category,
  refusals: ["category_exists"],
  run: (context, { catalogueId, ids, body, precondition }, also) =>
    andThen(actions(), ({ updateCategory }) =>
      updateCategory(
        context,
        catalogueId,
        { categoryId: ids.category, name: body.name, precondition },
        also,
      ),
    ),
});

export const removeCategory = operation({
  method: "DELETE",
  path: onePath,
  public: { operationId: "deleteCategory", ...writing, success: "The category is deleted." },
  management: { operationId: "deleteAnimalCategory", role: "staff" },
  summary: "Delete a category",
  description: "Deletes a category that no animal uses, including animals that can be restored.",
  conditional: categoryRefusals.changed,
  success: "The category was deleted.",
  refusals: ["category_in_use"],
  run: (context, { catalogueId, ids, precondition }) =>
    andThen(actions(), ({ deleteCategory }) =>
      deleteCategory(context, catalogueId, ids.category, precondition),
    ),
});

export const categoryOperations = [
  listCategories,
  addCategory,
  getCategory,
  renameCategory,
  removeCategory,
] as const;
