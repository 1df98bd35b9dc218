import type { OperationsOf } from "./http/operation.ts";
import { categoryOperations } from "./catalogue/routes/categories.ts";
import { onPublic } from "./catalogue/routes/on-public.ts";
import { orderOperations } from "./catalogue/routes/orders.ts";
import { petOperations } from "./catalogue/routes/pets.ts";
import { rateLimitEndpoints } from "./accounts/routes/public/rate-limit.ts";

/** All operations of the public API. */
export const endpoints = [
  ...onPublic(petOperations),
  ...onPublic(categoryOperations),
  ...onPublic(orderOperations),
  ...rateLimitEndpoints,
] as const;

/** The types of all operations of the public API, by method and path. Import it with `import type`. */
export type PublicOperations = OperationsOf<typeof endpoints>;
