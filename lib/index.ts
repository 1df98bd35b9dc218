export { createPetstore } from "./petstore.ts";
export type { Petstore } from "./petstore.ts";
export type { PetstoreOptions } from "./petstore-options.ts";
export type { GivenPrincipal, PrincipalActor, PublicPrincipal } from "./accounts/host-users.ts";
export type { Jobs } from "./jobs.ts";
export type { Answered, FetchContext, RequestContext } from "./http/exchange.ts";
export type {
  RequestCounter,
  RequestEntry,
  RequestLog,
  RequestRule,
  RequestWindow,
} from "./http/request-log.ts";
export type { CorsOptions } from "./http/cors.ts";
export type { Servers } from "./http/describe.ts";
export type { IssuedKey, KeyView } from "./accounts/keys.ts";
export type { InCatalogue, LocalClient, OnVersion } from "./local-client.ts";
export type { KeyLimits, LimitsView, WindowState } from "./accounts/limits.ts";
export { systemClock } from "./base/clock.ts";
export type { Clock } from "./base/clock.ts";
export type { DatabaseClock } from "./base/database-clock.ts";
export type { PurgePause, StoreClock } from "./base/store-clock.ts";
export { webDigest } from "./base/digest.ts";
export type { Digest } from "./base/digest.ts";
export type { Eventual } from "./base/eventual.ts";
export type { Random } from "./base/id.ts";
export type { TakeTurn } from "./base/rounds.ts";
export type { Log, LogFields } from "./base/log.ts";
export { problems } from "./base/problem.ts";
export type { FieldError, Problem, ProblemCode } from "./base/problem.ts";
export type { Result } from "./base/result.ts";
export type { Charge, Charges, Decision } from "./accounts/limiter.ts";
export type { Limiter, Spender, Verdict, WindowView } from "./accounts/limiter.ts";
export { environments, planLimits, plans } from "./model/account.ts";
export type { Account, Environment, Limits, Plan } from "./model/account.ts";
export { forActors } from "./model/actor.ts";
export type { Actor, Channel, ForActors, Origin } from "./model/actor.ts";
export type { ImportOutcome, ImportRow } from "./catalogue/import.ts";
export type { Images, Orientation, Picture, PictureType, Rendition } from "./photos/images.ts";
export { PictureUndecodable } from "./photos/images.ts";
export type {
  NewPicture,
  OfAnimal,
  OfPhoto,
  PhotoBytes,
  PhotoChanges,
  Photos,
  PhotoService,
} from "./photos/photos.ts";
export type { PhotoFiles } from "./photos/files.ts";
export type { PhotoHost, PhotoName } from "./catalogue/photo-address.ts";
export type { Category } from "./catalogue/model.ts";
export { EventsMissing } from "./events/on.ts";
export type {
  EventCall,
  EventFailure,
  EventHandler,
  EventOptions,
  EventPosition,
  EventVerdict,
} from "./events/on.ts";
export type {
  EventData,
  EventOf,
  EventSelection,
  PetstoreEvent,
  SelectedType,
} from "./events/petstore-event.ts";
export type { WireForm } from "./base/wire.ts";
export type { EventChoice, EventGroup } from "./model/event-groups.ts";
export type { DomainEvent, EventType, RecordedEvent } from "./model/event.ts";
export type { OrderStatus } from "./catalogue/model.ts";
export { orderStatuses, petStatuses } from "./catalogue/model.ts";
export type { Pet, PetFilter, PetStatus } from "./catalogue/model.ts";
export {
  animalSizes,
  goodWithAnswers,
  MAX_PROFILE_TEXT,
  sexes,
} from "./catalogue/model-profile.ts";
export type {
  AnimalSize,
  Birth,
  BirthPrecision,
  Breed,
  GoodWith,
  GoodWithAnswer,
  NewPhoto,
  PhotoFocus,
  PhotoSize,
  Profile,
  ProfileFilter,
  ProfileValues,
  Sex,
  StoredPhoto,
  StoredProfile,
} from "./catalogue/model-profile.ts";
export type { ProfileChanges, ProfileInput } from "./catalogue/profile-input.ts";
export { defaultScopes, scopes } from "./model/scope.ts";
export type { Scope } from "./model/scope.ts";
export { migrate } from "./sql/migrate.ts";
export type { Migration, Schema } from "./sql/migrate.ts";
export { schemaVersion, storeSchema } from "./storage/migrations.ts";
export type {
  BatchRows,
  Dialect,
  MakeSteps,
  PlannedMigration,
  Sql,
  SqlRow,
  SqlValue,
  Statement,
  Step,
} from "./sql/sql.ts";
export { sqlStore } from "./storage/sql-store.ts";
export type { SqlStoreOptions } from "./storage/sql-store.ts";
export {
  MIGRATIONS_LANE,
  ForeignTables,
  MissingMigrations,
  NewerSchema,
  StoreUnavailable,
  UnfinishedImport,
  UnsuitableDatabase,
} from "./sql/sql.ts";
export type { RefusedChange } from "./sql/script.ts";
export type { Traffic } from "./base/traffic.ts";
export { shareFeed } from "./storage/feed.ts";
export type { Commit, FeedReader, ReadFeed, Store, StoreReads } from "./storage/store.ts";
export type { PetTexts, PetTextsQuery } from "./storage/pet-blocks.ts";
export type { DeletedPet, NewPet, PetFields, PetInput, StoredPet } from "./catalogue/model.ts";
export type { FieldChanges, NewRow, WithNulls } from "./base/fields.ts";
export type { StoredCategory } from "./catalogue/model.ts";
export type { CountBy } from "./accounts/limiter.ts";
export type { LimitStatus, Period, Rates, ReportedWindow, WindowName } from "./model/window.ts";
export type { Catalogue } from "./model/account.ts";
export type { ApiKey, Ban } from "./model/api-key.ts";
export type { Page } from "./base/page.ts";
export type { Adopter, OrderFilter, StoredOrder } from "./catalogue/model.ts";
export type { AnswerId, RecordedAnswer, RememberedAnswer } from "./storage/change.ts";
export type {
  Change,
  ChangeOf,
  Conflict,
  Outcome,
  Refusal,
  SavedCounter,
} from "./storage/change.ts";
export type { Notice, Topic } from "./storage/change.ts";
export type { CountedUsage, UsageQuery } from "./model/usage.ts";
