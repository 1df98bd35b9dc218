import { isReturn, type Pet, type PetStatus } from "../../../../lib/model/pet.ts";
import { type Problem, type Result, send } from "../../api.ts";
import { confirm } from "../../components/dialog.tsx";
import { toast } from "../../components/toasts.tsx";
import { said, words } from "../../words/words.ts";
import { pathIn, type Where } from "./catalogue.tsx";

/** What a list has to be told of what was done. */
export interface Told {
  readonly onChanged: (pet: Pet) => void;
  readonly onGone: (pet: Pet) => void;
  readonly onBack: (pet: Pet) => void;
}

/** Gives an animal another status; asks first where it was sold. Says what became of it. */
export async function movePet(where: Where, pet: Pet, to: PetStatus, told: Told): Promise<void> {
  if (!(await mayMove(pet, to))) return;
  const result = await changePet(where, pet, { status: to });
  if (!result.ok) {
    toast(said(result.failure));
    return;
  }
  told.onChanged(result.value);
  const { animals, common } = words();
  const undo = undoOf(pet.status, to);
  toast(
    animals[to](pet.name),
    undo === undefined
      ? undefined
      : { label: common.undo, run: () => void movePet(where, result.value, undo, told) },
  );
}

/** The way back, where nothing stays of the way there: a sale has written an order. */
function undoOf(from: PetStatus, to: PetStatus): PetStatus | undefined {
  return from !== "sold" && to !== "sold" ? from : undefined;
}

/** True unless somebody thinks again about taking back an animal that was sold. */
export async function mayMove({ name, status }: Pet, to: PetStatus): Promise<boolean> {
  const { animals } = words();
  return (
    !isReturn(status, to) ||
    confirm({
      title: animals.returnTitle(name),
      text: animals.returnText,
      action: animals.returnAction,
    })
  );
}

export function changePet(
  where: Where,
  { id }: Pet,
  fields: Partial<Omit<Pet, "id">>,
): Promise<Result<Pet, Problem>> {
  return send<Pet>("PATCH", `${pathIn(where)}/pets/${id}`, fields);
}

/** Deletes at once; what says so brings it back. */
export async function removePet(where: Where, pet: Pet, told: Told): Promise<void> {
  const result = await send("DELETE", `${pathIn(where)}/pets/${pet.id}`);
  if (!result.ok) {
    toast(said(result.failure));
    return;
  }
  told.onGone(pet);
  const { animals, common } = words();
  toast(animals.removed(pet.name), {
    label: common.undo,
    run: () => void restorePet(where, pet, told),
  });
}

/** Brings back one that was deleted. */
export async function restorePet(
  where: Where,
  pet: Pet,
  { onBack }: Pick<Told, "onBack">,
): Promise<void> {
  const result = await send<Pet>("POST", `${pathIn(where)}/pets/${pet.id}/restore`);
  if (!result.ok) {
    toast(said(result.failure));
    return;
  }
  onBack(result.value);
  toast(words().animals.restored(pet.name));
}
