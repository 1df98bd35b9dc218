import type { JSX } from "preact";

import { Field, type Bound, type FieldProps } from "./field.tsx";

/** A text field of several lines. */
export function TextAreaField({
  value,
  onInput,
  rows,
  ...field
}: Omit<FieldProps, "children"> &
  Bound<string> & {
    /** The lines that are visible. */
    readonly rows: number;
  }): JSX.Element {
  return (
    <Field {...field}>
      {(tied) => (
        <textarea
          class="input"
          {...tied}
          rows={rows}
          value={value}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}
