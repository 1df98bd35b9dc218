import { useSignal } from "@preact/signals";
import type { JSX } from "preact";

import type { PasskeyView, SessionView } from "../../../../lib/members/schemas.ts";
import { call, listAll } from "../../api.ts";
import { Button } from "../../components/button.tsx";
import { Loaded, Notice, Refusal } from "../../components/feedback.tsx";
import { bound, TextField } from "../../components/field.tsx";
import { act, actIfSure, Form, useAttempt } from "../../components/form.tsx";
import { Badge, LastTime } from "../../components/indicators.tsx";
import { Card, Page } from "../../components/page.tsx";
import { Table } from "../../components/table.tsx";
import { Instant } from "../../components/time.tsx";
import { toast } from "../../components/toasts.tsx";
import { useUnsaved } from "../../components/unsaved.ts";
import { accounts } from "../../state/account.ts";
import { me, signedIn, type Me } from "../../state/me.ts";
import { useResource, type Resource } from "../../state/resource.ts";
import { relative } from "../../words/format.ts";
import { profileWords } from "../../words/late.tsx";
import { words } from "../../words/words.ts";
import { AddPasskey } from "./add-passkey.tsx";
import { browserIn } from "../../../../lib/members/model/browser-in.ts";
import { MailsCard } from "./mails-card.tsx";
import { isGood, namesOf, NewPasswordField } from "./new-password-field.tsx";

type Member = NonNullable<Me["member"]>;

/** The user's name, password, passkeys and sessions. */
export const Profile = profileWords.within(() => {
  const member = me.value?.member;
  return member === undefined ? null : <MemberProfile member={member} />;
});

function MemberProfile({ member }: { readonly member: Member }): JSX.Element {
  const profile = profileWords.words();
  const passkeys = useResource("passkeys", () => listAll("GET /passkeys"));
  const sessions = useResource("sessions", () => listAll("GET /sessions"));
  return (
    <Page title={profile.title} about={profile.about}>
      <div class="stack wide narrow">
        <NameCard member={member} />
        <PasswordCard member={member} onChanged={() => void sessions.reload()} />
        <PasskeysCard passkeys={passkeys} />
        <MailsCard />
        <SessionsCard sessions={sessions} />
      </div>
    </Page>
  );
}

function NameCard({ member }: { readonly member: Member }): JSX.Element {
  const name = useSignal(member.name);
  const { you } = profileWords.words();
  const { common } = words();
  const role = common.roles[me.value?.role ?? "viewer"];
  const account = accounts.value.find(({ id }) => id === me.value?.accountId);
  return (
    <Card title={you.title}>
      <dl class="facts">
        <div>
          <dt>{you.email}</dt>
          <dd>
            {member.email}
            <p class="soft small">{you.emailHint}</p>
          </dd>
        </div>
        <div>
          <dt>{you.role}</dt>
          <dd>{account === undefined ? role : you.roleIn(role, account.name)}</dd>
        </div>
      </dl>
      <Form
        action={you.save}
        disabled={name.value.trim() === member.name}
        send={() => call("PATCH /me", { body: { name: name.value.trim() } })}
        onDone={(who) => {
          signedIn(who);
          toast(you.saved);
        }}
      >
        <TextField
          label={you.name}
          hint={you.nameHint}
          autocomplete="name"
          maxLength={120}
          {...bound(name)}
        />
      </Form>
    </Card>
  );
}

function PasswordCard({
  member,
  onChanged,
}: {
  readonly member: Member;
  /** The password was changed, which ended all other sessions. */
  readonly onChanged: () => void;
}): JSX.Element {
  const current = useSignal("");
  const fresh = useSignal("");
  const pressed = useSignal(false);
  const { busy, problem, run } = useAttempt();
  useUnsaved(current.value !== "" || fresh.value !== "");
  const { password } = profileWords.words();
  const names = namesOf(member);
  const wrong = problem?.code === "invalid_credentials";
  const submit = (): void => {
    pressed.value = true;
    if (!isGood(fresh.value, names)) return;
    const body = { current: current.value, password: fresh.value };
    void run(
      () => call("PUT /me/password", { body }),
      () => {
        current.value = "";
        fresh.value = "";
        pressed.value = false;
        onChanged();
        toast(password.changed);
      },
    );
  };
  return (
    <Card title={password.title}>
      <p class="soft">{password.about}</p>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        {/* Tells password managers whose password this is. */}
        <input type="email" autocomplete="username" hidden readOnly value={member.email} />
        <TextField
          label={password.current}
          fault={wrong ? password.wrong : undefined}
          type="password"
          autocomplete="current-password"
          required
          {...bound(current)}
        />
        <NewPasswordField names={names} pressed={pressed.value} {...bound(fresh)} />
        {!wrong && <Refusal problem={problem} />}
        <div class="row">
          <Button type="submit" busy={busy}>
            {password.action}
          </Button>
        </div>
      </form>
    </Card>
  );
}

