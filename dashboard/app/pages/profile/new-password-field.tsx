import { useSignal } from "@preact/signals";
import type { JSX } from "preact";

import { faultOfPassword } from "../../../../lib/members/model/password-rule.ts";
import { bound, CheckField, TextField, type Bound } from "../../components/field.tsx";
import { profileWords } from "../../words/late.tsx";

/** Asks for a new password and checks it while typing, by the service's own rule. */
export function NewPasswordField({
  label,
  value,
  onInput,
  names,
  pressed,
  autofocus = false,
}: Bound<string> & {
  /** Default: "New password". */
  readonly label?: string;
  /** Words that the password must not consist of. */
  readonly names: readonly string[];
  /** The user tried to send the form: only then is a short password a fault. */
  readonly pressed: boolean;
  readonly autofocus?: boolean;
}): JSX.Element {
  const shown = useSignal(false);
  const { password } = profileWords.words();
  const fault = value === "" ? undefined : faultOfPassword(value, names);
  const reported = fault === "too_short" && !pressed ? undefined : fault;
  const good = value !== "" && fault === undefined;
  return (
    <>
      <TextField
        label={label ?? password.fresh}
        hint={good ? password.good : password.hint}
        fault={reported && password.faults[reported]}
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

/** Checks a password by the service's own rule. */
export function isGood(password: string, names: readonly string[]): boolean {
  return faultOfPassword(password, names) === undefined;
}

/** Words that a person's password must not consist of, as the service has them. */
export function namesOf({
  email,
  name,
}: {
  readonly email: string;
  readonly name: string;
}): readonly string[] {
  return [email, name, location.hostname];
}
