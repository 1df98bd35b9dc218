import { anyObject } from "../../base/schema.ts";
import { choice, instant, listOf, shape, text, whole } from "../../base/shape.ts";
import { environments } from "../../model/account.ts";
import { eventTypes } from "../../model/event.ts";

export const eventsShape = listOf(
  "Events",
  shape(
    "Event",
    {
      seq: whole({
        format: "int64",
        minimum: 1,
        description: "Grows with every event of the service; the place to continue from.",
      }),
      type: choice(eventTypes),
      accountId: text(),
      at: instant(),
      data: anyObject({ description: "Details of the event. Never a secret." }),
    },
    {
      environment: choice(
        environments,
        "The environment of the event's catalogue; absent for events of the whole account.",
      ),
    },
  ),
);
