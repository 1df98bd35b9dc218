/** The statuses of an animal. The first page of the dashboard loads this file, and not the rest of the model. */
export const petStatuses = ["available", "pending", "sold"] as const;
export type PetStatus = (typeof petStatuses)[number];
