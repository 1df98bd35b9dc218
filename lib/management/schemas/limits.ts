import { instant, shape, text, type Shape } from "./shape.ts";

const count = { type: "integer", format: "int64", minimum: 0 };
const name = { type: "string", enum: ["minute", "day"] };

const window = shape("LimitWindow", {
  name,
  limit: count,
  remaining: count,
  resetAt: {
    anyOf: [{ type: "string", format: "date-time" }, { type: "null" }],
    description: "When the whole limit is there again; null: the window has not begun.",
  },
});

const windows = { type: "array", items: window.json };

const ban = shape("KeyBan", {
  bannedAt: instant("When it began."),
  until: instant("From then on the key works again."),
  level: {
    type: "integer",
    minimum: 1,
    maximum: 5,
    description: "Each is longer than the one before; one less for each clean day.",
  },
});

const key = shape(
  "KeyLimits",
  {
    id: text("Of the API key."),
    used: {
      type: "object",
      description:
        "Requests that counted, in the minute and in the UTC day that it is now; up to a second or so late.",
      required: ["minute", "day"],
      properties: { minute: count, day: count },
      additionalProperties: false,
    },
    ban: {
      anyOf: [ban.json, { type: "null" }],
      description: "For going on after it was refused; null: it is not banned.",
    },
  },
  { windows: { ...windows, description: "Its own, when limits are counted by key." } },
);

export const limitsShape: Shape = shape("Limits", {
  countBy: {
    type: "string",
    enum: ["catalogue", "key"],
    description: "Whether all keys share the limits, or each has the whole of them.",
  },
  windows: { ...windows, description: "Of all keys together." },
  keys: { type: "array", items: key.json, description: "Those that work or are banned." },
});
