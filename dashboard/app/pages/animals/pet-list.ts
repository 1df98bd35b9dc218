import type { Environment } from "../../../../lib/model/account.ts";
import type { EventType } from "../../../../lib/model/event.ts";
import { type Pet, type PetStatus, petStatuses } from "../../../../lib/catalogue/model.ts";
import { searchForm } from "../../../../lib/model/text.ts";
import type { Query } from "../../state/query.ts";
import { language } from "../../words/format.ts";

/** The types of events that change a list of animals. */
export const petEvents: readonly EventType[] = [
  "pet.created",
  "pet.updated",
  "pet.status_changed",
  "pet.deleted",
  "pet.restored",
];

/**
 * The order of a list. The service pages by age alone: an index of names for each filter would make an import take several
 * times as long. By name, a list of at most `MOST_BY_NAME` animals is loaded whole and sorted here.
 */
export type PetOrder = "newest" | "oldest" | "name";

/** The service's largest page. */
export const MOST_BY_NAME = 1_000;

/** Returns how two animals compare in an order: negative if the first one comes first. */
export function comparing(order: PetOrder): (one: Pet, other: Pet) => number {
  if (order !== "name") {
    return (one, other) => (order === "newest" ? other.id - one.id : one.id - other.id);
  }
  const { compare } = new Intl.Collator(language(), { numeric: true });
  return (one, other) => compare(one.name, other.name) || one.id - other.id;
}

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
  const follows = comparing(shown.order);
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
  return (["oldest", "name"] as const).find((one) => one === order) ?? "newest";
}

/** Returns true for an animal that matches the filters. */
export function fits({ name, status, categoryId }: PetQuery, pet: Pet): boolean {
  return (
    (status === undefined || pet.status === status) &&
    (categoryId === undefined || pet.categoryId === categoryId) &&
    (name === undefined || searchForm(pet.name).includes(searchForm(name)))
  );
}
