import { command } from "../command.ts";
import { accountOfMembers } from "../member-fields.ts";
import { writeMemberJson, writeMembers } from "../member-view.ts";
import { must } from "../../settings/failure.ts";
import { clientFlags } from "../serve-flags.ts";
import { withClient } from "../client.ts";

export const membersList = command({
  path: "members list",
  summary: "Show who can sign in: the operators, or the people of an account",
  operands: {},
  flags: { account: accountOfMembers, ...clientFlags },
  examples: ["members list", "members list --account acc_7Gk2mQ9xYt4B"],
  run: async ({ flags, context }) => {
    const { terminal } = context;
    const listed = await withClient(flags, context, (client) => client.members.list(flags.account));
    const members = must(listed);
    if (flags.json) await writeMemberJson(terminal, members);
    else if (members.length > 0) await writeMembers(terminal, members);
    else terminal.err("There is nobody.\n");
    return "done";
  },
});
