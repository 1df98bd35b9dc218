import type { Environment } from "../../../../lib/model/account.ts";
import type { EventType } from "../../../../lib/model/event.ts";
import { type Pet, petStatuses } from "../../../../lib/model/pet.ts";
import { searchForm } from "../../../../lib/model/search-form.ts";
import type { Query } from "../../state/query.ts";

/** What of the events of an account changes a list of animals. */
export const petEvents: readonly EventType[] = [
  "pet.created",
  "pet.updated",
  "pet.status_changed",
  "pet.deleted",
  "pet.restored",
];

/** What is shown: the newest first, as far as it was asked for. */
export interface Shown {
  readonly environment: Environment;
  /** There are older ones that were not asked for yet. */
  readonly more: boolean;
  /** What is looked for. */
  readonly fits: (pet: Pet) => boolean;
}

/**
 * A list after an event; the same list where the event is none of its business. An animal that no longer fits what is
 * looked for stays where it is: it does not vanish under somebody's hand.
 */
export function afterEvent(items: readonly Pet[], event: unknown, shown: Shown): readonly Pet[] {
  const told = petEventOf(event);
  if (told === undefined || told.environment !== shown.environment) return items;
  const { type, pet } = told;
  if (type === "pet.deleted") return items.filter(({ id }) => id !== pet.id);
  if (items.some(({ id }) => id === pet.id)) {
    return items.map((one) => (one.id === pet.id ? pet : one));
  }
  const last = items.at(-1);
  const within = !shown.more || last === undefined || pet.id > last.id;
  if (!within || !shown.fits(pet)) return items;
  return [...items, pet].toSorted((a, b) => b.id - a.id);
}

interface PetEvent {
  readonly type: string;
  readonly environment: string;
  readonly pet: Pet;
}

/** Of the stream, as far as it is what it should be. */
function petEventOf(event: unknown): PetEvent | undefined {
  if (typeof event !== "object" || event === null) return undefined;
  const { type, environment, data }: Readonly<Record<string, unknown>> = { ...event };
  if (typeof type !== "string" || typeof environment !== "string") return undefined;
  const pet = typeof data === "object" && data !== null && "pet" in data ? data.pet : undefined;
  if (typeof pet !== "object" || pet === null || !("id" in pet)) return undefined;
  // The service's own shape of an animal.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return { type, environment, pet: pet as Pet };
}

/** What is looked for among the animals, as the address has it. */
export interface PetQuery {
  readonly name: string | undefined;
  readonly status: string | undefined;
  readonly categoryId: string | undefined;
}

/** Only what means something is taken from an address that anybody may have written. */
export function petQuery({ name, status, category }: Query): PetQuery {
  return {
    name: name === "" ? undefined : name?.slice(0, 120),
    status: petStatuses.find((one) => one === status),
    categoryId: /^[1-9]\d{0,14}$/.test(category ?? "") ? category : undefined,
  };
}

/** True for an animal that is looked for. */
export function fits({ name, status, categoryId }: PetQuery, pet: Pet): boolean {
  return (
    (status === undefined || pet.status === status) &&
    (categoryId === undefined || String(pet.categoryId) === categoryId) &&
    (name === undefined || searchForm(pet.name).includes(searchForm(name)))
  );
}
