import {
  array,
  boolean,
  integer,
  named,
  nullable,
  object,
  oneOf,
  string,
} from "../../base/schema.ts";
import {
  choice,
  count,
  fields,
  flag,
  instant,
  list,
  listOf,
  shape,
  text,
  whole,
  type ValueOf,
} from "../../base/shape.ts";
import { MAX_ID } from "../../base/id.ts";
import { SINCE_1970 } from "../../base/instant-pattern.ts";
import { actorShape } from "../../management/actor-views.ts";
import { environments } from "../../model/account.ts";
import { eventChoices } from "../../model/event-groups.ts";
import { eventTypes } from "../../model/event-types.ts";
import { optionalNameSchema } from "../../model/name-schema.ts";
import {
  deliveryFaults,
  deliveryStates,
  disableReasons,
  MAX_DESCRIPTION,
  MAX_OVERLAP_MS,
  MAX_URL,
} from "../model.ts";

/** The length in code points, as JSON Schema counts it. */
const OF_ANY_CHARACTERS = new RegExp(`^[\\s\\S]{1,${MAX_URL}}$`, "u");

const url = string(
  (given) => (OF_ANY_CHARACTERS.test(given) ? undefined : `must have 1 to ${MAX_URL} characters`),
  {
    minLength: 1,
    maxLength: MAX_URL,
    description:
      "Where messages are sent: an address with https://, without user, password and fragment. Treat it as a secret if it contains one.",
    examples: ["https://example.org/hooks/petstore"],
  },
);
const description = optionalNameSchema(MAX_DESCRIPTION, "A note, such as what the receiver does.");
const types = array(oneOf(eventChoices), {
  minItems: 1,
  maxItems: eventChoices.length,
  description:
    "Only events of these types; `pet.*` stands for all types about animals, also those that later versions add. Default: all types.",
});
const environment = oneOf(environments, {
  description: "Only events of this catalogue and of the whole account. Default: both catalogues.",
});

/** The body of `createWebhook`. */
export const NewWebhookSchema = named(
  "NewWebhook",
  object({ url }, { description, types, environment }),
);

/** The body of `updateWebhook`. */
export const WebhookPatchSchema = named(
  "WebhookPatch",
  object(
    {},
    {
      url,
      description,
      types: nullable(types),
      environment: nullable(environment),
      disabled: boolean({ description: "Whether nothing is sent." }),
    },
  ),
);

/** The body of `rotateWebhook`. */
export const WebhookRotationSchema = named(
  "WebhookRotation",
  object(
    {},
    {
      overlapMs: integer({
        minimum: 0,
        maximum: MAX_OVERLAP_MS,
        description: "How long messages are also signed with the old secret. Default: 24 hours.",
      }),
    },
  ),
);

const A_TIME = new RegExp(SINCE_1970);

const time = (words: string) =>
  string(
    (given) => (A_TIME.test(given) ? undefined : "must be a time such as 2026-11-20T09:30:00Z"),
    {
      pattern: SINCE_1970,
      description: `${words} RFC 3339.`,
      examples: ["2026-11-20T09:30:00Z"],
    },
  );

/** The body of `replayWebhook`. */
export const ReplaySchema = named(
  "WebhookReplay",
  object(
    {},
    {
      event: integer({
        minimum: 1,
        maximum: MAX_ID,
        description: "The `seq` of an event, which is sent whatever the webhook wants now.",
        examples: [42],
      }),
      from: time("Events from this time on."),
      to: time("Events up to this time. Default: now."),
      after: integer({
        minimum: 1,
        maximum: MAX_ID,
        description: "Only events after this one: the `next` of the previous call.",
      }),
    },
  ),
);

/** The answer of `replayWebhook`. */
export const replayedShape = shape(
  "WebhookReplayed",
  { queued: count("How many events were queued.") },
  { next: count("Pass it as `after` for the rest; absent if nothing is left.") },
);

