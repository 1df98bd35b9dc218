import type { ManagementEndpoint } from "../endpoint.ts";

export const deployEndpoints: readonly ManagementEndpoint[] = [];
