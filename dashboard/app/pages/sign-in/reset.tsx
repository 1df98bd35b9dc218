import { useSignal } from "@preact/signals";
import { useLocation } from "preact-iso";
import type { JSX } from "preact";
import { useRef } from "preact/hooks";

import { done, type Result } from "../../../../lib/base/result.ts";
import { call, type Output, type Problem } from "../../api.ts";
import { Button, ButtonLink } from "../../components/button.tsx";
import { Loaded, Refusal } from "../../components/feedback.tsx";
import { bound, Field } from "../../components/field.tsx";
import { useAttempt } from "../../components/form.tsx";
import { Card } from "../../components/page.tsx";
import { toast } from "../../components/toasts.tsx";
import { SignedOutPage } from "../../signed-out-page.tsx";
import { signedIn } from "../../state/me.ts";
import { useResource } from "../../state/resource.ts";
import { dateTime } from "../../words/format.ts";
import { profileWords } from "../../words/late.tsx";
import { isGood, namesOf, NewPasswordField } from "../profile/new-password-field.tsx";

type Link = Output<"POST /reset/check">;

/** Null for a link that does not work. */
async function checkLink(token: string): Promise<Result<Link | null, Problem>> {
  if (token === "") return done(null);
  const checked = await call("POST /reset/check", { body: { token } });
  return !checked.ok && checked.failure.code === "invalid_reset_token" ? done(null) : checked;
}

/** Lets the holder of a link choose a password. */
export const Reset = profileWords.within(() => {
  // The secret stays out of the browser's history: it leaves the address once it is used.
  const token = useRef(location.hash.slice(1)).current;
  const { route } = useLocation();
  const spent = useSignal(false);
  const link = useResource(token, () => checkLink(token));
  const { reset } = profileWords.words();
  const title = link.value?.first === true ? reset.first : reset.again;
  return (
    <SignedOutPage title={title}>
      <Loaded resource={link} lines={8}>
        {(good) => {
          if (good === null || spent.value) return <BadLink missing={token === ""} />;
          const { name, first, expiresAt } = good;
          return (
            <>
              <div class="stack tight">
                <h1>{title}</h1>
                <p class="soft">
                  {first && name !== "" && reset.welcome(name)} {reset.goodFor(dateTime(expiresAt))}{" "}
                  {!first && reset.ends}
                </p>
              </div>
              <Card>
                <ResetForm
                  token={token}
                  link={good}
                  onSpent={() => {
                    spent.value = true;
                  }}
                  onDone={() => {
                    toast(reset.done);
                    route("/", true);
                  }}
                />
              </Card>
            </>
          );
        }}
      </Loaded>
    </SignedOutPage>
  );
});

function BadLink({ missing }: { readonly missing: boolean }): JSX.Element {
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

function ResetForm({
  token,
  link,
  onSpent,
  onDone,
}: {
  readonly token: string;
  readonly link: Link;
  /** The link stopped working meanwhile. */
  readonly onSpent: () => void;
  readonly onDone: () => void;
}): JSX.Element {
  const password = useSignal("");
  const pressed = useSignal(false);
  const { busy, problem, run } = useAttempt();
  const { reset, you } = profileWords.words();
  const names = namesOf(link);
  const submit = (): void => {
    pressed.value = true;
    if (!isGood(password.value, names)) return;
    void run(
      async () => {
        const set = await call("POST /reset", { body: { token, password: password.value } });
        if (!set.ok && set.failure.code === "invalid_reset_token") onSpent();
        return set;
      },
      (who) => {
        history.replaceState(history.state, "", location.pathname);
        signedIn(who);
        onDone();
      },
    );
  };
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Field label={you.email}>
        {(tied) => (
          <input
            class="input"
            {...tied}
            type="email"
            autocomplete="username"
            readOnly
            value={link.email}
          />
        )}
      </Field>
      <NewPasswordField names={names} pressed={pressed.value} autofocus {...bound(password)} />
      <Refusal problem={problem} />
      <Button type="submit" look="primary" busy={busy}>
        {reset.action}
      </Button>
    </form>
  );
}
