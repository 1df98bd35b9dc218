import { expect, test } from "bun:test";

import { eventData } from "../../../lib/events/event-data.ts";
import { createPetstore, type EventData, type EventType } from "../../../lib/index.ts";
import { eventTypes } from "../../../lib/model/event-types.ts";
import { memoryStore } from "../../../lib/storage/memory.ts";

/** The types of events whose data has no type. */
type Untyped = {
  [Type in EventType]: unknown extends EventData[Type] ? Type : never;
}[EventType];
/** The types of events whose data could be anything with members. */
type Open = {
  [Type in EventType]: string extends keyof EventData[Type] ? Type : never;
}[EventType];

test("a handler is typed by what messages to webhooks contain, for each type of event", () => {
  const { events } = createPetstore({ store: memoryStore() });
  const typed: [Untyped] extends [never] ? true : never = true;
  const closed: [Open] extends [never] ? true : never = true;
  expect([typed, closed]).toEqual([true, true]);
  expect(Object.keys(eventData).toSorted()).toEqual([...eventTypes].toSorted());

  events.on("pet.created", ({ data }): string => data.pet.name);
  // @ts-expect-error -- an animal has no such member
  events.on("pet.created", ({ data }) => data.pet.nmae);
  // Instants are texts, other numbers stay.
  events.on("key.banned", ({ data }): readonly [string, number] => [data.until, data.level]);
  events.on("account.created", ({ data }): string => data.account.createdAt);
  events.on("pet.profile_updated", ({ data }): string | undefined => data.profile.intakeAt);
  events.on(["order.placed", "pet.deleted"], (event): number => {
    if (event.type === "order.placed") return event.data.order.petId;
    // @ts-expect-error -- the other type has no order
    void event.data.order;
    return event.data.pet.id;
  });
  events.on("photo.*", ({ type, data }): string => `${type} ${data.photo.width}`);
  events.on("*", (event) => {
    // @ts-expect-error -- not all events have an animal
    void event.data.pet;
    if (event.type === "import.undone") expect(event.data.import.kept).toBe(0);
  });
  // @ts-expect-error -- that is no verdict
  events.on("*", () => undefined, { onError: () => "Skip" });
  // @ts-expect-error -- there is no such type
  expect(() => events.on("pet.craeted", () => undefined)).toThrow(TypeError);
  // @ts-expect-error -- one of them does not exist
  expect(() => events.on(["pet.created", "pet.x"], () => undefined)).toThrow(TypeError);
});
