import { array, integer, named, object, oneOf, type Schema } from "../base/schema.ts";
import { MAX_ID, petStatuses, type Pet, type PetStatus } from "./pet.ts";
import { nameSchema, shownName } from "./name-schema.ts";

export const PetStatusSchema: Schema<PetStatus> & { readonly name: string } = named(
  "PetStatus",
  oneOf(petStatuses, { description: "Availability of the animal." }),
);

const MAX_NAME = 120;
const words = { description: "The animal's name; not unique.", examples: ["Rex"] };
const name = nameSchema(MAX_NAME, words);

const categoryId = integer({
  minimum: 1,
  maximum: MAX_ID,
  description: "Identifier of the category the animal belongs to.",
  examples: [1],
});

/** The body of `createPet`. */
export const NewPetSchema: Schema<{
  readonly name: string;
  readonly categoryId: number;
  readonly status?: PetStatus | undefined;
}> & { readonly name: string } = named(
  "NewPet",
  object({ name, categoryId }, { status: PetStatusSchema }),
);

/** The body of `updatePet`: what is absent stays. */
export const PetPatchSchema: Schema<{
  readonly name?: string | undefined;
  readonly categoryId?: number | undefined;
  readonly status?: PetStatus | undefined;
}> & { readonly name: string } = named(
  "PetPatch",
  object({}, { name, categoryId, status: PetStatusSchema }),
);

export const PetSchema: Schema<Pet> & { readonly name: string } = named(
  "Pet",
  object({
    id: integer({
      minimum: 1,
      maximum: MAX_ID,
      description: "Unique identifier assigned by the service on creation.",
      examples: [1],
    }),
    name: { ...name, json: shownName(MAX_NAME, words) },
    categoryId,
    status: PetStatusSchema,
  }),
);

export const PetsSchema = named("Pets", array(PetSchema));
