import type { OperationsOf } from "../http/operation.ts";
import { accountEndpoints } from "./routes/accounts.ts";
import { animalEndpoints } from "./routes/animals.ts";
import { categoryEndpoints } from "./routes/categories.ts";
import { deletedPetEndpoints } from "./routes/deleted-pets.ts";
import { deployEndpoints } from "./routes/deploys.ts";
import { eventEndpoints } from "./routes/events.ts";
import { keyEndpoints } from "./routes/keys.ts";
import { orderEndpoints } from "./routes/orders.ts";
import { petEndpoints } from "./routes/pets.ts";
import { projectEndpoints } from "./routes/projects.ts";
import { setupEndpoints } from "./routes/setup.ts";
import { summaryEndpoints } from "./routes/summary.ts";
import { tokenEndpoints } from "./routes/tokens.ts";
import { usageEndpoints } from "./routes/usage.ts";

/** The management API, whole. Of two paths that fit an address, the first is meant. */
export const managementEndpoints = [
  ...setupEndpoints,
  ...accountEndpoints,
  ...tokenEndpoints,
  ...keyEndpoints,
  ...projectEndpoints,
  ...deployEndpoints,
  ...usageEndpoints,
  ...eventEndpoints,
  ...animalEndpoints,
  ...deletedPetEndpoints,
  ...petEndpoints,
  ...categoryEndpoints,
  ...orderEndpoints,
  ...summaryEndpoints,
] as const;

/** The types of all operations, for `operationsClient`. Import it with `import type`. */
export type ManagementOperations = OperationsOf<typeof managementEndpoints>;
