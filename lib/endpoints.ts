import { categoryEndpoints } from "./catalogue/routes/public/categories.ts";
import { orderEndpoints } from "./catalogue/routes/public/orders.ts";
import { petEndpoints } from "./catalogue/routes/public/pets.ts";
import { rateLimitEndpoints } from "./accounts/routes/public/rate-limit.ts";

/** The public API, whole. */
export const endpoints = [
  ...petEndpoints,
  ...categoryEndpoints,
  ...orderEndpoints,
  ...rateLimitEndpoints,
] as const;
