import { array, integer, named, object, oneOf, string, type Schema } from "../base/schema.ts";
import { MAX_ID, petStatuses, type Pet, type PetStatus } from "./pet.ts";
import { faultOfName } from "./text.ts";

export const PetStatusSchema: Schema<PetStatus> & { readonly name: string } = named(
  "PetStatus",
  oneOf(petStatuses, { description: "Availability of the animal." }),
);

const name = string((text) => faultOfName(text, 120), {
  minLength: 1,
  maxLength: 120,
  description: "The animal's name: NFC, trimmed, no control characters, not unique.",
  examples: ["Rex"],
});

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
    name,
    categoryId,
    status: PetStatusSchema,
  }),
);

export const PetsSchema: Schema<Pet[]> & { readonly name: string } = named(
  "Pets",
  array(PetSchema),
);
