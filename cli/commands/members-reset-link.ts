import { done } from "../../lib/base/result.ts";
import { command } from "../command.ts";
import { accountOfMember, emailOperand, memberNamed } from "../member-fields.ts";
import { writeMemberJson, writeResetLink } from "../member-view.ts";
import { must } from "../../settings/failure.ts";
import { clientFlags } from "../serve-flags.ts";
import { withClient } from "../client.ts";

export const membersResetLink = command({
  path: "members reset-link",
  summary: "Make a link by which somebody chooses a new password: good once, for a day",
  details:
    "Whoever opens it chooses the password, and all sessions end then. A new link ends the one before.",
  operands: { email: emailOperand },
  flags: { account: accountOfMember, ...clientFlags },
  examples: ["members reset-link ada@example.org"],
  run: async ({ flags, operands, context }) => {
    const { terminal } = context;
    const { member, link } = must(
      await withClient(flags, context, async (client) => {
        const { id, email, accountId } = await memberNamed(client, operands.email, flags.account);
        const made = await client.members.resetLink(id, accountId);
        return made.ok ? done({ member: { id, email }, link: made.value }) : made;
      }),
    );
    if (flags.json) await writeMemberJson(terminal, { ...member, ...link });
    else await writeResetLink(terminal, { email: member.email, link });
    return "done";
  },
});
