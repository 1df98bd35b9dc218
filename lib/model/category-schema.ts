import { array, integer, named, object, type Schema } from "../base/schema.ts";
import { MAX_CATEGORY_NAME, type Category } from "./category.ts";
import { MAX_ID } from "./pet.ts";
import { nameSchema, shownName } from "./name-schema.ts";

const words = {
  description: "Unique in the catalogue, without regard to case.",
  examples: ["Rabbits"],
};
const name = nameSchema(MAX_CATEGORY_NAME, words);

export const NewCategorySchema: Schema<{ readonly name: string }> & { readonly name: string } =
  named("NewCategory", object({ name }));

/** The body of `updateCategory`: what is absent stays. */
export const CategoryPatchSchema: Schema<{ readonly name?: string | undefined }> & {
  readonly name: string;
} = named("CategoryPatch", object({}, { name }));

export const CategorySchema: Schema<Category> & { readonly name: string } = named(
  "Category",
  object({
    id: integer({ minimum: 1, maximum: MAX_ID, examples: [4] }),
    name: { ...name, json: shownName(MAX_CATEGORY_NAME, words) },
  }),
);

export const CategoriesSchema = named("Categories", array(CategorySchema));
