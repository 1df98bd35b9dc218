import { useSignal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";

import { done } from "../../../../lib/base/result.ts";
import { call } from "../../api.ts";
import { Button, ButtonLink } from "../../components/button.tsx";
import { Code } from "../../components/copy.tsx";
import { Loaded, Refusal } from "../../components/feedback.tsx";
import { bound, TextField } from "../../components/field.tsx";
import { useAttempt } from "../../components/form.tsx";
import { useUnsaved } from "../../components/unsaved.ts";
import { Card } from "../../components/page.tsx";
import { signedIn } from "../../state/me.ts";
import { type Resource, useResource } from "../../state/resource.ts";
import { dateTime } from "../../words/format.ts";
import { setupWords } from "./words.ts";
import { typed } from "../../words/typed.ts";
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
  const { account, unsafe, noLink, usedLink, signIn } = setupWords.words();
  return (
    <Loaded resource={link} lines={8}>
      {(state) => {
        if (state.kind === "unsafe") {
          const claim = typed("petstore tokens claim --token-file ./petstore-token --setup-link ");
          const address = token === "" ? "…" : `${location.origin}/setup#${token}`;
          return <CommandStep text={unsafe} command={`${claim}'${address}'`} />;
        }
        if (state.kind !== "good" || spent.value) {
          return (
            <CommandStep
              text={state.kind === "missing" ? noLink : usedLink}
              command={typed("petstore setup-link")}
            >
              <p>
                <ButtonLink href="/sign-in">{signIn}</ButtonLink>
              </p>
            </CommandStep>
          );
        }
        return (
          <>
            <StepHead title={account.title}>
              {account.about} {account.goodFor(dateTime(state.expiresAt))}
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
  useUnsaved(email.value !== "" || name.value !== "" || password.value !== "");
  const { account } = setupWords.words();
  const faults: Readonly<Partial<Record<string, string>>> = {
    member_exists: account.exists,
    invalid_value: account.emailBad,
  };
  const emailFault = problem && faults[problem.code];
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
        fault={emailFault}
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
      <Refusal problem={emailFault === undefined ? problem : undefined} />
      <div class="row">
        <Button look="primary" type="submit" busy={busy}>
          {account.action}
        </Button>
      </div>
    </form>
  );
}

/** Shows a command that helps when the account cannot be created here. */
function CommandStep({
  text: { title, about, how, what },
  command,
  children,
}: {
  readonly text: Readonly<Record<"title" | "about" | "how" | "what", string>>;
  readonly command: string;
  readonly children?: ComponentChildren;
}): JSX.Element {
  return (
    <>
      <StepHead title={title}>{about}</StepHead>
      <Card>
        <p>{how}</p>
        <Code text={command} what={what} />
        {children}
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
  return useResource(token, async () => {
    const ways = await call("GET /sign-in");
    if (!ways.ok) return ways;
    if (!ways.value.allowed) return done<LinkState>({ kind: "unsafe" });
    if (token === "") return done<LinkState>({ kind: "missing" });
    const link = await call("POST /setup/check", { body: { token } });
    if (link.ok) return done<LinkState>({ kind: "good", expiresAt: link.value.expiresAt });
    const { code } = link.failure;
    return code === "invalid_setup_token" || code === "invalid_value"
      ? done<LinkState>({ kind: "bad" })
      : link;
  });
}
