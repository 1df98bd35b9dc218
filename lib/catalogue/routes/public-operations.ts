import { categoryOperations } from "./categories.ts";
import { orderOperations } from "./orders.ts";
import { petOperations } from "./pets.ts";
import { profileOperations } from "./profiles.ts";

/** The operations in a catalogue that the public API offers. What only the management API offers, it does not load. */
export const publicOperations = [
  ...petOperations,
  ...profileOperations,
  ...categoryOperations,
  ...orderOperations,
] as const;
