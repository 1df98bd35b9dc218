import type { ManagementEndpoint } from "../endpoint.ts";

export const projectEndpoints: readonly ManagementEndpoint[] = [];
