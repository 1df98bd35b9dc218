export { createManagement } from "./create-management.ts";
export type { Management, ManagementContext, ManagementOptions } from "./management.ts";
export { sqlTokenStore } from "./storage/sql-token-store.ts";
export type { SqlTokenStoreOptions } from "./storage/sql-token-store.ts";
export type { SetupLink, TokenChange, TokenRefusal, TokenStore, TokenUse } from "./token-store.ts";
export { local, roles } from "./model/principal.ts";
export type { Principal, Role } from "./model/principal.ts";
export type { ManagementToken, TokenView } from "./model/token.ts";
export type { IssuedToken, ManagementClient, ProjectView } from "./client.ts";
