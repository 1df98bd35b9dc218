import type { Pet } from "../../../lib/index.ts";
import type { Found, PetHistory, PetState, TenantHistory, Write } from "./history.ts";

/** Returns how the final state of a tenant's catalogue, as one node has it, contradicts its history. */
export function contradictions(history: TenantHistory, { pets, orders }: Found): readonly string[] {
  const faults: string[] = [...history.surprises];
  const byMark = Map.groupBy(pets, ({ name }) => name);
  const known = new Map(history.pets.map((pet) => [pet.mark, pet]));
  for (const mark of byMark.keys()) {
    if (!known.has(mark)) faults.push(`${mark} is not ${history.name}'s`);
  }
  if (new Set(pets.map(({ id }) => id)).size !== pets.length)
    faults.push("two animals have one ID");

  const ordersOf = Map.groupBy(orders, ({ petId }) => petId);
  if (new Set(orders.map(({ id }) => id)).size !== orders.length)
    faults.push("two orders have one ID");
  for (const one of history.pets) {
    const found = byMark.get(one.mark) ?? [];
    if (found.length > 1) faults.push(`${one.mark} exists ${found.length} times`);
    const [pet] = found;
    if (!possible(one, Infinity, Infinity).some((state) => isIn(pet, state))) {
      faults.push(`${one.mark} should not be ${shown(pet)}`);
    }
    if (pet !== undefined && one.id !== undefined && pet.id !== one.id) {
      faults.push(`${one.mark} has another ID than when it was created`);
    }
    const id = pet?.id ?? one.id;
    const sales = id === undefined ? 0 : (ordersOf.get(id)?.length ?? 0);
    const sold = pet === undefined ? saleOf(one) : pet.status === "sold";
    if (sales > 1) faults.push(`${one.mark} was sold ${sales} times`);
    else if (sold !== undefined && sold !== (sales === 1)) {
      faults.push(`${one.mark} has ${sales} orders, and is ${shown(pet)}`);
    }
  }
  const ids = new Set([...pets.map(({ id }) => id), ...history.pets.map(({ id }) => id)]);
  for (const petId of ordersOf.keys()) {
    if (!ids.has(petId)) faults.push(`there is an order of the unknown animal ${petId}`);
  }
  for (const look of history.looks) {
    const pet = known.get(look.mark);
    if (pet === undefined) continue;
    if (!possible(pet, look.sentAt, look.endedAt).some((state) => isIn(look.found, state))) {
      faults.push(`${look.mark} was read as ${shown(look.found)}, which it was not then`);
    }
  }
  return faults;
}

/**
 * Returns the states that a read between two instants may find: that of the last write acknowledged before the read began,
 * and those of all later writes sent before it ended.
 */
function possible(pet: PetHistory, from: number, to: number): readonly (PetState | undefined)[] {
  let states: (PetState | undefined)[] = [undefined];
  for (const write of pet.writes) {
    if (firstSentAt(write) > to) break;
    const isDone = write.acknowledgedAt !== undefined && write.acknowledgedAt <= from;
    states = isDone ? [write.to] : [...states, write.to];
  }
  return states;
}

const firstSentAt = ({ requests: [first] }: Write): number => first?.sentAt ?? Infinity;

/** Returns whether a deleted animal had been sold; undefined if that is not known. */
function saleOf({ writes }: PetHistory): boolean | undefined {
  const sales = writes.filter(({ to }) => to?.status === "sold");
  if (sales.length === 0) return false;
  return sales.some(({ acknowledgedAt }) => acknowledgedAt !== undefined) ? true : undefined;
}

function isIn(pet: Pet | undefined, state: PetState | undefined): boolean {
  return pet?.status === state?.status && pet?.categoryId === state?.categoryId;
}

const shown = (pet: Pet | undefined): string =>
  pet === undefined ? "missing" : `${pet.status} in category ${pet.categoryId}`;
