import type { ComponentChildren, JSX } from "preact";
import { useId } from "preact/hooks";

/** One of a few, all of which are to be seen. */
export function RadioField<Value extends string>({
  label,
  value,
  options,
  onInput,
}: {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly {
    readonly value: Value;
    readonly label: ComponentChildren;
    readonly hint?: ComponentChildren;
  }[];
  readonly onInput: (value: Value) => void;
}): JSX.Element {
  const name = useId();
  return (
    <fieldset class="field">
      <legend>{label}</legend>
      <div class="stack tight">
        {options.map((option) => (
          <label key={option.value} class="check">
            <input
              type="radio"
              name={name}
              checked={option.value === value}
              onChange={() => {
                onInput(option.value);
              }}
            />
            <span>
              {option.label}
              {option.hint !== undefined && (
                <>
                  <br />
                  <span class="hint">{option.hint}</span>
                </>
              )}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
