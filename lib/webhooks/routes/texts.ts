import { choiceParameter, idParameter, limitParameter } from "../../http/parameters.ts";
import { deliveryStates, MAX_WEBHOOKS } from "../model.ts";
import { MAX_REPLAYED } from "../replay.ts";
import {
  deliveriesShape,
  deliveryExample,
  deliveryShape,
  issuedWebhookShape,
  NewWebhookSchema,
  ReplaySchema,
  replayedShape,
  webhookExample,
  WebhookPatchSchema,
  WebhookRotationSchema,
  webhookShape,
  webhooksShape,
  webhookTestShape,
} from "./shapes.ts";

const query = {
  state: choiceParameter("Only deliveries in this state.", deliveryStates),
  before: idParameter("Only deliveries of events before the one with this `seq`."),
  limit: limitParameter({ maximum: 500, fallback: 50 }),
};

const one = {
  status: 200,
  description: "The webhook.",
  schema: webhookShape,
  example: webhookExample,
} as const;
const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=";

/** What the operations of accounts and of the installation have in common. */
export const texts = {
  list: {
    tag: "webhooks",
    summary: "List webhooks",
    description: "All webhooks, oldest first, without their secrets.",
    success: {
      status: 200,
      description: "All webhooks.",
      schema: webhooksShape,
      example: [webhookExample],
    },
    refusals: [],
  },
  create: {
    tag: "webhooks",
    summary: "Create a webhook",
    description: `Events from now on are sent to the URL, signed by Standard Webhooks. There can be ${MAX_WEBHOOKS} webhooks.`,
    body: NewWebhookSchema,
    success: {
      status: 201,
      description: "The webhook. Its secret is shown only here.",
      schema: issuedWebhookShape,
      example: { ...webhookExample, secret },
      headers: ["Location"],
    },
    refusals: ["invalid_value", "limit_reached"],
  },
  get: {
    tag: "webhooks",
    summary: "Get a webhook",
    description: "The webhook, without its secret.",
    success: one,
    refusals: ["not_found"],
  },
  update: {
    tag: "webhooks",
    summary: "Update a webhook",
    description:
      "Omitted members stay unchanged. Disabling ends the deliveries that wait. A webhook that is enabled again gets the events from then on; replay the others.",
    body: WebhookPatchSchema,
    success: one,
    refusals: ["not_found", "invalid_value"],
  },
  remove: {
    tag: "webhooks",
    summary: "Delete a webhook",
    description: "Deliveries that wait are not made.",
    success: { status: 204, description: "The webhook was deleted." },
    refusals: ["not_found"],
  },
  rotate: {
    tag: "webhooks",
    summary: "Rotate the secret of a webhook",
    description:
      "Creates another secret. Until the overlap ends, each message has two signatures, one by each secret.",
    body: WebhookRotationSchema,
    success: {
      status: 200,
      description: "The webhook. Its new secret is shown only here.",
      schema: issuedWebhookShape,
      example: { ...webhookExample, secret, previousSecretUntil: "2026-11-21T09:30:00.000Z" },
    },
    refusals: ["not_found", "invalid_value"],
  },
  test: {
    tag: "webhooks",
    summary: "Test a webhook",
    description:
      "Sends a message of the type `webhook.test` now, and returns the answer. Takes at most half a minute. It is not among the deliveries.",
    success: {
      status: 200,
      description: "The message and the answer.",
      schema: webhookTestShape,
      example: {
        delivered: true,
        messageId: "msg_test_8fJ2kQ0aZx1B",
        body: '{"type":"webhook.test","timestamp":"2026-11-20T09:30:00.000Z","data":{"webhookId":"wh_5Rk8bQ2mZ7Lt"}}',
        last: { at: "2026-11-20T09:30:00.000Z", durationMs: 82, status: 200, answer: "ok" },
      },
    },
    refusals: ["not_found"],
  },
  deliveries: {
    tag: "webhooks",
    summary: "List deliveries of a webhook",
    description:
      "Deliveries that wait, and those that ended in the last 7 days, up to the newest 1,000. The newest event comes first.",
    query,
    success: {
      status: 200,
      description: "One page. `Link` leads to the next one, if any.",
      schema: deliveriesShape,
      example: [deliveryExample],
      headers: ["Link"],
    },
    refusals: ["not_found", "invalid_parameter", "unknown_parameter"],
  },
  delivery: {
    tag: "webhooks",
    summary: "Get a delivery of a webhook",
    description: "The delivery of an event, by its `seq`, with the body of the message.",
    success: {
      status: 200,
      description: "The delivery.",
      schema: deliveryShape,
      example: deliveryExample,
    },
    refusals: ["not_found"],
  },
  replay: {
    tag: "webhooks",
    summary: "Replay events to a webhook",
    description: `Queues events of the last 30 days again: one, or those of a time that the webhook wants. They keep their message ids. A call queues at most ${MAX_REPLAYED.toLocaleString("en")}; repeat it with \`next\` as \`after\` for the rest.`,
    body: ReplaySchema,
    success: {
      status: 202,
      description: "The events were queued.",
      schema: replayedShape,
      example: { queued: 1 },
    },
    refusals: ["not_found", "invalid_value", "webhook_disabled", "limit_reached"],
  },
} as const;
