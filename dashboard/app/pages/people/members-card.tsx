import { useSignal, type Signal } from "@preact/signals";
import type { JSX } from "preact";

import type { MemberView, ResetLinkView } from "../../../../lib/management/member-view.ts";
import { at, getAll } from "../../api.ts";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/page.tsx";
import { Empty, Loaded } from "../../components/feedback.tsx";
import { ShownOnce } from "../../components/copy.tsx";
import { isOperator, mayOwn } from "../../state/me.ts";
import { useResource } from "../../state/resource.ts";
import { administrationWords } from "../../words/late.tsx";
import { AddMember } from "./add-member.tsx";
import { ChangeRole } from "./change-role.tsx";
import { MemberTable } from "./member-table.tsx";
import { nameOf, removeMember, renewLink } from "./member-actions.ts";

type Open =
  | { readonly kind: "role"; readonly member: MemberView }
  | { readonly kind: "link"; readonly member: MemberView; readonly link: ResetLinkView };

/** The people of an account, or without one the operators, and what can be done about them. */
export function MembersCard({
  accountId,
  adding,
}: {
  readonly accountId?: string;
  /** Whether somebody is being added, where the page has the button for it. */
  readonly adding?: Signal<boolean>;
}): JSX.Element {
  const { people } = administrationWords.words();
  const path = accountId === undefined ? "/members" : at`/accounts/${accountId}/members`;
  const members = useResource(path, () => getAll<MemberView>(path));
  const open = useSignal<Open | undefined>(undefined);
  const own = useSignal(false);
  const isAdding = adding ?? own;
  const mayChange = accountId === undefined ? isOperator.value : mayOwn.value;
  const ask = (next: Open | undefined): void => {
    open.value = next;
  };
  const close = (): void => {
    ask(undefined);
    isAdding.value = false;
  };
  const handOver = (member: MemberView, link: ResetLinkView): void => {
    isAdding.value = false;
    ask({ kind: "link", member, link });
    void members.reload();
  };
  const add = adding === undefined && mayChange && (
    <Button small onClick={() => (isAdding.value = true)}>
      {people.addOperator}
    </Button>
  );
  const title =
    accountId === undefined ? people.operators : people.count(members.value?.length ?? 0);
  const shown = open.value;
  return (
    <Card bare title={title} actions={add}>
      {accountId === undefined && <p class="inside soft">{people.aboutOperators}</p>}
      <Loaded resource={members}>
        {(all) =>
          all.length === 0 ? (
            <Empty title={people.empty}>
              {people.emptyText[accountId === undefined ? "operators" : "account"]}
            </Empty>
          ) : (
            <MemberTable
              members={all}
              {...(mayChange && {
                onRemove: (member: MemberView) =>
                  void removeMember(path, member).then(members.reload),
                onRenew: (member: MemberView) => void renewLink(path, member, handOver),
                ...(accountId !== undefined && {
                  onRole: (member: MemberView) => ask({ kind: "role", member }),
                }),
              })}
            />
          )
        }
      </Loaded>
      {isAdding.value && (
        <AddMember
          path={path}
          ofAccount={accountId !== undefined}
          onAdded={handOver}
          onClose={close}
        />
      )}
      {shown?.kind === "role" && (
        <ChangeRole
          path={path}
          member={shown.member}
          onChanged={() => {
            close();
            void members.reload();
          }}
          onClose={close}
        />
      )}
      {shown?.kind === "link" && (
        <ShownOnce
          title={people.link.title(nameOf(shown.member))}
          about={people.link.once(shown.link.expiresAt)}
          secret={shown.link.url}
          what={people.link.what}
          onDone={close}
        />
      )}
    </Card>
  );
}
