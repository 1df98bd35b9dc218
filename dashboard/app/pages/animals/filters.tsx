import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";

import type { Category } from "../../../../lib/model/category.ts";
import { petStatuses } from "../../../../lib/model/pet.ts";
import { Button } from "../../components/button.tsx";
import { useQuery } from "../../state/query.ts";
import { words } from "../../words/words.ts";
import { petQuery } from "./pet-query.ts";

/** Long enough for the next letter. */
const TYPING_MS = 250;

/** Narrows the list down. */
export function Filters({
  categories = [],
}: {
  readonly categories: readonly Category[] | undefined;
}): JSX.Element {
  const [query, change] = useQuery();
  const { name, status, categoryId } = petQuery(query);
  const { animals, common } = words();
  const narrowed = name !== undefined || status !== undefined || categoryId !== undefined;
  return (
    <search class="filters">
      <Find value={name ?? ""} onFind={(text) => change({ name: text })} />
      <label>
        <span class="out-of-sight">{animals.status}</span>
        <select
          class="input"
          value={status ?? ""}
          onInput={(event) => change({ status: event.currentTarget.value })}
        >
          <option value="">{animals.anyStatus}</option>
          {petStatuses.map((one) => (
            <option key={one} value={one}>
              {common.statuses[one]}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span class="out-of-sight">{animals.category}</span>
        <select
          class="input"
          value={categoryId ?? ""}
          onInput={(event) => change({ category: event.currentTarget.value })}
        >
          <option value="">{animals.anyCategory}</option>
          {categories.map((one) => (
            <option key={one.id} value={one.id} selected={String(one.id) === categoryId}>
              {one.name}
            </option>
          ))}
        </select>
      </label>
      {narrowed && (
        <Button
          look="quiet"
          onClick={() => change({ name: undefined, status: undefined, category: undefined })}
        >
          {animals.clear}
        </Button>
      )}
    </search>
  );
}

/** Looks for what is typed once nothing more is typed. */
function Find({
  value,
  onFind,
}: {
  readonly value: string;
  readonly onFind: (text: string) => void;
}): JSX.Element {
  const typed = useSignal(value);
  const timer = useRef<number | undefined>(undefined);
  useEffect(() => {
    // Going back, or `Show all`: what is typed meanwhile is not lost.
    if (timer.current === undefined) typed.value = value;
  }, [value]);
  useEffect(
    () => () => {
      window.clearTimeout(timer.current);
    },
    [],
  );
  return (
    <label class="grow">
      <span class="out-of-sight">{words().animals.find}</span>
      <input
        class="input"
        type="search"
        maxLength={120}
        placeholder={words().animals.find}
        value={typed.value}
        onInput={(event) => {
          typed.value = event.currentTarget.value;
          window.clearTimeout(timer.current);
          timer.current = window.setTimeout(() => {
            timer.current = undefined;
            onFind(typed.peek().trim());
          }, TYPING_MS);
        }}
      />
    </label>
  );
}
