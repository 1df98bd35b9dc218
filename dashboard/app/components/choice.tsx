import type { ComponentChildren, JSX } from "preact";
import { useId } from "preact/hooks";
import { words } from "../words/words.ts";
import { SelectField, type Bound } from "./field.tsx";
import { useLocation } from "preact-iso";
import { environments } from "../../../lib/model/account.ts";
import { inEnvironment, useEnvironment } from "../state/query.ts";
import { Notice } from "./feedback.tsx";

/** A choice among a few options, all visible. */
export function RadioField<Value extends string>({
  label,
  value,
  options,
  onInput,
}: Bound<Value> & {
  readonly label: string;
  readonly options: readonly {
    readonly value: Value;
    readonly label: ComponentChildren;
    readonly hint?: ComponentChildren;
  }[];
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

/** The lifetime of a new key or token. */
export function LifetimeField({
  choices,
  value,
  onInput,
}: Bound<number | undefined> & {
  /** The choices in milliseconds; undefined for unlimited. */
  readonly choices: readonly (number | undefined)[];
}): JSX.Element {
  const { lifetime } = words().common;
  return (
    <SelectField
      label={lifetime.label}
      value={String(value ?? "")}
      options={choices.map((ms) => ({
        value: String(ms ?? ""),
        label: ms === undefined ? lifetime.never : lifetime.after(ms),
      }))}
      onInput={(chosen) => {
        onInput(chosen === "" ? undefined : Number(chosen));
      }}
    />
  );
}

/** Switches between the account's two catalogues. */
export function Environments(): JSX.Element {
  const { path } = useLocation();
  const current = useEnvironment();
  const { common } = words();
  return (
    <nav class={`segments ${current}`} aria-label={common.environment}>
      {environments.map((one) => (
        <a
          key={one}
          href={path + inEnvironment(one)}
          {...(one === current ? { "aria-current": "page" as const } : {})}
        >
          {common[one]}
        </a>
      ))}
    </nav>
  );
}

/** Reminds the user that Staging is not public. */
export function StagingNotice(): JSX.Element | null {
  if (useEnvironment() === "production") return null;
  return (
    <Notice tone="warn">
      <p>{words().common.stagingText}</p>
    </Notice>
  );
}
