import { MAX_ID } from "../base/id.ts";
import { array, integer, named, object, oneOf, type Schema } from "../base/schema.ts";
import { exampleRow, rowSchemas, type FieldSchemas } from "../base/row-schemas.ts";
import { choice, declared, instant, listOf, shape, whole } from "../base/shape.ts";
import { nameSchema, shownName } from "../model/name-schema.ts";
import {
  orderStatuses,
  petFieldKinds,
  petStatuses,
  type petDefaults,
  type NewPet,
  type Pet,
  type PetFields,
  type PetInput,
  type PetStatus,
  MAX_CATEGORY_NAME,
  type Category,
} from "./model.ts";

export const PetStatusSchema: Schema<PetStatus> & { readonly name: string } = named(
  "PetStatus",
  oneOf(petStatuses, { description: "Availability of the animal." }),
);

const MAX_NAME = 120;
const words = { description: "The animal's name; not unique.", examples: ["Rex"] };

const id = integer({
  minimum: 1,
  maximum: MAX_ID,
  description: "Unique identifier assigned by the service on creation.",
  examples: [1],
});

/** The fields that the caller sets. */
const petSchemas: FieldSchemas<NewPet> = {
  name: nameSchema(MAX_NAME, words),
  categoryId: integer({
    minimum: 1,
    maximum: MAX_ID,
    description: "Identifier of the category the animal belongs to.",
    examples: [1],
  }),
  status: PetStatusSchema,
};

const { created, changed } = rowSchemas(petFieldKinds, petSchemas);

/** The body of `createPet`. */
export const NewPetSchema: Schema<PetInput> & { readonly name: string } = named("NewPet", created);

/** The body of `updatePet`. An absent field keeps its value. */
export const PetPatchSchema: Schema<PetFields> & { readonly name: string } = named(
  "PetPatch",
  changed,
);

/** The fields in the form the API sends. */
const shown = { id, ...petSchemas, name: { ...petSchemas.name, json: shownName(MAX_NAME, words) } };

/** The example pet in the documentation. */
export const petExample: Pet = exampleRow<Pet>(shown);

export const PetSchema: Schema<Pet> & { readonly name: string } = named(
  "Pet",
  rowSchemas<Pet, typeof petDefaults>({ id: "required", ...petFieldKinds }, shown).stored,
);

export const PetsSchema = named("Pets", array(PetSchema));

const categoryWords = {
  description: "Unique in the catalogue, without regard to case.",
  examples: ["Rabbits"],
};
const categoryName = nameSchema(MAX_CATEGORY_NAME, categoryWords);

export const NewCategorySchema: Schema<{ readonly name: string }> & { readonly name: string } =
  named("NewCategory", object({ name: categoryName }));

/** The body of `updateCategory`. An absent field keeps its value. */
export const CategoryPatchSchema: Schema<{ readonly name?: string | undefined }> & {
  readonly name: string;
} = named("CategoryPatch", object({}, { name: categoryName }));

export const CategorySchema: Schema<Category> & { readonly name: string } = named(
  "Category",
  object({
    id: integer({ minimum: 1, maximum: MAX_ID, examples: [4] }),
    name: { ...categoryName, json: shownName(MAX_CATEGORY_NAME, categoryWords) },
  }),
);

export const CategoriesSchema = named("Categories", array(CategorySchema));

const orderId = whole({ format: "int64", minimum: 1, maximum: MAX_ID });
export const order = { id: orderId, petId: orderId, status: choice(orderStatuses) };

export const soldAt = { createdAt: instant("When the animal was sold.") };
export const returned = {
  returnedAt: instant("When the animal was returned. Absent: it was not."),
  statusBefore: choice(petStatuses, "The status of the animal before. Absent: unknown."),
};

/** Orders as the management API lists them, without adopters. */
export const ordersShape = listOf(
  "AnimalOrders",
  shape("AnimalOrder", { ...order, ...soldAt }, returned),
);

/** Orders as the public API sends them, with RFC 3339 in the value too. */
export const sentOrdersShape = listOf(
  "Orders",
  shape("Order", { ...order, createdAt: declared<string>(instant().json) }),
);
