import type { JSX } from "preact";

import { scopes, type Scope } from "../../../../lib/model/scope.ts";
import { CheckField } from "../../components/field.tsx";
import { words } from "../../words/words.ts";

/** What a key may do: one line for each right. */
export function ScopesField({
  value,
  onInput,
}: {
  readonly value: readonly Scope[];
  readonly onInput: (value: readonly Scope[]) => void;
}): JSX.Element {
  const { keys } = words();
  return (
    <fieldset class="field">
      <legend>{keys.form.mayDo}</legend>
      {scopes.map((scope) => (
        <CheckField
          key={scope}
          label={
            <>
              {keys.scopes[scope].label} <span class="soft small">{keys.scopes[scope].hint}</span>
            </>
          }
          value={value.includes(scope)}
          onInput={(checked) => {
            onInput(scopes.filter((one) => (one === scope ? checked : value.includes(one))));
          }}
        />
      ))}
      {value.length === 0 && (
        <p class="fault" role="alert">
          {keys.form.oneNeeded}
        </p>
      )}
    </fieldset>
  );
}
