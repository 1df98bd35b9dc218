import { categoryOperations } from "./categories.ts";
import { orderOperations } from "./orders.ts";
import { petOperations } from "./pets.ts";
import { profileOperations } from "./profiles.ts";
import { staffOrderOperations } from "./staff-orders.ts";
import { staffPetOperations } from "./staff-pets.ts";
import { staffProfileOperations } from "./staff-profiles.ts";
import { summaryOperations } from "./summary.ts";

const [listPets, ...otherPetOperations] = petOperations;

/** All operations in a catalogue, for both APIs. If two paths match an address, the first one wins. */
export const catalogueOperations = [
  listPets,
  ...staffPetOperations,
  ...otherPetOperations,
  ...profileOperations,
  ...staffProfileOperations,
  ...categoryOperations,
  ...orderOperations,
  ...staffOrderOperations,
  ...summaryOperations,
] as const;