function PasskeysCard({
  passkeys: listed,
}: {
  readonly passkeys: Resource<readonly PasskeyView[]>;
}): JSX.Element {
  const signIn = useResource("sign-in", () => call("GET /sign-in"));
  const adding = useSignal(false);
  const { passkeys } = profileWords.words();
  const supported = "PublicKeyCredential" in window;
  const remove = async ({ id, name }: PasskeyView): Promise<void> => {
    const send = () => call("DELETE /passkeys/:passkey", { passkey: id });
    await actIfSure(passkeys.remove, name, send, { look: "danger" });
    await listed.reload();
  };
  return (
    <Card
      title={passkeys.title}
      bare
      actions={
        <Button
          small
          disabled={!supported || signIn.value?.passkeys !== true}
          onClick={() => {
            adding.value = true;
          }}
        >
          {passkeys.add}
        </Button>
      }
    >
      <div class="inside stack">
        <p class="soft">{passkeys.about}</p>
        {!supported && <Notice>{passkeys.unsupported}</Notice>}
        {supported && signIn.value?.passkeys === false && (
          <Notice>{passkeys.here(location.host)}</Notice>
        )}
      </div>
      <Loaded resource={listed} lines={2}>
        {(all) =>
          all.length === 0 ? (
            <p class="inside soft">{passkeys.none}</p>
          ) : (
            <PasskeyTable passkeys={all} onRemove={remove} />
          )
        }
      </Loaded>
      {adding.value && (
        <AddPasskey
          onAdded={({ name }) => {
            adding.value = false;
            toast(passkeys.added(name));
            void listed.reload();
          }}
          onClose={() => {
            adding.value = false;
          }}
        />
      )}
    </Card>
  );
}

function PasskeyTable({
  passkeys: listed,
  onRemove,
}: {
  readonly passkeys: readonly PasskeyView[];
  readonly onRemove: (passkey: PasskeyView) => Promise<void>;
}): JSX.Element {
  const { passkeys } = profileWords.words();
  const { columns } = passkeys;
  return (
    <Table
      label={passkeys.title}
      columns={[
        { name: columns.name, cell: "lead" },
        columns.added,
        columns.used,
        { name: columns.actions, cell: "end" },
      ]}
      rows={listed.map((passkey) => ({
        key: passkey.id,
        cells: [
          <strong>{passkey.name}</strong>,
          <Instant at={passkey.createdAt} />,
          <LastTime at={passkey.lastUsedAt} />,
          <Button
            small
            label={passkeys.removeLabel(passkey.name)}
            onClick={() => void onRemove(passkey)}
          >
            {passkeys.remove.action}
          </Button>,
        ],
      }))}
    />
  );
}

function SessionsCard({
  sessions: listed,
}: {
  readonly sessions: Resource<readonly SessionView[]>;
}): JSX.Element {
  const { sessions } = profileWords.words();
  const { columns } = sessions;
  const others = (listed.value ?? []).filter(({ current }) => !current).length;
  const end = async (session: SessionView): Promise<void> => {
    await act(sessions.ended(nameOf(session)), () =>
      call("DELETE /sessions/:session", { session: session.id }),
    );
    await listed.reload();
  };
  const endOthers = async (): Promise<void> => {
    await actIfSure(sessions.endOthers, String(others), () => call("DELETE /sessions"));
    await listed.reload();
  };
  return (
    <Card
      title={sessions.title}
      bare
      actions={
        others > 0 && (
          <Button small onClick={() => void endOthers()}>
            {sessions.endOthers.action}
          </Button>
        )
      }
    >
      <p class="inside soft">{sessions.about}</p>
      <Loaded resource={listed} lines={3}>
        {(all) => (
          <Table
            label={sessions.title}
            columns={[
              { name: columns.browser, cell: "lead" },
              columns.address,
              columns.seen,
              { name: columns.actions, cell: "end" },
            ]}
            rows={all.map((session) => ({
              key: session.id,
              cells: [
                <div title={session.userAgent}>
                  <strong>{nameOf(session)}</strong>{" "}
                  {session.current && <Badge tone="accent">{sessions.this}</Badge>}
                  <div class="soft small">{sessions.since(relative(session.createdAt))}</div>
                </div>,
                <span class="mono">{session.address}</span>,
                <Instant at={session.lastSeenAt} />,
                !session.current && (
                  <Button
                    small
                    label={sessions.endLabel(nameOf(session))}
                    onClick={() => void end(session)}
                  >
                    {sessions.end}
                  </Button>
                ),
              ],
            }))}
          />
        )}
      </Loaded>
    </Card>
  );
}

function nameOf({ userAgent }: SessionView): string {
  const { browser, system } = browserIn(userAgent);
  const { sessions } = profileWords.words();
  if (browser !== undefined && system !== undefined) return sessions.browserOn(browser, system);
  return browser ?? system ?? sessions.unknown;
}
