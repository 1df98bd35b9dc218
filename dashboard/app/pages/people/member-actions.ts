import type { MemberView, ResetLinkView } from "../../../../lib/management/member-view.ts";
import { at, send } from "../../api.ts";
import { confirm } from "../../components/dialog.tsx";
import { toast } from "../../components/toasts.tsx";
import { administrationWords } from "../../words/late.tsx";
import { said } from "../../words/words.ts";

/** What somebody is called. */
export function nameOf({ name, email }: Pick<MemberView, "name" | "email">): string {
  return name === "" ? email : name;
}

/** Asks, and makes the one link by which a member chooses another password. */
export async function renewLink(
  path: string,
  member: MemberView,
  handOver: (member: MemberView, link: ResetLinkView) => void,
): Promise<void> {
  const { people } = administrationWords.words();
  const sure = await confirm({
    title: people.resetTitle(nameOf(member)),
    text: people.resetText,
    action: people.resetLink,
  });
  if (!sure) return;
  const link = await send<ResetLinkView>("POST", path + at`/${member.id}/reset-link`);
  if (link.ok) handOver(member, link.value);
  else toast(said(link.failure));
}

/** Asks, and removes a member. */
export async function removeMember(path: string, member: MemberView): Promise<void> {
  const { people } = administrationWords.words();
  const sure = await confirm({
    title: people.removeTitle(nameOf(member)),
    text: people.removeText,
    action: people.remove,
    look: "danger",
  });
  if (!sure) return;
  const gone = await send("DELETE", path + at`/${member.id}`);
  toast(gone.ok ? people.removed(nameOf(member)) : said(gone.failure));
}
