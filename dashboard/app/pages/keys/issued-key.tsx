import type { JSX } from "preact";

import type { KeyView } from "../../../../lib/actions/local-client.ts";
import { Code, download, ShownOnce } from "../../components/copy.tsx";
import { Button } from "../../components/button.tsx";
import { apiAddresses } from "../../state/api-addresses.ts";
import { words } from "../../words/words.ts";
import { curlLine, envFile } from "./handing-over.ts";

/** A key with its secret, as the service answers when it makes one. */
export interface IssuedKeyAnswer extends KeyView {
  /** The whole API key. A secret. */
  readonly key: string;
}

/** Hands over a key at the only time it is shown. */
export function IssuedKey({
  issued,
  onDone,
}: {
  readonly issued: IssuedKeyAnswer;
  readonly onDone: () => void;
}): JSX.Element {
  const { issued: text } = words().keys;
  const address = apiAddresses().value[issued.environment];
  return (
    <ShownOnce
      title={text.title}
      about={text.once}
      secret={issued.key}
      what={text.key}
      onDone={onDone}
    >
      {(kept) => (
        <>
          <div>
            <Button
              onClick={() => {
                download(text.fileName, "text/plain", [envFile(issued.key, address)]);
                kept();
              }}
            >
              {text.download}
            </Button>
          </div>
          {issued.scopes.includes("pets:read") && (
            <div class="stack tight">
              <h3>{text.try}</h3>
              <p class="soft">{text.tryHint}</p>
              <Code text={curlLine(issued.key, address)} what={text.curl} />
            </div>
          )}
        </>
      )}
    </ShownOnce>
  );
}
