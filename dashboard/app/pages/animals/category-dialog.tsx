import { useSignal } from "@preact/signals";
import type { JSX } from "preact";

import type { Category } from "../../../../lib/model/category.ts";
import { send } from "../../api.ts";
import { Dialog } from "../../components/dialog.tsx";
import { TextField } from "../../components/field.tsx";
import { Refusal } from "../../components/notice.tsx";
import { toast } from "../../components/toasts.tsx";
import { useAttempt } from "../../state/attempt.ts";
import { into } from "../../state/into.ts";
import { words } from "../../words/words.ts";
import { pathIn, type Where } from "./catalogue.ts";

/** Adds a category, or gives one another name. */
export function CategoryDialog({
  where,
  category,
  onSaved,
  onClose,
}: {
  readonly where: Where;
  /** Absent: one is added. */
  readonly category?: Category;
  readonly onSaved: () => void;
  readonly onClose: () => void;
}): JSX.Element {
  const { animals, common } = words();
  const name = useSignal(category?.name ?? "");
  const { busy, problem, run } = useAttempt();
  const path = `${pathIn(where)}/categories`;
  const save = (): Promise<void> =>
    run(
      () =>
        category === undefined
          ? send<Category>("POST", path, { name: name.peek() })
          : send<Category>("PATCH", `${path}/${category.id}`, { name: name.peek() }),
      (saved) => {
        toast(
          category === undefined
            ? animals.categoryAdded(saved.name)
            : animals.categoryRenamed(saved.name),
        );
        onSaved();
        onClose();
      },
    );
  return (
    <Dialog
      title={category === undefined ? animals.addCategory : animals.renameCategory(category.name)}
      action={common.save}
      busy={busy}
      onClose={onClose}
      onSubmit={() => void save()}
    >
      <Refusal problem={problem} />
      <TextField
        label={animals.categoryName}
        hint={animals.categoryHint}
        value={name.value}
        required
        autofocus
        onInput={into(name)}
      />
    </Dialog>
  );
}
