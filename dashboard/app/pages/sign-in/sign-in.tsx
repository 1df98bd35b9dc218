import { useSignal } from "@preact/signals";
import { useLocation } from "preact-iso";
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";

import { MINUTE_MS } from "../../../../lib/base/clock.ts";
import { call, type Problem, type Result } from "../../api.ts";
import { Button, ButtonLink } from "../../components/button.tsx";
import { Code } from "../../components/copy.tsx";
import { Loaded, Notice, Refusal } from "../../components/feedback.tsx";
import { bound, CheckField, TextField } from "../../components/field.tsx";
import { useAttempt, type Attempt } from "../../components/form.tsx";
import { Card } from "../../components/page.tsx";
import { SignedOutPage } from "../../signed-out-page.tsx";
import type { PasskeyFault, PasskeyJson } from "../../passkeys.ts";
import { me, signedIn, type Me } from "../../state/me.ts";
import { useResource } from "../../state/resource.ts";
import { typed } from "../../words/typed.ts";
import { words } from "../../words/words.ts";
import { afterSignIn } from "./after-sign-in.ts";
import { RequestReset } from "./request-reset.tsx";

/** Signs the user in, then opens the page that they asked for. */
export function SignIn(): JSX.Element {
  const { query, route } = useLocation();
  const state = useResource("sign-in", () => call("GET /sign-in"));
  const who = me.value;
  const { to } = query;
  const { signIn } = words();
  useEffect(() => {
    if (who !== undefined && who !== null) route(afterSignIn(to, location.origin), true);
  }, [who, to]);
  return (
    <SignedOutPage title={signIn.title}>
      <Loaded resource={state} lines={8}>
        {({ setUp, allowed, passkeys, mail }) => {
          if (!allowed) return <UnsafeConnection />;
          if (setUp) return <Ways passkeys={passkeys} mail={mail} />;
          return (
            <Message title={signIn.nobody.title}>
              <p>{signIn.nobody.text}</p>
              <Code text={typed("petstore setup-link")} what={signIn.command} />
            </Message>
          );
        }}
      </Loaded>
    </SignedOutPage>
  );
}

function UnsafeConnection(): JSX.Element {
  const { unsafe } = words().signIn;
  return (
    <Message title={unsafe.title}>
      <p>{unsafe.text}</p>
      <p>
        <ButtonLink look="primary" href={`https://${location.hostname}/sign-in`}>
          {unsafe.secure}
        </ButtonLink>
      </p>
      <p class="soft small">{unsafe.operator}</p>
    </Message>
  );
}

function Message({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <>
      <h1>{title}</h1>
      <Card>{children}</Card>
    </>
  );
}

function Ways({
  passkeys,
  mail,
}: {
  readonly passkeys: boolean;
  readonly mail: boolean;
}): JSX.Element {
  const asked = useSignal(false);
  const offered = passkeys && "PublicKeyCredential" in window;
  const passkey = usePasskeySignIn(offered);
  const { signIn } = words();
  return (
    <>
      <Message title={signIn.title}>
        <PasswordForm />
        {offered && (
          <>
            <p class="between">
              <span>{signIn.or}</span>
            </p>
            <Button busy={passkey.busy} onClick={passkey.begin}>
              {signIn.passkey}
            </Button>
            <Refusal problem={passkey.problem} />
          </>
        )}
      </Message>
      <details
        onToggle={(event) => {
          asked.value = event.currentTarget.open;
        }}
      >
        <summary>{signIn.forgotten}</summary>
        {mail ? (
          asked.value && <RequestReset />
        ) : (
          <div class="stack tight">
            <p>{signIn.forgottenText}</p>
            <p>{signIn.forgottenOperator}</p>
            <Code
              text={typed("petstore members reset-link ada@example.org")}
              what={signIn.command}
            />
          </div>
        )}
      </details>
    </>
  );
}

function PasswordForm(): JSX.Element {
  const email = useSignal("");
  const password = useSignal("");
  const shown = useSignal(false);
  const { busy, problem, run } = useAttempt();
  const { signIn } = words();
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        const credentials = { email: email.value, password: password.value };
        void run(() => call("POST /sessions", { body: credentials }), signedIn);
      }}
    >
      <TextField
        label={signIn.email}
        type="email"
        autocomplete="username webauthn"
        required
        autofocus
        {...bound(email)}
      />
      <TextField
        label={signIn.password}
        type={shown.value ? "text" : "password"}
        autocomplete="current-password"
        required
        {...bound(password)}
      />
      <CheckField label={signIn.show} {...bound(shown)} />
      {problem?.code === "invalid_credentials" ? (
        <Notice tone="bad" live="alert">
          <p>{signIn.wrong}</p>
        </Notice>
      ) : (
        <Refusal problem={problem} />
      )}
      <Button type="submit" look="primary" busy={busy}>
        {signIn.action}
      </Button>
    </form>
  );
}

/** Challenges expire after five minutes: before that we offer a new one. */
const RENEW_MS: number = 4 * MINUTE_MS;

type Failure = Problem | PasskeyFault;

/**
 * Signs in with a passkey when the user presses the button or, while `offered`, selects one in the email field if the
 * browser supports that.
 */
function usePasskeySignIn(
  offered: boolean,
): Omit<Attempt<Failure>, "run"> & { readonly begin: () => void } {
  const { busy, problem, run } = useAttempt<Failure>();
  const isBusy = useRef(busy);
  isBusy.current = busy;

  useEffect(() => {
    if (!offered) return undefined;
    let left = false;
    const offer = async (): Promise<void> => {
      const { supportsAutofill } = await import("../../passkeys.ts");
      if (left || isBusy.current || !(await supportsAutofill())) return;
      const proof = await provePasskeyHere(true);
      // The user did not ask for this: a failure before they selected a passkey is none of their concern.
      if (proof.ok) await run(() => signInBy(proof.value), signedIn);
    };
    void offer();
    const timer = window.setInterval(() => void offer(), RENEW_MS);
    return () => {
      left = true;
      window.clearInterval(timer);
      void import("../../passkeys.ts").then(({ cancelPasskey }) => cancelPasskey());
    };
  }, [offered]);

  const begin = (): void =>
    void run(async () => {
      const proof = await provePasskeyHere(false);
      return proof.ok ? signInBy(proof.value) : proof;
    }, signedIn);
  return { busy, problem, begin };
}

async function provePasskeyHere(inField: boolean): Promise<Result<PasskeyJson, Failure>> {
  const { provePasskey } = await import("../../passkeys.ts");
  const begun = await call("POST /sessions/passkey/options");
  return begun.ok ? provePasskey(begun.value, inField) : begun;
}

function signInBy(response: PasskeyJson): Promise<Result<Me, Problem>> {
  return call("POST /sessions/passkey", { body: { response } });
}
