import type { JsonSchema } from "../../base/schema.ts";
import { environments } from "../../model/account.ts";

const count = { type: "integer", format: "int64", minimum: 0 };

/** Never an input: described only. */
export const usageRowSchema: { readonly name: string; readonly json: JsonSchema } = {
  name: "UsageRow",
  json: {
    type: "object",
    required: [
      "keyId",
      "environment",
      "operation",
      "at",
      "requests",
      "limited",
      "refused",
      "failed",
    ],
    properties: {
      keyId: { type: "string" },
      environment: { type: "string", enum: environments },
      operation: {
        type: "string",
        description: "As in the public API's description: `listPets`.",
      },
      at: { type: "string", format: "date-time", description: "Start of the minute or UTC day." },
      requests: { ...count, description: "All of them, however they ended." },
      limited: { ...count, description: "Of these, refused for a limit or a ban (429)." },
      refused: { ...count, description: "Of these, refused for another reason (4xx)." },
      failed: { ...count, description: "Of these, failed by our fault (5xx)." },
    },
    additionalProperties: false,
  },
};
