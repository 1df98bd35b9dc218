import type { ManagementEndpoint } from "./endpoint.ts";
import { deployEndpoints } from "./routes/deploys.ts";
import { eventEndpoints } from "./routes/events.ts";
import { projectEndpoints } from "./routes/projects.ts";
import { usageEndpoints } from "./routes/usage.ts";

/** The management API, whole. */
export const managementEndpoints: readonly ManagementEndpoint[] = [
  ...projectEndpoints,
  ...deployEndpoints,
  ...usageEndpoints,
  ...eventEndpoints,
];
