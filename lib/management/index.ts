export { managementClient, UnexpectedAnswer } from "./http-client.ts";
export type { ManagementClientOptions, SendRequest } from "./http-client.ts";
export type { IssuedToken, ManagementClient, ProjectView, TokenView } from "./client.ts";
export { local, roles } from "./model/principal.ts";
export type { Principal, Role } from "./model/principal.ts";
