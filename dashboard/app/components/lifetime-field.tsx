import type { JSX } from "preact";

import { words } from "../words/words.ts";
import { SelectField } from "./field.tsx";

/** How long what is made is to be good. */
export function LifetimeField({
  choices,
  value,
  onInput,
}: {
  /** In milliseconds; undefined has no end. */
  readonly choices: readonly (number | undefined)[];
  readonly value: number | undefined;
  readonly onInput: (ms: number | undefined) => void;
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
