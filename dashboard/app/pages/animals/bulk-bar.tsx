import { type Signal, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";

import {
  type Category,
  type Pet,
  type PetStatus,
  petStatuses,
} from "../../../../lib/catalogue/model.ts";
import { isReturn, isSale } from "../../../../lib/catalogue/model-changes.ts";
import { Button } from "../../components/button.tsx";
import { confirm } from "../../components/dialog.tsx";
import { Notice } from "../../components/feedback.tsx";
import { Progress } from "../../components/indicators.tsx";
import { Menu } from "../../components/menu.tsx";
import { toast } from "../../components/toasts.tsx";
import { useUnsaved } from "../../components/unsaved.ts";
import { number } from "../../words/format.ts";
import { animalsWords } from "../../words/late.tsx";
import { inDetail, problemText, words } from "../../words/words.ts";
import { changing, MOST, removing, undoingAdoptions } from "./bulk.ts";
import { type Bulk, type Change, changeEach, type Step } from "./change-each.ts";
import { loadPets, type Where } from "./catalogue.tsx";
import type { PetListeners } from "./pet-changes.ts";
import type { PetOrder, PetQuery } from "./pet-list.ts";

/** The selected animals by id. */
export type Selection = Signal<ReadonlyMap<number, Pet>>;

interface BulkBarProps {
  readonly where: Where;
  readonly selection: Selection;
  /** The animals of the list, as far as they are loaded. */
  readonly loaded: readonly Pet[];
  /** The number of animals that match the filters; undefined until counted. */
  readonly matching: number | undefined;
  readonly filters: PetQuery;
  readonly order: PetOrder;
  readonly categories: readonly Category[];
  readonly listeners: PetListeners;
}

/** A change of several animals: its step, what to say after it, and the step that takes it back. */
interface BulkChange {
  readonly step: Step;
  readonly said: (count: number) => string;
  readonly undo?: (changed: readonly Change[]) => Step;
}

/** The line above the list: selects animals, and changes the selected ones together. */
export function BulkBar(props: BulkBarProps): JSX.Element | null {
  const { where, selection, listeners } = props;
  const { bulk: text } = animalsWords.words();
  const { common } = words();
  const bulk = useSignal<Bulk | undefined>(undefined);
  const running = useSignal<AbortController | undefined>(undefined);
  useUnsaved(running.value !== undefined);
  useEffect(() => () => running.peek()?.abort(), []);
  const count = selection.value.size;

  const run = async (pets: readonly Pet[], { step, said, undo }: BulkChange): Promise<void> => {
    if (running.peek() !== undefined) return;
    const control = new AbortController();
    running.value = control;
    bulk.value = { total: pets.length, changed: [], failed: [] };
    const ended = await changeEach(pets, step, control.signal, (now) => {
      bulk.value = now;
    });
    const { changed, failed } = ended;
    running.value = undefined;
    bulk.value = failed.length > 0 ? ended : undefined;
    for (const { before, after } of changed) {
      if (after === undefined) listeners.onRemoved(before);
      else listeners.onChanged(after);
    }
    // The others stay selected, for another try.
    const ids = new Set(changed.map(({ before }) => before.id));
    selection.value = new Map([...selection.peek()].filter(([id]) => !ids.has(id)));
    if (changed.length === 0) return;
    const takeBack = (): void => {
      if (undo === undefined) return;
      const now = changed.map(({ before, after }) => after ?? before);
      void run(now, { step: undo(changed), said: text.undone });
    };
    toast(said(changed.length), undo && { label: common.undo, run: takeBack });
  };
  const selected = (): readonly Pet[] => [...selection.peek().values()];
  /** The step that gives each animal back its own values. */
  const back =
    (field: "status" | "categoryId") =>
    (changed: readonly Change[]): Step => {
      const before = new Map(changed.map((one) => [one.before.id, one.before]));
      return changing(where, ({ id }) => ({ [field]: before.get(id)?.[field] }));
    };

  const undoAdoptions = (changed: readonly Change[]): Step => {
    const sold = changed.filter(({ before }) => before.status !== "sold");
    return undoingAdoptions(where, new Set(sold.map(({ before }) => before.id)));
  };

  const toStatus = async (to: PetStatus): Promise<void> => {
    const sales = selected().filter(({ status }) => isSale(status, to)).length;
    const returns = selected().filter(({ status }) => isReturn(status, to)).length;
    if (sales > 0 && !(await confirm(text.adopt, number(sales)))) return;
    if (returns > 0 && !(await confirm(text.return, number(returns)))) return;
    await run(selected(), {
      step: changing(where, () => ({ status: to })),
      said: text.moved[to],
      // A return is recorded in the order, and a new adoption would write another one.
      ...(returns > 0 ? {} : { undo: to === "sold" ? undoAdoptions : back("status") }),
    });
  };
  const toCategory = ({ id, name }: Category): Promise<void> =>
    run(selected(), {
      step: changing(where, () => ({ categoryId: id })),
      said: (some) => text.filed(some, name),
      undo: back("categoryId"),
    });
  const remove = async (): Promise<void> => {
    if (!(await confirm(text.delete, number(count), { look: "danger" }))) return;
    await run(selected(), {
      step: removing(where),
      said: text.removed,
      undo: () => removing(where, { restores: true }),
    });
  };

  if (running.value !== undefined) {
    const { total, changed, failed } = bulk.value ?? { total: count, changed: [], failed: [] };
    const done = changed.length + failed.length;
    return (
      <div class="bulk-bar">
        <Progress label={text.running} done={done} total={total}>
          {text.progress(done, total)}
        </Progress>
        <Button small onClick={() => running.peek()?.abort()}>
          {text.stop}
        </Button>
      </div>
    );
  }
  if (props.loaded.length === 0 && count === 0 && bulk.value === undefined) return null;
  return (
    <div class="bulk-bar">
      <SelectAll {...props} />
      {count > 0 && (
        <div class="row" role="group" aria-label={text.actions}>
          <Menu
            label={text.status}
            items={petStatuses.map((one) => ({
              label: common.statuses[one],
              onClick: () => void toStatus(one),
            }))}
          >
            {text.status}
          </Menu>
          {props.categories.length > 0 && (
            <Menu
              label={text.category}
              items={props.categories.map((one) => ({
                label: one.name,
                onClick: () => void toCategory(one),
              }))}
            >
              {text.category}
            </Menu>
          )}
          <Button look="quiet" onClick={() => void remove()}>
            {text.delete.action}
          </Button>
          <Button look="quiet" onClick={() => (selection.value = new Map())}>
            {text.clear}
          </Button>
        </div>
      )}
      {bulk.value !== undefined && <Failures bulk={bulk.value} />}
    </div>
  );
}

/** Selects the animals of the list, and then all that match the filters, as many as can be changed at once. */
function SelectAll({
  where,
  selection,
  loaded,
  matching = loaded.length,
  filters,
  order,
}: BulkBarProps): JSX.Element {
  const { bulk: text } = animalsWords.words();
  const busy = useSignal(false);
  const some = loaded.slice(0, MOST);
  const count = selection.value.size;
  const all = some.length > 0 && some.every(({ id }) => selection.value.has(id));
  const most = Math.min(matching, MOST);
  const selectMatching = async (): Promise<void> => {
    busy.value = true;
    const found = await loadPets(where, filters, order, { limit: MOST });
    busy.value = false;
    if (found.ok) selection.value = mapOf(found.value);
    else toast(problemText(found.failure));
  };
  return (
    <div class="row">
      <label class="check">
        <input
          type="checkbox"
          aria-label={text.selectAll}
          checked={all}
          ref={(box) => {
            if (box !== null) box.indeterminate = count > 0 && !all;
          }}
          onInput={() => {
            selection.value = all ? new Map() : mapOf(some);
          }}
        />
        <span role="status">{count === 0 ? text.selectAll : text.selected(count)}</span>
      </label>
      {all && count < most && (
        <Button small look="quiet" busy={busy.value} onClick={() => void selectMatching()}>
          {matching > MOST ? text.selectFirst(MOST, matching) : text.selectMatching(matching)}
        </Button>
      )}
    </div>
  );
}

function mapOf(pets: readonly Pet[]): ReadonlyMap<number, Pet> {
  return new Map(pets.map((pet) => [pet.id, pet]));
}

/** The most animals that are named. */
const NAMED = 20;

/** Names the animals that were not changed, and why. */
function Failures({ bulk: { failed } }: { readonly bulk: Bulk }): JSX.Element {
  const { bulk: text } = animalsWords.words();
  return (
    <Notice tone="bad" live="alert">
      <p>
        <strong>{text.failed(failed.length)}</strong>
      </p>
      <ul>
        {failed.slice(0, NAMED).map(({ pet, fault }) => (
          <li key={pet.id}>
            {text.fault(pet.name, fault === "adopted" ? text.adopted : inDetail(fault))}
          </li>
        ))}
      </ul>
      {failed.length > NAMED && <p>{text.moreFailed(failed.length - NAMED)}</p>}
    </Notice>
  );
}
