import { eventTypes, type EventType } from "./event-types.ts";

type NounOf<Type> = Type extends `${infer Noun}.${string}` ? Noun : never;

/** Stands for all types of events about one noun, also those of later versions: `pet.*`. */
export type EventGroup = `${NounOf<EventType>}.*`;

/** All groups of types, in the order of the types. */
export const eventGroups: readonly EventGroup[] = [
  // The part before the dot is the noun of a type.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  ...new Set(eventTypes.map((type) => `${type.split(".", 1).join("")}.*` as EventGroup)),
];

/** A type, or a group of them, by which events are chosen. */
export type EventChoice = EventType | EventGroup;

/** All choices: the types, then the groups. */
export const eventChoices: readonly EventChoice[] = [...eventTypes, ...eventGroups];

/** Returns whether one of the choices is the type, or its group. */
export function isChosen(type: EventType, choices: readonly EventChoice[]): boolean {
  return choices.some(
    (choice) => choice === type || (choice.endsWith(".*") && type.startsWith(choice.slice(0, -1))),
  );
}
