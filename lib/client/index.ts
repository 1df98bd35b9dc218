export type { FieldError, ProblemCode } from "../base/problem.ts";
export type { Category } from "../catalogue/model.ts";
export type { Pet, PetStatus } from "../catalogue/model.ts";
export {
  createClient,
  type Client,
  type Condition,
  type NewPetInput,
  type Order,
  type OrderQuery,
  type PetPatch,
  type PetQuery,
  type RateLimit,
  type RateWindow,
  type Received,
  type Tagged,
  type WriteOptions,
} from "./client.ts";
export type { ClientOptions } from "./options.ts";
export { PetstoreError, PetstoreUnreachable, type PetstoreErrorCode } from "./failure.ts";
export type { CallOptions, Listing, ListQuery, Page } from "./listing.ts";
export type { Refusal } from "./failure.ts";
export type { PublicOperations } from "../endpoints.ts";
export type { ItemOf, Operation, OperationsOf } from "../http/operation.ts";
export type { Parameters, SentQueryOf } from "../http/parameters.ts";
export {
  verifyWebhook,
  WebhookVerificationError,
  type VerifiedWebhook,
  type VerifyWebhookOptions,
  type WebhookFault,
  type WebhookMessage,
  type WebhookRequest,
} from "./webhook.ts";
