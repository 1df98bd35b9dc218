import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useLocation } from "preact-iso";

import { done, refused, type Result } from "../../../../lib/base/result.ts";
import type { Category } from "../../../../lib/catalogue/model.ts";
import {
  type NewPet,
  type Pet,
  type PetStatus,
  petStatuses,
} from "../../../../lib/catalogue/model.ts";
import { call, type Problem } from "../../api.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Refusal } from "../../components/feedback.tsx";
import { bound, SelectField, TextField } from "../../components/field.tsx";
import { useAttempt } from "../../components/form.tsx";
import { toast } from "../../components/toasts.tsx";
import { useTypedForm } from "../../components/unsaved.ts";
import { animalsWords } from "../../words/late.tsx";
import { words } from "../../words/words.ts";
import { inCatalogue, pageOf, type Where } from "./catalogue.tsx";

interface AnimalDialogProps {
  readonly where: Where;
  readonly categories: readonly Category[];
  readonly onSaved: (pet: Pet) => void;
  /** The dialog has added a category. */
  readonly onCategory: () => void;
  readonly onClose: () => void;
}

/** Selected instead of a category's id to add a category. */
const NEW = "new";

/** Adds one or several animals. Their pages have the rest: photos and profile. */
export function AnimalDialog({
  where,
  categories,
  onSaved,
  onCategory,
  onClose,
}: AnimalDialogProps): JSX.Element {
  const { route } = useLocation();
  const animals = animalsWords.words();
  const { common } = words();
  const first = categories[0];
  const name = useSignal("");
  const category = useSignal(String(first?.id ?? NEW));
  const fresh = useSignal("");
  const status = useSignal<PetStatus>("available");
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
    const fields: NewPet = {
      name: name.peek(),
      categoryId: categoryId.value,
      status: status.peek(),
    };
    return call("POST /accounts/:account/:environment/pets", {
      ...inCatalogue(where),
      body: fields,
    });
  };
  const submit = async (again: boolean): Promise<void> => {
    if (form.current?.reportValidity() !== true) return;
    await run(save, (made) => {
      onSaved(made);
      if (!again) {
        const page = pageOf(where, made.id);
        toast(animals.added(made.name), {
          label: animals.addPhotos,
          run: () => route(page),
          to: page.replace(/\?.*/, ""),
        });
        onClose();
        return;
      }
      added.value = [...added.peek(), made.name];
      name.value = "";
      saved();
      form.current?.querySelector("input")?.focus();
    });
  };

  return (
    <Dialog
      title={animals.add}
      action={animals.save}
      busy={busy}
      form={form}
      onClose={asking(onClose)}
      onSubmit={() => void submit(false)}
      {...(added.value.length > 0 ? { cancel: common.done } : {})}
      further={
        <Button onClick={() => void submit(true)} disabled={busy}>
          {animals.addAnother}
        </Button>
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
          options={petStatuses.map((one) => ({ value: one, label: common.statuses[one] }))}
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
