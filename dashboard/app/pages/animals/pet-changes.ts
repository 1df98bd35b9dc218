import type { Pet, PetFields, PetStatus } from "../../../../lib/catalogue/model.ts";
import { isReturn, isSale } from "../../../../lib/catalogue/model-changes.ts";
import { call, type Problem, type Result } from "../../api.ts";
import { confirm } from "../../components/dialog.tsx";
import { toast } from "../../components/toasts.tsx";
import { animalsWords } from "../../words/late.tsx";
import { problemText, words } from "../../words/words.ts";
import { inCatalogue, type Where } from "./catalogue.tsx";

/** Keeps a list up to date with the changes made through it. */
export interface PetListeners {
  readonly onChanged: (pet: Pet) => void;
  readonly onRemoved: (pet: Pet) => void;
  readonly onRestored: (pet: Pet) => void;
}

/** Changes an animal's status and reports the outcome in a toast. Confirms a return first. */
export async function movePet(
  where: Where,
  pet: Pet,
  to: PetStatus,
  listeners: PetListeners,
): Promise<void> {
  if (!(await confirmMove(pet, to))) return;
  const moved = orToast(await changePet(where, pet, { status: to }));
  if (moved === undefined) return;
  listeners.onChanged(moved);
  const animals = animalsWords.words();
  const { common } = words();
  const run = (): void => void movePet(where, moved, pet.status, listeners);
  toast(
    animals[to](pet.name),
    undoOfAdoption(where, pet, moved, listeners.onChanged) ??
      // A return is recorded in the order, and a new adoption would write another one.
      (pet.status === "sold" ? undefined : { label: common.undo, run }),
  );
}

/**
 * Returns the action of a toast that undoes an adoption; undefined if the change was none. It removes the order as a
 * mistake, which gives the animal the status that it had before.
 */
export function undoOfAdoption(
  where: Where,
  before: Pet,
  after: Pet,
  onChanged: (pet: Pet) => void,
): { readonly label: string; readonly run: () => void } | undefined {
  if (!isSale(before.status, after.status)) return undefined;
  const at = { ...inCatalogue(where), pet: String(after.id) };
  // Found at once: a later adoption has an order of its own.
  const found = call("GET /accounts/:account/:environment/orders", {
    ...inCatalogue(where),
    query: { petId: after.id, limit: 1 },
  });
  const undo = async (): Promise<void> => {
    const [order] = orToast(await found) ?? [];
    if (order === undefined) return;
    const removed = await call("DELETE /accounts/:account/:environment/orders/:order", {
      ...inCatalogue(where),
      order: String(order.id),
    });
    if (!removed.ok) {
      toast(problemText(removed.failure));
      return;
    }
    const pet = orToast(await call("GET /accounts/:account/:environment/pets/:pet", at));
    if (pet === undefined) return;
    onChanged(pet);
    toast(animalsWords.words()[pet.status](pet.name));
  };
  return { label: words().common.undo, run: () => void undo() };
}

/** Resolves with false if the user decides against the return of an adopted animal. */
export async function confirmMove({ name, status }: Pet, to: PetStatus): Promise<boolean> {
  const animals = animalsWords.words();
  return !isReturn(status, to) || confirm(animals.return, name);
}

export function changePet(
  where: Where,
  { id }: Pet,
  fields: PetFields,
): Promise<Result<Pet, Problem>> {
  return call("PATCH /accounts/:account/:environment/pets/:pet", {
    ...inCatalogue(where),
    pet: String(id),
    body: fields,
  });
}

/** Deletes an animal and offers to undo that. */
export async function removePet(where: Where, pet: Pet, listeners: PetListeners): Promise<void> {
  const result = await call("DELETE /accounts/:account/:environment/pets/:pet", {
    ...inCatalogue(where),
    pet: String(pet.id),
  });
  if (!result.ok) {
    toast(problemText(result.failure));
    return;
  }
  listeners.onRemoved(pet);
  const animals = animalsWords.words();
  const { common } = words();
  const run = (): void => void restorePet(where, pet, listeners.onRestored);
  toast(animals.removed(pet.name), { label: common.undo, run });
}

/** Restores a deleted animal. */
export async function restorePet(
  where: Where,
  pet: Pet,
  onRestored: (pet: Pet) => void,
): Promise<void> {
  const restored = orToast(
    await call("POST /accounts/:account/:environment/pets/:pet/restore", {
      ...inCatalogue(where),
      pet: String(pet.id),
    }),
  );
  if (restored === undefined) return;
  onRestored(restored);
  toast(animalsWords.words().restored(pet.name));
}

function orToast<Value>(result: Result<Value, Problem>): Value | undefined {
  if (result.ok) return result.value;
  toast(problemText(result.failure));
  return undefined;
}
