import type { OperationsOf } from "./http/operation.ts";
import { PetWithProfileSchema, ProfileSchema } from "./catalogue/profile-schema.ts";
import { PetsSchema, PetStatusSchema } from "./catalogue/schema.ts";
import { onPublic } from "./catalogue/routes/on-public.ts";
import { publicOperations } from "./catalogue/routes/public-operations.ts";
import { rateLimitEndpoints } from "./accounts/routes/public/rate-limit.ts";

/** All operations of the public API. */
export const endpoints = [...onPublic(publicOperations), ...rateLimitEndpoints] as const;

/** The parts of bodies and answers that the OpenAPI document describes once, under their own names. */
export const sharedSchemas = [
  PetStatusSchema,
  PetsSchema,
  PetWithProfileSchema,
  ProfileSchema,
] as const;

/** The types of all operations of the public API, by method and path. Import it with `import type`. */
export type PublicOperations = OperationsOf<typeof endpoints>;
