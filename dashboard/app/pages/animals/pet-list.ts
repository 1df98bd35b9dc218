import type { Environment } from "../../../../lib/model/account.ts";
import type { EventType } from "../../../../lib/model/event.ts";
import { type Pet, type PetStatus, petStatuses } from "../../../../lib/catalogue/model.ts";
import { searchForm } from "../../../../lib/model/text.ts";
import type { Query } from "../../state/query.ts";

/** The types of events that change a list of animals. */
export const petEvents: readonly EventType[] = [
  "pet.created",
  "pet.updated",
  "pet.status_changed",
  "pet.deleted",
  "pet.restored",
];

/** The order of a list, by age. The service cannot page through names. */
export type PetOrder = "newest" | "oldest";

/** The loaded part of a list. */
export interface Shown {
  readonly environment: Environment;
  readonly order: PetOrder;
  /** The animals that follow are not loaded yet. */
  readonly more: boolean;
  /** The list's filter. */
  readonly fits: (pet: Pet) => boolean;
}

/**
 * Applies an event to a list, or returns the same list if the event does not concern it. An animal that no longer
 * matches the filter stays, so that it does not vanish while the user works with it.
 */
export function afterEvent(items: readonly Pet[], event: unknown, shown: Shown): readonly Pet[] {
  const change = petEventOf(event);
  if (change === undefined || change.environment !== shown.environment) return items;
  const { type, pet } = change;
  if (type === "pet.deleted") return items.filter(({ id }) => id !== pet.id);
  if (items.some(({ id }) => id === pet.id)) {
    return items.map((one) => (one.id === pet.id ? pet : one));
  }
  const last = items.at(-1);
  const follows = (one: Pet, other: Pet): number =>
    shown.order === "newest" ? other.id - one.id : one.id - other.id;
  const within = !shown.more || last === undefined || follows(pet, last) < 0;
  if (!within || !shown.fits(pet)) return items;
  return [...items, pet].toSorted(follows);
}

interface PetEvent {
  readonly type: string;
  readonly environment: string;
  readonly pet: Pet;
}

/** Reads an event of the stream; undefined for any other value. */
function petEventOf(event: unknown): PetEvent | undefined {
  if (typeof event !== "object" || event === null) return undefined;
  const { type, environment, data }: Readonly<Record<string, unknown>> = { ...event };
  if (typeof type !== "string" || typeof environment !== "string") return undefined;
  const pet = typeof data === "object" && data !== null && "pet" in data ? data.pet : undefined;
  if (typeof pet !== "object" || pet === null || !("id" in pet)) return undefined;
  // The service sends animals in this shape.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return { type, environment, pet: pet as Pet };
}

/** The list's filters, from the address. */
export interface PetQuery {
  readonly name: string | undefined;
  readonly status: PetStatus | undefined;
  readonly categoryId: number | undefined;
}

/** Reads the filters from the address and ignores invalid values. */
export function petQuery({ name, status, category }: Query): PetQuery {
  return {
    name: name === "" ? undefined : name?.slice(0, 120),
    status: petStatuses.find((one) => one === status),
    categoryId: /^[1-9]\d{0,14}$/.test(category ?? "") ? Number(category) : undefined,
  };
}

/** Reads the order from the address; default: newest first. */
export function petOrder({ order }: Query): PetOrder {
  return order === "oldest" ? "oldest" : "newest";
}

/** Returns true for an animal that matches the filters. */
export function fits({ name, status, categoryId }: PetQuery, pet: Pet): boolean {
  return (
    (status === undefined || pet.status === status) &&
    (categoryId === undefined || pet.categoryId === categoryId) &&
    (name === undefined || searchForm(pet.name).includes(searchForm(name)))
  );
}
