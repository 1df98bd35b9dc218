import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useRef } from "preact/hooks";

import type { EveryField } from "../../../../lib/base/fields.ts";
import { done, refused, type Result } from "../../../../lib/base/result.ts";
import type { Category } from "../../../../lib/catalogue/model.ts";
import {
  allowedAfter,
  type NewPet,
  type Pet,
  petChanges,
  petFieldsOf,
  type PetStatus,
  petStatuses,
} from "../../../../lib/catalogue/model.ts";
import { call, type Problem } from "../../api.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Bones, Refusal } from "../../components/feedback.tsx";
import { bound, SelectField, TextField } from "../../components/field.tsx";
import { useAttempt } from "../../components/form.tsx";
import { toast } from "../../components/toasts.tsx";
import { useTypedForm } from "../../components/unsaved.ts";
import { mayChange } from "../../state/me.ts";
import { useResource } from "../../state/resource.ts";
import { animalsWords } from "../../words/late.tsx";
import { words } from "../../words/words.ts";
import { categoryName, inCatalogue, type Where } from "./catalogue.tsx";
import { changePet, confirmMove, undoOfAdoption } from "./pet-changes.ts";

interface AnimalDialogProps {
  readonly where: Where;
  readonly categories: readonly Category[];
  /** The animal to edit; absent: the dialog adds animals. */
  readonly pet?: Pet;
  readonly onSaved: (pet: Pet) => void;
  /** The dialog has added a category. */
  readonly onCategory: () => void;
  readonly onClose: () => void;
}

/** Selected instead of a category's id to add a category. */
const NEW = "new";

/** Adds one or several animals, or edits one. */
export function AnimalDialog({
  where,
  categories,
  pet,
  onSaved,
  onCategory,
  onClose,
}: AnimalDialogProps): JSX.Element {
  const animals = animalsWords.words();
  const { common } = words();
  const first = categories[0];
  const name = useSignal(pet?.name ?? "");
  const category = useSignal(String(pet?.categoryId ?? first?.id ?? NEW));
  const fresh = useSignal("");
  const status = useSignal<PetStatus>(pet?.status ?? "available");
  const added = useSignal<readonly string[]>([]);
  const { form, asking, saved } = useTypedForm();
  const { busy, problem, run } = useAttempt();

  const save = async (): Promise<Result<Pet, Problem>> => {
    const categoryId = await categoryOf(where, category.peek(), fresh.peek());
    if (!categoryId.ok) return categoryId;
    if (category.peek() === NEW) {
      category.value = String(categoryId.value);
      onCategory();
    }
    const fields: EveryField<NewPet> = {
      name: name.peek(),
      categoryId: categoryId.value,
      status: status.peek(),
    };
    // Sends only changed fields, so that it does not revert other people's changes.
    return pet === undefined
      ? call("POST /accounts/:account/:environment/pets", {
          ...inCatalogue(where),
          body: petFieldsOf(fields),
        })
      : changePet(where, pet, petChanges(pet, fields));
  };
  const submit = async (again: boolean): Promise<void> => {
    if (form.current?.reportValidity() !== true) return;
    if (pet !== undefined && !(await confirmMove(pet, status.peek()))) return;
    await run(save, (made) => {
      onSaved(made);
      if (!again) {
        toast(
          animals[pet === undefined ? "added" : "changed"](made.name),
          pet && undoOfAdoption(where, pet, made, onSaved),
        );
        onClose();
        return;
      }
      added.value = [...added.peek(), made.name];
      name.value = "";
      saved();
      form.current?.querySelector("input")?.focus();
    });
  };

  const statuses = petStatuses.filter(
    (one) => pet === undefined || one === pet.status || allowedAfter[pet.status].includes(one),
  );
  return (
    <Dialog
      title={pet === undefined ? animals.add : animals.editTitle(pet.name)}
      action={animals.save}
      busy={busy}
      form={form}
      onClose={asking(onClose)}
      onSubmit={() => void submit(false)}
      {...(added.value.length > 0 ? { cancel: common.done } : {})}
      further={
        pet === undefined && (
          <Button onClick={() => void submit(true)} disabled={busy}>
            {animals.addAnother}
          </Button>
        )
      }
    >
      <div class="stack">
        <Refusal problem={problem} />
        <TextField
          label={animals.name}
          hint={animals.nameHint}
          required
          autofocus
          {...bound(name)}
        />
        <SelectField
          label={animals.category}
          {...bound(category)}
          options={[
            ...categories.map((one) => ({ value: String(one.id), label: one.name })),
            { value: NEW, label: animals.newCategory },
          ]}
        />
        {category.value === NEW && (
          <TextField
            label={animals.addCategory}
            hint={animals.categoryHint}
            required
            {...bound(fresh)}
          />
        )}
        <SelectField
          label={animals.status}
          hint={animals.statusHint[status.value]}
          {...bound(status)}
          options={statuses.map((one) => ({ value: one, label: common.statuses[one] }))}
        />
      </div>
      <p class="small soft" role="status">
        {added.value.length > 0 && animals.addedSoFar(added.value.join(", "))}
      </p>
    </Dialog>
  );
}

/** Returns the id of the chosen category. Adds it first if it is new. */
async function categoryOf(
  where: Where,
  chosen: string,
  name: string,
): Promise<Result<number, Problem>> {
  if (chosen !== NEW) return done(Number(chosen));
  const added = await call("POST /accounts/:account/:environment/categories", {
    ...inCatalogue(where),
    body: { name },
  });
  return added.ok ? done(added.value.id) : refused(added.failure);
}

/** The dialog for the animal in the page's address, whether or not the list has loaded it. */
export function AddressedAnimal({
  id,
  loaded,
  ...rest
}: Omit<AnimalDialogProps, "pet"> & {
  readonly id: string;
  readonly loaded: readonly Pet[];
}): JSX.Element {
  const here = loaded.find((one) => String(one.id) === id);
  const { value, problem } = useResource(id, async () =>
    here === undefined
      ? call("GET /accounts/:account/:environment/pets/:pet", {
          ...inCatalogue(rest.where),
          pet: id,
        })
      : done(here),
  );
  const animals = animalsWords.words();
  const { common } = words();
  // A role that is revoked later must not close the dialog: the dialog shows the refusal.
  const couldChange = useRef(mayChange.peek()).current;
  if (value !== undefined && (couldChange || mayChange.value))
    return <AnimalDialog {...rest} pet={value} />;
  return (
    <Dialog title={value?.name ?? animals.title} onClose={rest.onClose}>
      <Refusal problem={problem} />
      {value === undefined && problem === undefined && <Bones lines={2} />}
      {value !== undefined && (
        <p>
          {categoryName(rest.categories, value.categoryId)} · {common.statuses[value.status]}
        </p>
      )}
      <div class="actions">
        <Button look="primary" onClick={rest.onClose}>
          {common.close}
        </Button>
      </div>
    </Dialog>
  );
}
