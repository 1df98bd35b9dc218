import type { JsonSchema } from "../../base/schema.ts";
import { environments } from "../../model/account.ts";
import { eventTypes } from "../../model/event.ts";

/** Never an input: described only. */
export const eventSchema: { readonly name: string; readonly json: JsonSchema } = {
  name: "Event",
  json: {
    type: "object",
    required: ["seq", "type", "accountId", "at", "data"],
    properties: {
      seq: {
        type: "integer",
        format: "int64",
        minimum: 1,
        description: "Grows with every event of the service; the place to go on from.",
      },
      type: { type: "string", enum: eventTypes },
      accountId: { type: "string" },
      environment: {
        type: "string",
        enum: environments,
        description: "Whose catalogue it is about; absent for what concerns the whole account.",
      },
      at: { type: "string", format: "date-time" },
      data: { type: "object", description: "What it is about. Never a secret." },
    },
    additionalProperties: false,
  },
};
