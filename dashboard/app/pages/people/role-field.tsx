import type { JSX } from "preact";

import { accountRoles, type AccountRole } from "../../../../lib/management/model/principal.ts";
import { RadioField } from "../../components/choice.tsx";
import { administrationWords } from "../../words/late.tsx";
import { words } from "../../words/words.ts";

/** What somebody may do within an account. */
export function RoleField({
  label,
  value,
  onInput,
}: {
  readonly label: string;
  readonly value: AccountRole;
  readonly onInput: (value: AccountRole) => void;
}): JSX.Element {
  const { people } = administrationWords.words();
  const { common } = words();
  return (
    <RadioField
      label={label}
      value={value}
      options={accountRoles.map((role) => ({
        value: role,
        label: common.roles[role],
        hint: people.roleHints[role],
      }))}
      onInput={onInput}
    />
  );
}
