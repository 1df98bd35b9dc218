import { useSignal } from "@preact/signals";
import type { JSX } from "preact";

import { faultOfPassword } from "../../../../lib/members/model/password-rule.ts";
import { CheckField, TextField, bound } from "../../components/field.tsx";
import { profileWords } from "../../words/late.tsx";

/** Asks for a new password, and says at once why one will not do. The service judges by the same rule. */
export function NewPasswordField({
  label,
  value,
  onInput,
  names,
  pressed,
  autofocus = false,
}: {
  /** Default: that it is a new one. */
  readonly label?: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  /** Words that anybody would try: of the member's address and name. */
  readonly names: readonly string[];
  /** It was tried to send it: what is too short is said then, and not while somebody types. */
  readonly pressed: boolean;
  readonly autofocus?: boolean;
}): JSX.Element {
  const shown = useSignal(false);
  const { password } = profileWords.words();
  const fault = value === "" ? undefined : faultOfPassword(value, names);
  const told = fault === "too_short" && !pressed ? undefined : fault;
  const good = value !== "" && fault === undefined;
  return (
    <>
      <TextField
        label={label ?? password.fresh}
        hint={good ? password.good : password.hint}
        fault={told === undefined ? undefined : password.faults[told]}
        type={shown.value ? "text" : "password"}
        autocomplete="new-password"
        required
        autofocus={autofocus}
        value={value}
        onInput={onInput}
      />
      <CheckField label={password.show} {...bound(shown)} />
    </>
  );
}

/** The rule that the service has too, with the names that it knows of. */
export function isGood(password: string, names: readonly string[]): boolean {
  return faultOfPassword(password, names) === undefined;
}
