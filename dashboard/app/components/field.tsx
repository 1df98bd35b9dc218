import type { ComponentChildren, JSX } from "preact";
import { useId } from "preact/hooks";
import type { Signal } from "@preact/signals";

export interface Bound<Value> {
  readonly value: Value;
  readonly onInput: (value: Value) => void;
}

export interface FieldProps {
  readonly label: string;
  readonly hint?: ComponentChildren;
  /** Why the value is invalid. */
  readonly fault?: string | undefined;
  /** Renders the control with the attributes that tie it to label, hint and fault. */
  readonly children: (tied: Tied) => JSX.Element;
}

/** Attributes for a field's control. */
export interface Tied {
  readonly id: string;
  readonly "aria-describedby"?: string;
  readonly "aria-invalid"?: true;
}

/** A control with its label, hint and fault. */
export function Field({ label, hint, fault, children }: FieldProps): JSX.Element {
  const id = useId();
  const described = [
    hint === undefined ? undefined : `${id}-hint`,
    fault === undefined ? undefined : `${id}-fault`,
  ].filter((one) => one !== undefined);
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({
        id,
        ...(described.length === 0 ? {} : { "aria-describedby": described.join(" ") }),
        ...(fault === undefined ? {} : { "aria-invalid": true }),
      })}
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {fault !== undefined && (
        <p class="fault" id={`${id}-fault`} role="alert">
          {fault}
        </p>
      )}
    </div>
  );
}

export interface TextFieldProps extends Omit<FieldProps, "children">, Bound<string> {
  readonly type?:
    | "text"
    | "email"
    | "password"
    | "search"
    | "number"
    | "url"
    | "tel"
    | "date"
    | "datetime-local";
  readonly autocomplete?: string;
  readonly placeholder?: string;
  readonly required?: boolean;
  readonly autofocus?: boolean;
  readonly maxLength?: number;
  /** The value is no prose: the browser must not correct it. */
  readonly literal?: boolean;
}

/** The capital letter makes `autoCorrect` an attribute: the property is a boolean, for which "off" is true. */
const LITERAL = { spellcheck: false, autocapitalize: "none", autoCorrect: "off" } as const;

/** A text field of one line. */
export function TextField({
  value,
  onInput,
  type = "text",
  autocomplete = "off",
  literal = false,
  autofocus = false,
  label,
  hint,
  fault,
  ...rest
}: TextFieldProps): JSX.Element {
  // The types distinguish inputs by their permitted roles; this one has none.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const kind = { type } as { readonly type: "text" };
  return (
    <Field label={label} hint={hint} fault={fault}>
      {(tied) => (
        <input
          class={literal ? "input mono" : "input"}
          {...tied}
          {...rest}
          {...kind}
          value={value}
          autocomplete={autocomplete}
          autofocus={autofocus}
          {...(literal ? LITERAL : {})}
          onInput={(event) => {
            onInput(event.currentTarget.value);
          }}
        />
      )}
    </Field>
  );
}

/** A choice among a few options, in a menu. */
export function SelectField<Value extends string>({
  value,
  onInput,
  options,
  ...field
}: Omit<FieldProps, "children"> &
  Bound<Value> & {
    readonly options: readonly { readonly value: Value; readonly label: string }[];
  }): JSX.Element {
  return (
    <Field {...field}>
      {(tied) => (
        <select
          class="input"
          {...tied}
          value={value}
          onInput={(event) => {
            const chosen = options[event.currentTarget.selectedIndex];
            if (chosen !== undefined) onInput(chosen.value);
          }}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value} selected={option.value === value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

/** A checkbox. */
export function CheckField({
  label,
  value,
  onInput,
}: Bound<boolean> & { readonly label: ComponentChildren }): JSX.Element {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={value}
        onInput={(event) => {
          onInput(event.currentTarget.checked);
        }}
      />
      <span>{label}</span>
    </label>
  );
}

/** Props of a field whose value is kept in a signal. */
export function bound<Value>(signal: Signal<Value>): Bound<Value> {
  return {
    value: signal.value,
    onInput: (value) => {
      signal.value = value;
    },
  };
}
