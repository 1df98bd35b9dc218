import type { JsonSchema } from "../base/schema.ts";
import { choice, fields, instant, shape, text, whole } from "../base/shape.ts";
import { ref } from "../http/describe-parts.ts";
import { environments } from "../model/account.ts";
import { eventTypes, type EventType } from "../model/event-types.ts";
import { actorKinds } from "./actor-views.ts";
import { eventData, type EventDescription } from "../events/event-data.ts";

/** The form of a message to a webhook, which the data of its type completes. */
const messageShape = shape(
  "WebhookMessage",
  {
    type: text("The type of the event. Ignore types that you do not know: more may be added."),
    timestamp: instant("When the event happened."),
    data: fields({}, {}, { additionalProperties: true, description: "What the event says." }),
  },
  {
    seq: whole({
      format: "int64",
      minimum: 1,
      description: "The number of the event; absent in a test.",
    }),
    accountId: text("Absent for events of the operators."),
    environment: choice(environments, "Absent for events of the whole account."),
    actor: fields(
      { kind: choice(actorKinds) },
      { id: text("The ID of the member, the token, the API key or the user. Names are not sent.") },
      { description: "Who caused the event." },
    ),
  },
);

const headers = [
  ["webhook-id", "Names the message, also when it is sent again."],
  ["webhook-timestamp", "When it was sent, in seconds since the Unix epoch."],
  ["webhook-signature", "Signatures by Standard Webhooks, separated by spaces: `v1,` and base64."],
].map(([name, description]) => ({
  name,
  in: "header",
  required: true,
  description,
  schema: { type: "string" },
}));

/** Returns the example of a whole message. */
export function messageExample(type: EventType): Readonly<Record<string, unknown>> {
  const { example } = eventData[type];
  return {
    type,
    timestamp: "2026-11-20T09:30:00.000Z",
    seq: 42,
    accountId: "acc_3kX9bQ2mZ7Lt",
    actor: { kind: "member", id: "mem_8fJ2kQ0aZx1B" },
    data: example,
  };
}

/** The schemas of messages and of their data, by their names in the OpenAPI document. */
export const messageSchemas: Readonly<Record<string, JsonSchema>> = {
  [messageShape.name]: messageShape.json,
  ...Object.fromEntries(eventTypes.map((type) => [nameOf(type), eventData[type].data.json])),
};

/** The member `webhooks` of the OpenAPI document: a message for each type of event, and the test. */
export const describedWebhooks: Readonly<Record<string, JsonSchema>> = {
  ...Object.fromEntries(
    eventTypes.map((type) => {
      const { when }: EventDescription = eventData[type];
      const data = ref(nameOf(type));
      return [type, described(type, `Sent when ${when}.`, data, messageExample(type))];
    }),
  ),
  "webhook.test": described(
    "webhook.test",
    "Sent when a person tests the webhook.",
    fields({ webhookId: text("`wh_…`") }).json,
    {
      type: "webhook.test",
      timestamp: "2026-11-20T09:30:00.000Z",
      data: { webhookId: "wh_5Rk8bQ2mZ7Lt" },
    },
  ),
};

function described(
  type: string,
  description: string,
  data: JsonSchema,
  example: object,
): JsonSchema {
  const words = type.split(/[._]/).map((word) => word[0]?.toUpperCase() + word.slice(1));
  return {
    post: {
      operationId: `on${words.join("")}`,
      summary: type,
      description,
      tags: ["webhooks"],
      security: [],
      parameters: headers,
      requestBody: {
        required: true,
        content: {
          "application/json": {
            schema: {
              allOf: [ref(messageShape.name)],
              properties: { type: { const: type }, data },
            },
            example,
          },
        },
      },
      responses: {
        "2XX": { description: "The message was accepted. Any other answer is a failure." },
        410: { description: "The webhook is disabled: nothing more is sent." },
      },
    },
  };
}

function nameOf(type: EventType): string {
  return `event.${type}`;
}
