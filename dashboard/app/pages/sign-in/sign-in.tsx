import { useLocation } from "preact-iso";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";

import { get } from "../../api.ts";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/page.tsx";
import { Loaded, Notice, Refusal } from "../../components/feedback.tsx";
import { Door } from "../../door.tsx";
import { me } from "../../state/me.ts";
import { useResource } from "../../state/resource.ts";
import { words } from "../../words/words.ts";
import { afterSignIn } from "./after-sign-in.ts";
import { Nobody, Unsafe } from "./closed.tsx";
import { Forgotten } from "./forgotten.tsx";
import { usePasskeyWay } from "./passkey-way.ts";
import { PasswordForm } from "./password-form.tsx";

/** What works at this address, as the service tells it. */
interface SignInState {
  readonly setUp: boolean;
  readonly allowed: boolean;
  readonly passkeys: boolean;
}

/** Where people prove who they are; who has is led on to where they wanted to go. */
export function SignIn(): JSX.Element {
  const { query, route } = useLocation();
  const door = useResource("sign-in", () => get<SignInState>("/sign-in"));
  const who = me.value;
  const { to } = query;
  useEffect(() => {
    if (who !== undefined && who !== null) route(afterSignIn(to, location.origin), true);
  }, [who, to]);
  return (
    <Door title={words().signIn.title}>
      <Loaded resource={door} lines={8}>
        {({ setUp, allowed, passkeys }) => {
          if (!allowed) return <Unsafe />;
          return setUp ? <Ways passkeys={passkeys} /> : <Nobody />;
        }}
      </Loaded>
    </Door>
  );
}

function Ways({ passkeys }: { readonly passkeys: boolean }): JSX.Element {
  const offered = passkeys && "PublicKeyCredential" in window;
  const way = usePasskeyWay(offered);
  const { signIn } = words();
  return (
    <>
      <h1>{signIn.title}</h1>
      <Card>
        <PasswordForm />
        {offered && (
          <>
            <p class="between">
              <span>{signIn.or}</span>
            </p>
            <Button busy={way.busy} onClick={() => void way.begin()}>
              {signIn.passkey}
            </Button>
            {way.fault !== undefined && (
              <Notice tone="warn" live="alert">
                <p>{signIn.passkeyFaults[way.fault]}</p>
              </Notice>
            )}
            <Refusal problem={way.problem} />
          </>
        )}
      </Card>
      <Forgotten />
    </>
  );
}
