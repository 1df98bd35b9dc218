import type { ManagementEndpoint } from "../endpoint.ts";

export const usageEndpoints: readonly ManagementEndpoint[] = [];
