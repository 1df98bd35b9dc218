import { array, integer, named, object, oneOf, type Schema } from "../base/schema.ts";
import { nameSchema, shownName } from "./name-schema.ts";
import {
  MAX_ID,
  petStatuses,
  type NewPet,
  type Pet,
  type PetFields,
  type PetInput,
  type PetStatus,
} from "./pet.ts";

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

/** What a caller sets. */
const fields: { readonly [Field in keyof NewPet]: Schema<NewPet[Field]> } = {
  name: nameSchema(MAX_NAME, words),
  categoryId: integer({
    minimum: 1,
    maximum: MAX_ID,
    description: "Identifier of the category the animal belongs to.",
    examples: [1],
  }),
  status: PetStatusSchema,
};

const { status, ...required } = fields;

/** The members of a pet as it is sent, for objects that have others as well. */
export const petShape = {
  id,
  ...fields,
  name: { ...fields.name, json: shownName(MAX_NAME, words) },
};

/** The body of `createPet`. */
export const NewPetSchema: Schema<PetInput> & { readonly name: string } = named(
  "NewPet",
  object(required, { status }),
);

/** The body of `updatePet`: an absent field keeps its value. */
export const PetPatchSchema: Schema<PetFields> & { readonly name: string } = named(
  "PetPatch",
  object({}, fields),
);

/** What the documents show for an animal. */
export const petExample: Pet = { id: 1, name: "Rex", categoryId: 1, status: "available" };

export const PetSchema: Schema<Pet> & { readonly name: string } = named("Pet", object(petShape));

export const PetsSchema = named("Pets", array(PetSchema));
