import { toWire } from "../../lib/management/index.ts";
import { command } from "../command.ts";
import { writeJson } from "../output.ts";
import { must } from "../../settings/failure.ts";
import { clientFlags } from "../serve-flags.ts";
import { accountOfTokens } from "../token-fields.ts";
import { writeTokens } from "../token-view.ts";
import { withClient } from "../client.ts";

export const tokensList = command({
  path: "tokens list",
  summary: "Show the management tokens, newest first",
  operands: {},
  flags: { account: accountOfTokens, ...clientFlags },
  examples: ["tokens list", "tokens list --account acc_7Gk2mQ9xYt4B"],
  run: async ({ flags, context }) => {
    const { terminal } = context;
    const listed = await withClient(flags, context, (client) => client.tokens.list(flags.account));
    const tokens = must(listed);
    if (flags.json) await writeJson(terminal, toWire(tokens));
    else if (tokens.length > 0) await writeTokens(terminal, tokens);
    else terminal.err("There is no token.\n");
    return "done";
  },
});
