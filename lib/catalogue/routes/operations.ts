import { categoryOperations } from "./categories.ts";
import { orderOperations } from "./orders.ts";
import { petOperations } from "./pets.ts";
import { profileOperations } from "./profiles.ts";
import { summaryOperations } from "./summary.ts";

/** All operations in a catalogue, for both APIs. If two paths match an address, the first one wins. */
export const catalogueOperations = [
  ...petOperations,
  ...profileOperations,
  ...categoryOperations,
  ...orderOperations,
  ...summaryOperations,
] as const;