const required = {
  id: text("`wh_` and 12 characters."),
  url: text("Where messages are sent."),
  status: choice(["enabled", "disabled"]),
  waiting: count("Deliveries that wait, counted up to 10,000."),
  createdAt: instant(),
};
const optional = {
  description: text("A note, such as what the receiver does."),
  types: list(choice(eventChoices), { description: "Absent: all types." }),
  environment: choice(environments, "Absent: both."),
  disabledAt: instant(),
  disabledReason: choice(
    disableReasons,
    "`manual`: a person disabled it. `gone`: the receiver answered 410. `failing`: nothing arrived for five days.",
  ),
  firstFailureAt: instant("The first failed attempt since the last message that arrived."),
  previousSecretUntil: instant("Until then, messages are also signed with the previous secret."),
  createdBy: actorShape,
};

/** A webhook without its secret. */
export const webhookShape = shape("Webhook", required, optional);
export const webhooksShape = listOf("Webhooks", webhookShape);
export const issuedWebhookShape = shape(
  "IssuedWebhook",
  { ...required, secret: text("The secret that signs messages. It is shown only once.") },
  optional,
);

/** A webhook as the management API sends it. */
export type WebhookView = ValueOf<typeof webhookShape>;

const attempt = fields(
  {
    at: instant("When it began."),
    durationMs: count("How long it took."),
  },
  {
    status: whole({ description: "HTTP status of the answer." }),
    fault: choice(
      deliveryFaults,
      "Why it failed; absent if it did not. `status`: the answer was not 2xx; redirects are not followed. `address`: the name leads to no public address. `cut`: the connection ended before the answer. `event_gone`: the event is no longer kept. `secret`: the secret cannot be opened.",
    ),
    answer: text("The beginning of the answer, or what the system said."),
  },
  { description: "The last attempt." },
);

export const deliveryShape = shape(
  "WebhookDelivery",
  {
    event: whole({ format: "int64", minimum: 1, description: "The `seq` of the event." }),
    messageId: text("The `webhook-id` of the message, the same at all attempts."),
    type: choice(eventTypes),
    state: choice(
      deliveryStates,
      "`waiting`: another attempt follows, or an earlier event of the same subject is delivered first.",
    ),
    eventAt: instant("When the event happened."),
    queuedAt: instant("When it was queued. It is tried for three days."),
    attempts: count("Attempts that have begun."),
  },
  {
    environment: choice(environments),
    nextAttemptAt: instant(
      "When the next attempt is due; absent while an earlier event of the same subject is delivered first.",
    ),
    endedAt: instant(),
    last: attempt,
    body: text("The body of the message. Only in the answer for a single delivery."),
  },
);
export const deliveriesShape = listOf("WebhookDeliveries", deliveryShape);

/** A delivery as the management API sends it. */
export type DeliveryView = ValueOf<typeof deliveryShape>;

/** The answer of `testWebhook`. */
export const webhookTestShape = shape("WebhookTest", {
  delivered: flag("Whether the answer was 2xx."),
  messageId: text("The `webhook-id` of the message."),
  body: text("The body of the message."),
  last: attempt,
});

export const webhookExample = {
  id: "wh_5Rk8bQ2mZ7Lt",
  url: "https://example.org/hooks/petstore",
  description: "Newsletter",
  types: ["pet.created", "pet.status_changed"],
  environment: "production",
  status: "enabled",
  waiting: 0,
  createdAt: "2026-11-20T09:30:00.000Z",
} as const;

export const deliveryExample = {
  event: 42,
  messageId: "msg_2Zk8bQ2mZ7Lt5Rk8bQ2mZ7Lt",
  type: "pet.created",
  environment: "production",
  state: "waiting",
  eventAt: "2026-11-20T09:30:00.000Z",
  queuedAt: "2026-11-20T09:30:01.000Z",
  attempts: 2,
  nextAttemptAt: "2026-11-20T09:31:10.000Z",
  last: {
    at: "2026-11-20T09:30:06.000Z",
    durationMs: 34,
    status: 503,
    fault: "status",
    answer: "Down for maintenance",
  },
} as const;
