import type { JSX } from "preact";

import type { EventView } from "../../../../../lib/management/event-pages.ts";
import type { EventType } from "../../../../../lib/model/event-types.ts";
import { petStatuses } from "../../../../../lib/catalogue/model-statuses.ts";
import { Loaded } from "../../../components/feedback.tsx";
import { Card } from "../../../components/page.tsx";
import { Instant } from "../../../components/time.tsx";
import type { Resource } from "../../../state/resource.ts";
import { animalWords, overviewWords } from "../../../words/late.tsx";

/** The types of events in the history of an animal. */
export const animalEvents: readonly EventType[] = [
  "pet.created",
  "pet.updated",
  "pet.status_changed",
  "pet.deleted",
  "pet.restored",
  "pet.profile_updated",
  "photo.added",
  "photo.removed",
  "order.updated",
  "order.removed",
];

/** What was changed, when, and by whom as far as the reader may know. */
export function History({
  events,
}: {
  readonly events: Resource<readonly EventView[]>;
}): JSX.Element {
  const { history: text } = animalWords.words();
  const { by } = overviewWords.words();
  return (
    <Card title={text.title} bare>
      <Loaded resource={events} lines={4}>
        {(known) =>
          known.length === 0 ? (
            <p class="inside soft">{text.none}</p>
          ) : (
            <>
              <ol class="lines">
                {known.map((event) => (
                  <li key={event.seq} class="row apart">
                    <span>
                      {textOf(event)}{" "}
                      {event.actor !== undefined && (
                        <span class="soft small">
                          {by[event.actor.kind](event.actor.name ?? "")}
                        </span>
                      )}
                    </span>
                    <span class="soft small">
                      <Instant at={event.at} />
                    </span>
                  </li>
                ))}
              </ol>
              <footer class="soft small">{text.about}</footer>
            </>
          )
        }
      </Loaded>
    </Card>
  );
}

/** Describes an event; a change of status by the new status. */
function textOf({ type, data }: EventView): string {
  const happened: Readonly<Record<string, string>> = animalWords.words().history.happened;
  if (type !== "pet.status_changed") return happened[type] ?? type;
  const { pet } = data;
  const shown = typeof pet === "object" && pet !== null && "status" in pet ? pet.status : undefined;
  const status = petStatuses.find((one) => one === shown);
  return happened[`pet.${status ?? "updated"}`] ?? type;
}
