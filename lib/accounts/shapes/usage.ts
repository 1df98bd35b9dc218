import {
  choice,
  count,
  describedAs,
  fields,
  instant,
  list,
  listOf,
  orNull,
  shape,
  text,
  whole,
} from "../../base/shape.ts";
import { environments } from "../../model/account.ts";

export const usageRowsShape = listOf(
  "UsageRows",
  shape("UsageRow", {
    keyId: text(),
    environment: choice(environments),
    operation: text("An operation of the public API, such as `listPets`."),
    at: instant("Start of the minute or UTC day."),
    requests: count("All requests, whatever their outcome."),
    limited: count("Of these, refused for a limit or a ban (429)."),
    refused: count("Of these, refused for another reason (4xx)."),
    failed: count("Of these, failed by a fault of the service (5xx)."),
  }),
);

const window = shape("LimitWindow", {
  name: choice(["minute", "day"]),
  limit: count(),
  remaining: count(),
  resetAt: orNull(
    instant("When the window ends and the whole limit is available again; null: it has not begun."),
  ),
});

const ban = shape("KeyBan", {
  bannedAt: instant("When it began."),
  until: instant("The key works again from then on."),
  level: whole({
    minimum: 1,
    maximum: 5,
    description: "Each ban lasts longer than the one before; one level less for each clean day.",
  }),
});

const key = shape(
  "KeyLimits",
  {
    id: text("Id of the API key."),
    used: fields(
      { minute: count(), day: count() },
      {},
      {
        description:
          "Counted requests in the current minute and in the current UTC day; up to about a second late.",
      },
    ),
    ban: describedAs(orNull(ban), "The ban for ignoring refusals; null: the key is not banned."),
  },
  {
    windows: list(window, {
      description: "The key's own windows, when limits are counted by key.",
    }),
  },
);

export const limitsShape = shape("Limits", {
  countBy: choice(
    ["catalogue", "key"],
    "Whether all keys share the limits, or each key has the whole of them.",
  ),
  windows: list(window, { description: "Shared by all keys." }),
  keys: list(key, { description: "Active and banned keys." }),
});
