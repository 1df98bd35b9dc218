import type { JSX } from "preact";
import { useRef } from "preact/hooks";

import type { Pet } from "../../../../lib/model/pet.ts";
import { at, get } from "../../api.ts";
import { Bones } from "../../components/bones.tsx";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Refusal } from "../../components/notice.tsx";
import { mayChange } from "../../state/me.ts";
import { useResource } from "../../state/resource.ts";
import { words } from "../../words/words.ts";
import { AnimalDialog, type AnimalDialogProps } from "./animal-dialog.tsx";
import { categoryName, pathIn } from "./catalogue.ts";
import { done } from "../../../../lib/base/result.ts";

/** The animal that the address names, wherever in the list it would stand. */
export function Wanted({
  id,
  known,
  ...rest
}: Omit<AnimalDialogProps, "pet"> & {
  readonly id: string;
  /** Those that are shown: of them nothing has to be asked. */
  readonly known: readonly Pet[];
}): JSX.Element {
  const here = known.find((one) => String(one.id) === id);
  const { value, problem } = useResource(id, async () =>
    here === undefined ? get<Pet>(pathIn(rest.where) + at`/pets/${id}`) : done(here),
  );
  const { animals, common } = words();
  // Whoever could when it was opened is told there that they may not any more.
  const could = useRef(mayChange.peek()).current;
  if (value !== undefined && (could || mayChange.value))
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
