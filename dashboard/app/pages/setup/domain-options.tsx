import type { JSX } from "preact";

import type { BaseDomainOption } from "../../../../lib/management/system.ts";
import { Card } from "../../components/card.tsx";
import { Code } from "../../components/copy.tsx";
import { setupWords } from "../../words/setup-words.ts";

/** The options to be set for a name, in each of the ways in which they can be. */
export function DomainOptions({
  options,
}: {
  readonly options: readonly BaseDomainOption[];
}): JSX.Element {
  const { domain } = setupWords.words();
  const environment = options.map((option) => `${option.environment}=${option.value}`).join("\n");
  const file = Object.fromEntries(options.map(({ name, value }) => [name, value]));
  const flags = options.map(({ name, value }) => `--${name} ${value}`).join(" ");
  return (
    <Card title={domain.configuration}>
      <p>{domain.configurationText}</p>
      <Code text={environment} what={domain.options} />
      <details>
        <summary>{domain.asFile}</summary>
        <div class="stack tight">
          <Code text={JSON.stringify(file, undefined, 2)} what={domain.options} />
          <Code text={`petstore serve ${flags}`} what={domain.options} />
        </div>
      </details>
    </Card>
  );
}
