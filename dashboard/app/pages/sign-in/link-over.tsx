import type { JSX } from "preact";

import { ButtonLink } from "../../components/button.tsx";
import { Card } from "../../components/page.tsx";
import { profileWords } from "../../words/late.tsx";

/** There is no good link to a password: says so, and what to do. */
export function LinkOver({ missing }: { readonly missing: boolean }): JSX.Element {
  const { reset } = profileWords.words();
  return (
    <>
      <h1>{missing ? reset.missing : reset.bad}</h1>
      <Card>
        <p>{missing ? reset.missingText : reset.badText}</p>
        <p>
          <ButtonLink href="/sign-in">{reset.signIn}</ButtonLink>
        </p>
      </Card>
    </>
  );
}
