import { accountJson, writeAccounts } from "../account-view.ts";
import { command } from "../command.ts";
import { withClient } from "../client.ts";
import { writeJson } from "../output.ts";
import { must } from "../../settings/failure.ts";
import { clientFlags } from "../serve-flags.ts";

export const accountsList = command({
  path: "accounts list",
  summary: "Show all accounts, oldest first",
  operands: {},
  flags: clientFlags,
  examples: ["accounts list", "accounts list --json"],
  run: async ({ flags, context }) => {
    const { terminal } = context;
    const accounts = must(await withClient(flags, context, (client) => client.accounts.list()));
    if (flags.json) await writeJson(terminal, accounts.map(accountJson));
    else if (accounts.length > 0) await writeAccounts(terminal, accounts);
    else terminal.err(`There is no account. Make one: ${context.program} accounts create NAME\n`);
    return "done";
  },
});
