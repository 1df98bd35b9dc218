import type { JSX } from "preact";

import { Field } from "../../components/field.tsx";
import { words } from "../../words/words.ts";
import type { NetworksFault } from "./networks-in.ts";

/** Where a key may be used from; empty: from anywhere. */
export function NetworksField({
  value,
  fault,
  onInput,
}: {
  readonly value: string;
  readonly fault: NetworksFault | undefined;
  readonly onInput: (value: string) => void;
}): JSX.Element {
  const { form } = words().keys;
  return (
    <Field label={form.networks} hint={form.networksHint} fault={told(fault)}>
      {(tied) => (
        <textarea
          class="input mono few-lines"
          {...tied}
          rows={2}
          value={value}
          spellcheck={false}
          onInput={(event) => {
            onInput(event.currentTarget.value);
          }}
        />
      )}
    </Field>
  );
}

function told(fault: NetworksFault | undefined): string | undefined {
  const { form } = words().keys;
  switch (fault?.kind) {
    case undefined:
      return undefined;
    case "wrong":
      return form.networksFault(fault.text);
    case "too-many":
      return form.tooManyNetworks(fault.most);
  }
}
