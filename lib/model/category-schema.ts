import { array, integer, named, object, string, type Schema } from "../base/schema.ts";
import type { Category } from "./category.ts";
import { MAX_ID } from "./pet.ts";
import { faultOfName } from "./text.ts";

const name = string((text) => faultOfName(text, 80), {
  minLength: 1,
  maxLength: 80,
  description: "Unique in the catalogue, without regard to case.",
  examples: ["Rabbits"],
});

export const NewCategorySchema: Schema<{ readonly name: string }> & { readonly name: string } =
  named("NewCategory", object({ name }));

/** The body of `updateCategory`: what is absent stays. */
export const CategoryPatchSchema: Schema<{ readonly name?: string | undefined }> & {
  readonly name: string;
} = named("CategoryPatch", object({}, { name }));

export const CategorySchema: Schema<Category> & { readonly name: string } = named(
  "Category",
  object({ id: integer({ minimum: 1, maximum: MAX_ID, examples: [4] }), name }),
);

export const CategoriesSchema: Schema<Category[]> & { readonly name: string } = named(
  "Categories",
  array(CategorySchema),
);
