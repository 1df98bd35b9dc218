/**
 * The statuses of a pet, in the order in which they are shown. They have a file of their own because the dashboard's
 * first page uses nothing else of the model.
 */
export const petStatuses = ["available", "pending", "sold"] as const;
/** The state of an animal. */
export type PetStatus = (typeof petStatuses)[number];
