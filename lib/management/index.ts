// The API, its stores and its clients.
export { tokenSchema } from "../accounts/storage/rows.ts";
export { sqlTokenStore, type SqlTokenStoreOptions } from "../accounts/storage/sql-token-store.ts";
export type {
  IssuedToken,
  ManagementToken,
  SetupLink,
  TokenChange,
  TokenRefusal,
  TokenStore,
  TokenUse,
  TokenView,
} from "../accounts/token-store.ts";
export type { OfferedLink, Tokens } from "../accounts/tokens.ts";
export { createDeploy, type DeployUploads, type NewDeploy } from "./client-deploys.ts";
export type { AdoptedFiles, SkippedFile } from "../publishing/actions/adopt-files.ts";
export {
  addPhoto,
  readPhoto,
  type PhotoReads,
  type PhotoUploads,
  type PictureToSend,
} from "./client-photos.ts";
export type { PhotoShown, PhotoSizeShown } from "../catalogue/profile-schema.ts";
export {
  uploadImport,
  uploadImportPhotos,
  type ImportFile,
  type ImportPhotos,
  type ImportPhotoUploads,
  type ImportUploads,
} from "./client-imports.ts";
export { serverSentEvents, type ServerSentEvent } from "./client-events.ts";
export {
  managementClient,
  UnexpectedAnswer,
  type ListPage,
  type ManagementClient,
  type ManagementClientOptions,
  type SendRequest,
} from "./client.ts";
export { createManagement, type ExtendedManagementOptions } from "./create-management.ts";
export type {
  Management,
  ManagementContext,
  ManagementOptions,
  ManagementServices,
} from "./management.ts";

// Who calls, and where events stream.
export type { RequestContext } from "../http/exchange.ts";
export type {
  GivenPrincipal,
  ManagementPrincipal,
  PrincipalActor,
} from "../accounts/host-users.ts";
export {
  local,
  roles,
  type AccountRole,
  type MeView,
  type Principal,
  type Role,
  type SignedInMember,
} from "../accounts/principal.ts";
export { COMMAND_AGENT } from "./access.ts";
export type { Closing } from "../base/closing.ts";
export type { ActorReader, ActorView, ShowActor } from "./actor-views.ts";
export type { EventPage, EventsWanted, EventView, FoundEvent } from "./event-pages.ts";
export type { EventTail } from "./event-tail.ts";
export type { AskedPlace, Leave, PlaceKind, Places, SharedPlaces } from "./places.ts";
export type { ActorName, Sessions, SignIn } from "./sessions.ts";

// Operations of other modules.
export type { JsonSchema } from "../base/field-error.ts";
export type { Check, Checks } from "../base/checks.ts";
export type { Schema } from "../base/schema.ts";
export type { Named, Shape, ValueOf } from "../base/shape.ts";
export type {
  Call,
  Carries,
  Declared,
  Deprecation,
  EventReply,
  FileReply,
  HeaderName,
  Outcome,
  Reply,
} from "../http/endpoint.ts";
export type {
  InputArguments,
  InputOf,
  ItemOf,
  ListsIn,
  NamesIn,
  Operation,
  Operations,
  OperationsOf,
} from "../http/operation.ts";
export type { NamedParameter, Parameter } from "../http/parameters.ts";
export type {
  AccountCall,
  AnonymousCall,
  AnyCall,
  AnyoneAccess,
  ManagementAccess,
  ManagementCall,
  ManagementEndpoint,
  ManagementTag,
  PrincipalAccess,
  ProjectCall,
  Visitor,
} from "./endpoint.ts";
export type { Recorded, Records } from "../model/audit-types.ts";
export type { ManagementOperations } from "./endpoints.ts";
export { systemEndpoints } from "./routes/system.ts";
export { toWire } from "../base/wire.ts";

// The program that serves the API.
export {
  nodeStates,
  type BaseDomainCheck,
  type BaseDomainCheckId,
  type BaseDomainCode,
  type BaseDomainOption,
  type BaseDomainRecord,
  type BaseDomainReport,
  type CheckState,
  type LimitsPlace,
  type MailTest,
  type NodeState,
  type NodeView,
  type RedisState,
  type SampleShelter,
  type SettingOrigin,
  type System,
  type SystemCheck,
  type SystemReport,
  type SystemSetting,
} from "./system.ts";

// Import and export of animals.
export {
  exportedAnimal,
  exportHeader,
  exportRow,
  fullExportColumns,
  type ExportDelimiter,
} from "../import/export-rows.ts";
export {
  exportArchive,
  type ExportArchiveOptions,
  type ExportedPet,
  type ExportSource,
} from "../import/export-archive.ts";
export { fieldTyped, importFields, type ImportField } from "../import/fields.ts";
export { importPresets, type ImportPreset } from "../import/presets.ts";
export type { ImportRequest } from "../import/choices-schema.ts";
export {
  choicesOf,
  type ShownFault,
  type ShownPlan,
  type ShownQuestion,
} from "../import/plan-shown.ts";
export type { ImportView } from "../import/job/shapes.ts";
export type {
  ArchiveDetails,
  ImportCounts,
  ImportDetails,
  ImportFiles,
  ImportState,
  PhotoProgress,
  StoredImport,
  UndoProgress,
} from "../import/job/model.ts";
export type { ImportChoices, ValueChoice } from "../import/choices.ts";
export type { DateOrder } from "../import/dates.ts";
export { encodings, type Encoding, type TableFacts, type TableFormat } from "../import/table.ts";

// Views.
export { usagePeriods, type UsagePeriod, type UsageRow } from "../model/usage.ts";
export type { ProjectView } from "../publishing/shapes/projects.ts";
export type { SiteView } from "../publishing/shapes/site.ts";
export type { Profile } from "../catalogue/model-profile.ts";
