import type { JSX } from "preact";

import { API } from "../../api.ts";
import { Code } from "../../components/copy.tsx";
import { ShownOnce } from "../../components/shown-once.tsx";
import { administrationWords } from "../../words/administration-words.ts";

/** Hands over a management token at the only time it is shown. */
export function IssuedToken({
  token,
  onDone,
}: {
  readonly token: string;
  readonly onDone: () => void;
}): JSX.Element {
  const { issued } = administrationWords.words().tokens;
  return (
    <ShownOnce
      title={issued.title}
      about={issued.once}
      secret={token}
      what={issued.token}
      onDone={onDone}
    >
      {() => (
        <div class="stack tight">
          <h3>{issued.try}</h3>
          <Code text={`curl -H 'Authorization: Bearer ${token}' ${API}/me`} what={issued.curl} />
        </div>
      )}
    </ShownOnce>
  );
}
