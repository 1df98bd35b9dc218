import type { ManagementEndpoint } from "../endpoint.ts";

export const eventEndpoints: readonly ManagementEndpoint[] = [];
