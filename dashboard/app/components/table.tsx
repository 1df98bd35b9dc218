import { useSignal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";

import { words } from "../words/words.ts";
import { Button } from "./button.tsx";

/**
 * A column's heading, or that with the class of its cells: `lead` for what names the row, `number`, `control` for an
 * input that needs no label, and `pick` for a checkbox, `end` or `end corner` for buttons, whose heading only screen
 * readers get.
 */
export type Column = string | { readonly name: string; readonly cell: string };

export interface TableRow {
  readonly key: string | number;
  /** One for each column. */
  readonly cells: readonly ComponentChildren[];
}

/** Rows under their columns. On narrow screens each row becomes a card. */
export function Table({
  label,
  columns,
  rows = [],
  look = "",
  caption,
  children,
}: {
  /** Names the table for screen readers. */
  readonly label: string;
  readonly columns: readonly Column[];
  readonly rows?: readonly TableRow[];
  /** Additional class names. */
  readonly look?: string;
  /** Shown above the columns. */
  readonly caption?: ComponentChildren;
  /** Rows of another shape. */
  readonly children?: ComponentChildren;
}): JSX.Element {
  const all = columns.map((column) =>
    typeof column === "string" ? { name: column, cell: undefined } : column,
  );
  return (
    <div class="table-wrap">
      <table class={`table folds ${look}`} aria-label={label}>
        {caption !== undefined && <caption class="small">{caption}</caption>}
        <thead>
          <tr>
            {all.map(({ name, cell }) => (
              <th key={name} scope="col" class={cell === "number" ? cell : undefined}>
                {isQuiet(cell) ? <span class="out-of-sight">{name}</span> : name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, cells }) => (
            <tr key={key}>
              {all.map(({ name, cell }, index) => (
                <td
                  key={name}
                  class={cell}
                  data-label={
                    cell === "lead" || cell === "control" || isQuiet(cell) ? undefined : name
                  }
                >
                  {cells[index]}
                </td>
              ))}
            </tr>
          ))}
          {children}
        </tbody>
      </table>
    </div>
  );
}

function isQuiet(cell: string | undefined): boolean {
  return cell === "pick" || cell?.startsWith("end") === true;
}

const STEP = 100;

/** Shows the first items, and a button for more: thousands of rows would block the page. */
export function InSteps<Item>({
  items,
  step = STEP,
  children,
}: {
  readonly items: readonly Item[];
  readonly step?: number;
  /** Renders the items shown. */
  readonly children: (shown: readonly Item[]) => JSX.Element;
}): JSX.Element {
  const count = useSignal(step);
  return (
    <>
      {children(items.slice(0, count.value))}
      {items.length > count.value && (
        <div class="inside">
          <Button
            onClick={() => {
              count.value += step;
            }}
          >
            {words().common.loadMore}
          </Button>
        </div>
      )}
    </>
  );
}
