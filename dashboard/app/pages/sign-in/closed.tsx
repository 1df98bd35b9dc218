import type { JSX } from "preact";

import { ButtonLink } from "../../components/button.tsx";
import { Card } from "../../components/page.tsx";
import { Code } from "../../components/copy.tsx";
import { words } from "../../words/words.ts";

/** There is nobody yet who could sign in: says how the first one comes to be. */
export function Nobody(): JSX.Element {
  const { signIn } = words();
  const { nobody } = signIn;
  return (
    <>
      <h1>{nobody.title}</h1>
      <Card>
        <p>{nobody.text}</p>
        <Code text="petstore setup-link" what={signIn.command} />
      </Card>
    </>
  );
}

/** Nobody should type a password here. */
export function Unsafe(): JSX.Element {
  const { unsafe } = words().signIn;
  return (
    <>
      <h1>{unsafe.title}</h1>
      <Card>
        <p>{unsafe.text}</p>
        <p>
          <ButtonLink look="primary" href={`https://${location.hostname}/sign-in`}>
            {unsafe.secure}
          </ButtonLink>
        </p>
        <p class="soft small">{unsafe.operator}</p>
      </Card>
    </>
  );
}
