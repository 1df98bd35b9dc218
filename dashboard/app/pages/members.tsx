import { useSignal, type Signal } from "@preact/signals";
import type { FunctionComponent, JSX } from "preact";

import type { MemberView, ResetLinkView } from "../../../lib/members/schemas.ts";
import { accountRoles, type AccountRole } from "../../../lib/accounts/principal.ts";
import { call, listAll, type Output, type Problem, type Result } from "../api.ts";
import { Button } from "../components/button.tsx";
import { RadioField } from "../components/choice.tsx";
import { Code, ShownOnce } from "../components/copy.tsx";
import { confirm, Dialog } from "../components/dialog.tsx";
import { Empty, Loaded } from "../components/feedback.tsx";
import { bound, TextField } from "../components/field.tsx";
import { actIfSure, FormDialog } from "../components/form.tsx";
import { Icon } from "../components/icon.tsx";
import { Badge, LastTime } from "../components/indicators.tsx";
import { Menu, type MenuItem } from "../components/menu.tsx";
import { Card, Page } from "../components/page.tsx";
import { Table } from "../components/table.tsx";
import { toast } from "../components/toasts.tsx";
import { inAccount } from "../state/in-account.tsx";
import { isOperator, mayOwn, me } from "../state/me.ts";
import { useResource } from "../state/resource.ts";
import { date, language } from "../words/format.ts";
import { administrationWords } from "../words/late.tsx";
import { problemText, words } from "../words/words.ts";

/** The people who can sign in to an account. */
export const People: FunctionComponent<{ readonly account: string }> = inAccount(
  administrationWords.within(({ account }) => {
    const { people } = administrationWords.words();
    const adding = useSignal(false);
    return (
      <Page
        title={people.title}
        about={people.about(account.name)}
        actions={
          mayOwn.value && (
            <Button look="primary" onClick={() => (adding.value = true)}>
              <Icon name="plus" />
              {people.add}
            </Button>
          )
        }
      >
        <MembersCard accountId={account.id} adding={adding} />
      </Page>
    );
  }),
);

type Open =
  | { readonly kind: "role"; readonly member: MemberView }
  | {
      readonly kind: "link";
      readonly member: MemberView;
      readonly link: ResetLinkView;
      readonly mailed: boolean;
    };

/** The members of an account, or the operators, and how to manage them. */
export function MembersCard({
  accountId,
  adding,
}: {
  readonly accountId?: string;
  /** Whether the dialog that adds a member is open, if the page has the button for it. */
  readonly adding?: Signal<boolean>;
}): JSX.Element {
  const { people } = administrationWords.words();
  const calls = callsFor(accountId);
  const members = useResource(accountId ?? "", calls.list);
  const open = useSignal<Open | undefined>(undefined);
  const own = useSignal(false);
  const isAdding = adding ?? own;
  const mayManage = accountId === undefined ? isOperator.value : mayOwn.value;
  const close = (): void => {
    open.value = undefined;
    isAdding.value = false;
  };
  const showLink = (member: MemberView, link: ResetLinkView, mailed = false): void => {
    isAdding.value = false;
    open.value = { kind: "link", member, link, mailed };
    void members.reload();
  };
  const renewLink = async (member: MemberView): Promise<void> => {
    if (!(await confirm(people.newLink, nameOf(member)))) return;
    const link = await calls.renewLink(member.id);
    if (link.ok) showLink(member, link.value, link.value.mailed);
    else toast(problemText(link.failure));
  };
  const remove = async (member: MemberView): Promise<void> => {
    const send = () => calls.remove(member.id);
    await actIfSure(people.remove, nameOf(member), send, { look: "danger" });
    await members.reload();
  };
  const menuOf = (member: MemberView): readonly MenuItem[] => [
    ...(accountId === undefined
      ? []
      : [{ label: people.changeRole, onClick: () => (open.value = { kind: "role", member }) }]),
    { label: people.newLink.action, onClick: () => void renewLink(member) },
    { label: people.remove.action, danger: true, onClick: () => void remove(member) },
  ];
  const shown = open.value;
  return (
    <Card
      bare
      title={accountId === undefined ? people.operators : people.count(members.value?.length ?? 0)}
      actions={
        adding === undefined &&
        mayManage && (
          <Button small onClick={() => (isAdding.value = true)}>
            {people.addOperator}
          </Button>
        )
      }
    >
      {accountId === undefined && <p class="inside soft">{people.aboutOperators}</p>}
      <Loaded resource={members}>
        {(all) =>
          all.length === 0 ? (
            <Empty title={people.empty}>
              {people.emptyText[accountId === undefined ? "operators" : "account"]}
            </Empty>
          ) : (
            <MemberTable members={all} menuOf={mayManage ? menuOf : () => []} />
          )
        }
      </Loaded>
      {isAdding.value && <AddMember accountId={accountId} onAdded={showLink} onClose={close} />}
      {shown?.kind === "role" && accountId !== undefined && (
        <ChangeRole
          accountId={accountId}
          member={shown.member}
          onChanged={() => {
            close();
            void members.reload();
          }}
          onClose={close}
        />
      )}
      {shown?.kind === "link" && shown.mailed && (
        <Invited member={shown.member} link={shown.link} onDone={close} />
      )}
      {shown?.kind === "link" && !shown.mailed && (
        <ShownOnce
          title={people.link.title(nameOf(shown.member))}
          about={people.link.once(shown.link.expiresAt)}
          secret={shown.link.url}
          what={people.link.what}
          isLink
          onDone={close}
        />
      )}
    </Card>
  );
}

