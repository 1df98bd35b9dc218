import type { Endpoint } from "./endpoint.ts";
import { categoryEndpoints } from "./routes/categories.ts";
import { orderEndpoints } from "./routes/orders.ts";
import { petEndpoints } from "./routes/pets.ts";
import { rateLimitEndpoints } from "./routes/rate-limit.ts";

/** The public API, whole. */
export const endpoints: readonly Endpoint[] = [
  ...petEndpoints,
  ...categoryEndpoints,
  ...orderEndpoints,
  ...rateLimitEndpoints,
];
