import type { NewPet } from "../../../../lib/catalogue/model.ts";
import type { Profile } from "../../../../lib/catalogue/model-profile.ts";

/** The members of a profile's objects that are fields for people. */
type Member = "mixedBreed" | "goodWithChildren" | "goodWithDogs" | "goodWithCats";

export type AnimalFieldWords = Readonly<Record<keyof NewPet | keyof Profile | Member, string>>;

/** The labels of an animal's fields: in lists, on its page, in imports and in *Activity*. */
export const animalFields: AnimalFieldWords = {
  name: "Name",
  categoryId: "Category",
  status: "Status",
  sex: "Sex",
  neutered: "Neutered",
  birth: "Date of birth",
  breed: "Breed",
  mixedBreed: "Mixed breed",
  colour: "Colour",
  size: "Size",
  goodWith: "Good with",
  goodWithChildren: "Good with children",
  goodWithDogs: "Good with dogs",
  goodWithCats: "Good with cats",
  specialNeeds: "Special needs",
  fee: "Adoption fee",
  text: "Description",
  staffNotes: "Staff notes",
  microchip: "Microchip number",
  externalId: "External number",
  source: "External system",
  intakeAt: "Intake date",
};
