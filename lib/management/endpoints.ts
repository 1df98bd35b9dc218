import type { OperationsOf } from "../http/operation.ts";
import { accountEndpoints } from "../accounts/routes/accounts.ts";
import { categoryOperations } from "../catalogue/routes/categories.ts";
import { deployEndpoints } from "../publishing/routes/deploys.ts";
import { eventEndpoints } from "./routes/events.ts";
import { keyEndpoints } from "../accounts/routes/keys.ts";
import { onManagement } from "./on-management.ts";
import { orderOperations } from "../catalogue/routes/orders.ts";
import { petOperations } from "../catalogue/routes/pets.ts";
import { projectEndpoints } from "../publishing/routes/projects.ts";
import { setupEndpoints } from "../accounts/routes/setup.ts";
import { summaryOperations } from "../catalogue/routes/summary.ts";
import { tokenEndpoints } from "../accounts/routes/tokens.ts";
import { usageEndpoints } from "../accounts/routes/usage.ts";

/** All operations of the management API. If two paths match an address, the first one wins. */
export const managementEndpoints = [
  ...setupEndpoints,
  ...accountEndpoints,
  ...tokenEndpoints,
  ...keyEndpoints,
  ...projectEndpoints,
  ...deployEndpoints,
  ...usageEndpoints,
  ...eventEndpoints,
  ...onManagement(petOperations),
  ...onManagement(categoryOperations),
  ...onManagement(orderOperations),
  ...onManagement(summaryOperations),
] as const;

/** The types of all operations, for `managementClient`. Import them with `import type`. */
export type ManagementOperations = OperationsOf<typeof managementEndpoints>;
