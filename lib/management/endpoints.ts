import type { OperationsOf } from "../http/operation.ts";
import { accountEndpoints } from "../accounts/routes/accounts.ts";
import { catalogueOperations } from "../catalogue/routes/operations.ts";
import { deployEndpoints } from "../publishing/routes/deploys.ts";
import { eventEndpoints } from "./routes/events.ts";
import { keyEndpoints } from "../accounts/routes/keys.ts";
import { onManagement } from "./on-management.ts";
import { adoptEndpoints } from "../publishing/routes/adopt.ts";
import { photoEndpoints } from "../photos/routes/photos.ts";
import { projectEndpoints } from "../publishing/routes/projects.ts";
import { siteEndpoints } from "../publishing/routes/site.ts";
import { setupEndpoints } from "../accounts/routes/setup.ts";
import { tokenEndpoints } from "../accounts/routes/tokens.ts";
import { usageEndpoints } from "../accounts/routes/usage.ts";

/** All operations of the management API. If two paths match an address, the first one wins. */
export const managementEndpoints = [
  ...setupEndpoints,
  ...accountEndpoints,
  ...tokenEndpoints,
  ...keyEndpoints,
  ...projectEndpoints,
  ...siteEndpoints,
  ...deployEndpoints,
  ...usageEndpoints,
  ...eventEndpoints,
  ...onManagement(catalogueOperations),
  ...photoEndpoints,
  ...adoptEndpoints,
] as const;

/** The types of all operations, for `managementClient`. Import them with `import type`. */
export type ManagementOperations = OperationsOf<typeof managementEndpoints>;
