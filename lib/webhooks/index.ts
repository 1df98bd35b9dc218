export { eventChoices, type EventChoice, type EventGroup } from "../model/event-groups.ts";
export { createWebhooks } from "./create-webhooks.ts";
export type { Webhooks, WebhooksOptions } from "./create-webhooks.ts";
export type {
  Attempt,
  DeliveryFault,
  DeliveryState,
  DisableReason,
  NewDelivery,
  Webhook,
  WebhookDelivery,
} from "./model.ts";
export { MAX_ANSWER, deliveryStates } from "./model.ts";
export type { DeliveryObservation } from "./outcome.ts";
export type { DeliveryView, WebhookView } from "./routes/shapes.ts";
export type { NoAnswer, OutgoingWebhook, WebhookAnswer, WebhookSender } from "./sender.ts";
export { memoryWebhookStore } from "./storage/memory-webhook-store.ts";
export { webhookSchema } from "./storage/rows.ts";
export { sqlWebhookStore } from "./storage/sql-webhook-store.ts";
export type { SqlWebhookStoreOptions } from "./storage/sql-webhook-store.ts";
export type {
  DeliveryFilter,
  WebhookChange,
  WebhookQueueState,
  WebhookRefusal,
  WebhookStore,
} from "./webhook-store.ts";
