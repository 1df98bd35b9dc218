import type { OperationsOf } from "./http/operation.ts";
import { categoryEndpoints } from "./catalogue/routes/public/categories.ts";
import { orderEndpoints } from "./catalogue/routes/public/orders.ts";
import { petEndpoints } from "./catalogue/routes/public/pets.ts";
import { rateLimitEndpoints } from "./accounts/routes/public/rate-limit.ts";

/** All operations of the public API. */
export const endpoints = [
  ...petEndpoints,
  ...categoryEndpoints,
  ...orderEndpoints,
  ...rateLimitEndpoints,
] as const;

/** The types of all operations of the public API, by method and path. Import it with `import type`. */
export type PublicOperations = OperationsOf<typeof endpoints>;
