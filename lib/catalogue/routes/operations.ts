import { categoryOperations } from "./categories.ts";
import { orderOperations } from "./orders.ts";
import { petOperations } from "./pets.ts";
import { summaryOperations } from "./summary.ts";

/** All operations in a catalogue, for both APIs. If two paths match an address, the first one wins. */
export const catalogueOperations = [
  ...petOperations,
  ...categoryOperations,
  ...orderOperations,
  ...summaryOperations,
] as const;
