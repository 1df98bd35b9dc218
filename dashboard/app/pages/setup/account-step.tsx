import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";

import { call, type Problem } from "../../api.ts";
import { Button, ButtonLink } from "../../components/button.tsx";
import { Code } from "../../components/copy.tsx";
import { Loaded, Refusal } from "../../components/feedback.tsx";
import { bound, TextField } from "../../components/field.tsx";
import { useAttempt } from "../../components/form.tsx";
import { Card } from "../../components/page.tsx";
import { signedIn } from "../../state/me.ts";
import { type Resource, useResource } from "../../state/resource.ts";
import { time } from "../../words/format.ts";
import { setupWords } from "../../words/late.tsx";
import { isGood, namesOf, NewPasswordField } from "../profile/new-password-field.tsx";
import { StepHead } from "./steps.tsx";

/** Creates the first operator. */
export function AccountStep({
  token,
  onDone,
}: {
  readonly token: string;
  readonly onDone: () => void;
}): JSX.Element {
  const link = useLinkState(token);
  const spent = useSignal(false);
  const { account } = setupWords.words();
  return (
    <Loaded resource={link} lines={8}>
      {(state) => {
        if (state.kind === "unsafe") return <Unsafe token={token} />;
        if (state.kind !== "good" || spent.value) {
          return <LinkGone missing={state.kind === "missing"} />;
        }
        return (
          <>
            <StepHead title={account.title}>
              {account.about} {account.goodFor(time(state.expiresAt))}
            </StepHead>
            <Card>
              <AccountForm token={token} onSpent={() => (spent.value = true)} onDone={onDone} />
            </Card>
          </>
        );
      }}
    </Loaded>
  );
}

/** Creates the operator and signs in. */
function AccountForm({
  token,
  onSpent,
  onDone,
}: {
  readonly token: string;
  /** The setup link is no longer valid. */
  readonly onSpent: () => void;
  readonly onDone: () => void;
}): JSX.Element {
  const email = useSignal("");
  const name = useSignal("");
  const password = useSignal("");
  const pressed = useSignal(false);
  const { busy, problem, run } = useAttempt();
  const { account } = setupWords.words();
  const faults = faultsOf(problem);
  const names = namesOf({ email: email.value, name: name.value });
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    form.current?.querySelector("input")?.focus();
  }, []);

  const submit = async (): Promise<void> => {
    pressed.value = true;
    if (!isGood(password.value, names)) return;
    const someone = { email: email.value, name: name.value, password: password.value };
    await run(
      async () => {
        const made = await call("POST /setup/member", { body: { token, ...someone } });
        if (!made.ok && made.failure.code === "invalid_setup_token") onSpent();
        return made;
      },
      (who) => {
        signedIn(who);
        onDone();
      },
    );
  };

  return (
    <form
      ref={form}
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <TextField
        label={account.email}
        hint={account.emailHint}
        fault={faults.email}
        type="email"
        autocomplete="username"
        required

        {...bound(email)}
      />
      <TextField
        label={account.name}
        hint={account.nameHint}
        autocomplete="name"
        maxLength={120}

        {...bound(name)}
      />
      <NewPasswordField
        label={account.password}

        names={names}
        pressed={pressed.value}
        {...bound(password)}
      />
      <Refusal problem={faults.other} />
      <div class="row">
        <Button look="primary" type="submit" busy={busy}>
          {account.action}
        </Button>
      </div>
    </form>
  );
}

interface Faults {
  readonly email?: string;
  readonly other?: Problem;
}

/** Assigns a refusal to the field it is about. */
function faultsOf(problem: Problem | undefined): Faults {
  const { account } = setupWords.words();
  if (problem === undefined) return {};
  const { code } = problem;
  if (code === "member_exists") return { email: account.exists };
  return code === "invalid_value" ? { email: account.emailBad } : { other: problem };
}

/** The link is missing or no longer valid: shows how to create another one. */
function LinkGone({ missing }: { readonly missing: boolean }): JSX.Element {
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

/** A password would not be safe here: shows how to get a token instead. */
function Unsafe({ token }: { readonly token: string }): JSX.Element {
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

/** The state of the setup link and of the connection. */
type LinkState =
  | { readonly kind: "good"; readonly expiresAt: number }
  /** The address has no token. */
  | { readonly kind: "missing" }
  /** Used, expired, mistyped or replaced by a newer one. */
  | { readonly kind: "bad" }
  /** A password would cross the network unencrypted. */
  | { readonly kind: "unsafe" };

/** Checks the link before the user types anything. */
function useLinkState(token: string): Resource<LinkState> {
  return useResource<LinkState>(token, async () => {
    const door = await call("GET /sign-in");
    if (!door.ok) return door;
    if (!door.value.allowed) return done({ kind: "unsafe" });
    if (token === "") return done({ kind: "missing" });
    const link = await call("POST /setup/check", { body: { token } });
    if (link.ok) return done({ kind: "good", expiresAt: link.value.expiresAt });
    return isBad(link.failure) ? done({ kind: "bad" }) : link;
  });
}

/** The link itself is refused. */
function isBad({ code }: Problem): boolean {
  return code === "invalid_setup_token" || code === "invalid_value";
}

function done(value: LinkState): { readonly ok: true; readonly value: LinkState } {
  return { ok: true, value };
}
