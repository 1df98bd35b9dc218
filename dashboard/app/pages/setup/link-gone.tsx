import type { JSX } from "preact";

import { ButtonLink } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { Code } from "../../components/copy.tsx";
import { setupWords } from "../../words/setup-words.ts";
import { StepHead } from "./steps.tsx";

/** There is no good link: says so, and how to come by another one. */
export function LinkGone({ missing }: { readonly missing: boolean }): JSX.Element {
  const { gone } = setupWords.words();
  return (
    <>
      <StepHead title={missing ? gone.missing : gone.bad}>
        {missing ? gone.missingText : gone.badText}
      </StepHead>
      <Card>
        <p>{gone.how}</p>
        <Code text="petstore setup-link" what={gone.command} />
        <p>
          <ButtonLink href="/sign-in">{gone.signIn}</ButtonLink>
        </p>
      </Card>
    </>
  );
}

/** Nobody should type a password here; there is another way. */
export function Unsafe({ token }: { readonly token: string }): JSX.Element {
  const { unsafe } = setupWords.words();
  const link = token === "" ? "…" : `${location.origin}/setup#${token}`;
  const claim = `petstore tokens claim --token-file ./petstore-token --setup-link '${link}'`;
  return (
    <>
      <StepHead title={unsafe.title}>{unsafe.text}</StepHead>
      <Card>
        <p>{unsafe.how}</p>
        <Code text={claim} what={unsafe.command} />
      </Card>
    </>
  );
}
