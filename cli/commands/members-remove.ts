import { command } from "../command.ts";
import { confirm, yesFlag } from "../confirm.ts";
import { accountOfMember, emailOperand, memberNamed } from "../member-fields.ts";
import { writeMemberJson } from "../member-view.ts";
import { must } from "../../settings/failure.ts";
import { clientFlags } from "../serve-flags.ts";
import { withClient } from "../client.ts";

export const membersRemove = command({
  path: "members remove",
  summary: "Let somebody sign in no more, and end their sessions within a second",
  operands: { email: emailOperand },
  flags: { account: accountOfMember, yes: yesFlag, ...clientFlags },
  examples: ["members remove grace@shelter.org --yes"],
  run: async ({ flags, operands, context }) => {
    const { terminal } = context;
    const question = `Remove ${operands.email}? They cannot sign in any more.`;
    await confirm(terminal, question, flags.yes);
    const { id, email } = await withClient(flags, context, async (client) => {
      const member = await memberNamed(client, operands.email, flags.account);
      must(await client.members.remove(member.id, member.accountId));
      return member;
    });
    if (flags.json) await writeMemberJson(terminal, { id, email });
    else terminal.err(`${email} is removed.\n`);
    return "done";
  },
});
