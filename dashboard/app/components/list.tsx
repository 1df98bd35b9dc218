import type { ComponentChildren, JSX } from "preact";

import type { List } from "../state/resource.ts";
import { words } from "../words/words.ts";
import { Button } from "./button.tsx";
import { Bones, Refusal } from "./feedback.tsx";

/** A list that is loaded page by page, inside a bare card: its rows, and a footer with a button for the next page. */
export function Listed<Item>({
  list: { items, problem, more, loading, reload, loadMore },
  lines,
  empty,
  count,
  actions,
  children,
}: {
  readonly list: List<Item>;
  /** Lines of the placeholder. */
  readonly lines: number;
  /** Replaces the rows of an empty list. */
  readonly empty: JSX.Element;
  /** Says how many items are shown. */
  readonly count?: (shown: number, more: boolean) => string;
  /** Further buttons of the footer. */
  readonly actions?: ComponentChildren;
  readonly children: (items: readonly Item[]) => JSX.Element;
}): JSX.Element {
  return (
    <>
      <Refusal problem={problem} onRetry={() => void reload()} />
      {items === undefined && problem === undefined && (
        <div class="inside">
          <Bones lines={lines} />
        </div>
      )}
      {items?.length === 0 && empty}
      {items !== undefined && items.length > 0 && (
        <>
          {children(items)}
          {(count !== undefined || more) && (
            <footer class="row apart">
              <span class="soft small" role="status">
                {count?.(items.length, more)}
              </span>
              <span class="row">
                {actions}
                {more && (
                  <Button small busy={loading} onClick={() => void loadMore()}>
                    {words().common.loadMore}
                  </Button>
                )}
              </span>
            </footer>
          )}
        </>
      )}
    </>
  );
}

/** Filters a list by one of several values. Only screen readers get the label. */
export function FilterSelect({
  label,
  all,
  value,
  options,
  onChoose,
}: {
  readonly label: string;
  /** The option for no filter. */
  readonly all: string;
  readonly value: string | undefined;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  /** Gets an empty text for no filter. */
  readonly onChoose: (value: string) => void;
}): JSX.Element {
  return (
    <label>
      <span class="out-of-sight">{label}</span>
      <select
        class="input"
        value={value ?? ""}
        onInput={(event) => onChoose(event.currentTarget.value)}
      >
        <option value="">{all}</option>
        {options.map((option) => (
          <option key={option.value} value={option.value} selected={option.value === value}>
            {option.label}
          </option>
        ))}
      </select>
    </label>
  );
}
