export { createManagement } from "./create-management.ts";
export type { Closing } from "../base/closing.ts";
export type { ExtendedManagementOptions } from "./create-management.ts";
export type { ManagementEndpoint } from "./endpoint.ts";
export type { Management, ManagementContext, ManagementOptions } from "./management.ts";
export { tokenSchema } from "../accounts/storage/rows.ts";
export { sqlTokenStore } from "../accounts/storage/sql-token-store.ts";
export type { SqlTokenStoreOptions } from "../accounts/storage/sql-token-store.ts";
export type {
  IssuedToken,
  ManagementToken,
  SetupLink,
  TokenView,
  TokenChange,
  TokenRefusal,
  TokenStore,
  TokenUse,
} from "../accounts/token-store.ts";
export { local, roles } from "../accounts/principal.ts";
export type { Principal, Role } from "../accounts/principal.ts";
export { managementClient, UnexpectedAnswer } from "./client.ts";
export type { ManagementClient, ManagementClientOptions, SendRequest } from "./client.ts";
export { createDeploy } from "./client-deploys.ts";
export type { DeployUploads, NewDeploy } from "./client-deploys.ts";
export { serverSentEvents } from "./client-events.ts";
export type { ServerSentEvent } from "./client-events.ts";
export type { ManagementOperations } from "./endpoints.ts";
export type {
  InputArguments,
  InputOf,
  ItemOf,
  ListsIn,
  Operation,
  Operations,
  OperationsOf,
  NamesIn,
} from "../http/operation.ts";
export type { ProjectView } from "../publishing/shapes/projects.ts";
export type { MeView } from "../accounts/principal.ts";
export type { AskedPlace, Leave, PlaceKind, Places, SharedPlaces } from "./places.ts";
export type { ActorName, Sessions } from "./sessions.ts";
export type { SignIn } from "./sessions.ts";
export { importPetFile } from "../catalogue/pet-import.ts";
export type { ImportEnd, ImportFault, ImportPetFile } from "../catalogue/pet-import.ts";
export {
  exportColumns,
  exportedPet,
  exportedRow,
  petColumns,
  petFormats,
} from "../catalogue/pet-rows.ts";
export type {
  HeaderFault,
  IgnoredColumn,
  LineFault,
  PetColumn,
  PetFormat,
  RowFault,
} from "../catalogue/pet-rows.ts";
export {
  checkTitles,
  checkWords,
  type CheckCode,
  type CheckFacts,
  type CheckId,
  type CheckText,
  type CheckWording,
  type GoodBackup,
  type HostFault,
} from "./check-words.ts";
export { systemEndpoints } from "./routes/system.ts";
export type {
  BaseDomainCheck,
  BaseDomainCheckId,
  BaseDomainCode,
  BaseDomainOption,
  BaseDomainRecord,
  BaseDomainReport,
  CheckState,
  LimitsPlace,
  NodeState,
  NodeView,
  RedisState,
  SampleShelter,
  SettingOrigin,
  System,
  SystemCheck,
  SystemReport,
  SystemSetting,
} from "./system.ts";
export { nodeStates } from "./system.ts";
export type { ActorView, FindActor, KnownActor } from "./actor-views.ts";
export type { EventPage, EventsWanted, EventView, FoundEvent } from "./event-pages.ts";
export type { EventTail } from "./event-tail.ts";
export { toWire } from "./wire.ts";
export { usagePeriods } from "../model/usage.ts";
export type { UsagePeriod, UsageRow } from "../model/usage.ts";
export type { AccountRole, SignedInMember } from "../accounts/principal.ts";
export type {
  AccountCall,
  AnonymousCall,
  AnyoneAccess,
  ManagementAccess,
  ManagementCall,
  ManagementTag,
  PrincipalAccess,
  ProjectCall,
  Visitor,
} from "./endpoint.ts";
export type { ManagementServices } from "./management.ts";
export type { OfferedLink, Tokens } from "../accounts/tokens.ts";
export type { Schema } from "../base/schema.ts";
export type { JsonSchema } from "../base/field-error.ts";
export type { RecordFault } from "../base/records.ts";
export type { CsvFault } from "../base/csv.ts";
export type { AnyCall } from "./endpoint.ts";
export type {
  Call,
  Declared,
  Deprecation,
  EventReply,
  HeaderName,
  Outcome,
  Reply,
} from "../http/endpoint.ts";
export type { NamedParameter, Parameter } from "../http/parameters.ts";
export type { Named, Shape, ValueOf } from "../base/shape.ts";
