import type { ComponentChildren, JSX } from "preact";

/** What stands above a column: its name; of numbers, at their end; of buttons, only for who cannot see them. */
export type Column = string | { readonly number: string } | { readonly unseen: string };

/** Rows under their columns; where there is no room, each row becomes a card. */
export function Table({
  label,
  columns,
  look = "",
  children,
}: {
  /** What the rows are, for who cannot see where the table stands. */
  readonly label: string;
  readonly columns: readonly Column[];
  /** Class names beside those of every table. */
  readonly look?: string;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <div class="table-wrap">
      <table class={`table folds ${look}`} aria-label={label}>
        <thead>
          <tr>{columns.map(headOf)}</tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

function headOf(column: Column): JSX.Element {
  if (typeof column === "string") {
    return (
      <th key={column} scope="col">
        {column}
      </th>
    );
  }
  if ("number" in column) {
    return (
      <th key={column.number} scope="col" class="number">
        {column.number}
      </th>
    );
  }
  return (
    <th key={column.unseen} scope="col">
      <span class="out-of-sight">{column.unseen}</span>
    </th>
  );
}
