import type { JSX } from "preact";

import { Code } from "../../components/copy.tsx";
import { words } from "../../words/words.ts";

/** What to do without a password. */
export function Forgotten(): JSX.Element {
  const { signIn } = words();
  return (
    <details>
      <summary>{signIn.forgotten}</summary>
      <div class="stack tight">
        <p>{signIn.forgottenText}</p>
        <p>{signIn.forgottenOperator}</p>
        <Code text="petstore members reset-link ada@example.org" what={signIn.command} />
      </div>
    </details>
  );
}