/** Says that the link was also sent by mail, so that nobody has to copy it. */
function Invited({
  member,
  link,
  onDone,
}: {
  readonly member: MemberView;
  readonly link: ResetLinkView;
  readonly onDone: () => void;
}): JSX.Element {
  const texts = administrationWords.words().people.link;
  const { common } = words();
  return (
    <Dialog
      title={texts.mailedTitle}
      action={common.done}
      stays
      wide
      onSubmit={onDone}
      onClose={onDone}
    >
      <p>{texts.mailed(member.email, link.expiresAt)}</p>
      <Code text={link.url} what={texts.what} />
      <p class="soft small">{texts.same}</p>
    </Dialog>
  );
}

/** The operations on the members of an account, or on the operators. */
function callsFor(accountId: string | undefined) {
  return accountId === undefined
    ? {
        list: () => listAll("GET /members"),
        renewLink: (member: string) => call("POST /members/:member/reset-link", { member }),
        remove: (member: string) => call("DELETE /members/:member", { member }),
      }
    : {
        list: () => listAll("GET /accounts/:account/members", { account: accountId }),
        renewLink: (member: string) =>
          call("POST /accounts/:account/members/:member/reset-link", {
            account: accountId,
            member,
          }),
        remove: (member: string) =>
          call("DELETE /accounts/:account/members/:member", { account: accountId, member }),
      };
}

function nameOf({ name, email }: MemberView): string {
  return name === "" ? email : name;
}

/** Nobody can change or remove their own membership here. */
function MemberTable({
  members,
  menuOf,
}: {
  readonly members: readonly MemberView[];
  readonly menuOf: (member: MemberView) => readonly MenuItem[];
}): JSX.Element {
  const { people } = administrationWords.words();
  const { common } = words();
  const { columns } = people;
  return (
    <Table
      label={people.title}
      columns={[
        { name: columns.person, cell: "lead" },
        columns.role,
        columns.lastSeen,
        columns.status,
        { name: columns.actions, cell: "end corner" },
      ]}
      rows={members.map((member) => {
        const { id, email, role, lastSeenAt, createdAt, status, passkeys } = member;
        const own = me.value?.member?.id === id;
        const items = own ? [] : menuOf(member);
        return {
          key: id,
          cells: [
            <div>
              <strong>{nameOf(member)}</strong> {own && <Badge tone="accent">{people.you}</Badge>}
              {member.name !== "" && <div class="soft small">{email}</div>}
            </div>,
            common.roles[role],
            <div>
              <LastTime at={lastSeenAt} />
              <div class="soft small">{people.added(date(createdAt))}</div>
            </div>,
            <div>
              <Badge tone={status === "active" ? "good" : "warn"}>{people.statuses[status]}</Badge>
              {passkeys > 0 && <div class="soft small">{people.withPasskey}</div>}
            </div>,
            items.length > 0 && <Menu label={common.more(nameOf(member))} items={items} />,
          ],
        };
      })}
    />
  );
}

function AddMember({
  accountId,
  onAdded,
  onClose,
}: {
  /** Without an account, the new member is an operator. */
  readonly accountId: string | undefined;
  readonly onAdded: (member: MemberView, link: ResetLinkView, mailed: boolean) => void;
  readonly onClose: () => void;
}): JSX.Element {
  const { form } = administrationWords.words().people;
  const mails = useResource("sign-in", () => call("GET /sign-in")).value?.mail === true;
  const email = useSignal("");
  const name = useSignal("");
  const role = useSignal<AccountRole>("staff");
  const add = (): Promise<Result<Output<"POST /members">, Problem>> => {
    const body = { email: email.value.trim(), name: name.value.trim(), language: language() };
    return accountId === undefined
      ? call("POST /members", { body })
      : call("POST /accounts/:account/members", {
          account: accountId,
          body: { ...body, role: role.value },
        });
  };
  return (
    <FormDialog
      title={accountId === undefined ? form.titleOperator : form.title}
      action={mails ? form.addMailed : form.add}
      send={add}
      onDone={({ member, link, mailed }) => onAdded(member, link, mailed)}
      onClose={onClose}
    >
      <TextField
        label={form.email}
        hint={mails ? form.mailedHint : form.emailHint}
        type="email"
        required
        autofocus
        {...bound(email)}
      />
      <TextField label={form.name} maxLength={120} {...bound(name)} />
      {accountId !== undefined && <RoleField role={role} />}
    </FormDialog>
  );
}

function ChangeRole({
  accountId,
  member,
  onChanged,
  onClose,
}: {
  readonly accountId: string;
  readonly member: MemberView;
  readonly onChanged: () => void;
  readonly onClose: () => void;
}): JSX.Element {
  const { people } = administrationWords.words();
  const { common } = words();
  const role = useSignal(accountRoles.find((one) => one === member.role) ?? "viewer");
  return (
    <FormDialog
      title={people.roleOf(nameOf(member))}
      action={people.changeRole}
      send={() =>
        call("PATCH /accounts/:account/members/:member", {
          account: accountId,
          member: member.id,
          body: { role: role.value },
        })
      }
      onDone={() => {
        toast(people.roleChanged(nameOf(member), common.roles[role.value]));
        onChanged();
      }}
      onClose={onClose}
    >
      <RoleField role={role} />
    </FormDialog>
  );
}

function RoleField({ role }: { readonly role: Signal<AccountRole> }): JSX.Element {
  const { people } = administrationWords.words();
  const { common } = words();
  return (
    <RadioField
      label={people.form.role}
      options={accountRoles.map((value) => ({
        value,
        label: common.roles[value],
        hint: people.roleHints[value],
      }))}
      {...bound(role)}
    />
  );
}
