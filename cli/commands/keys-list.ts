import { command } from "../command.ts";
import { accountFlag } from "../fields.ts";
import { withClient } from "../client.ts";
import { keyJson, writeKeys } from "../key-view.ts";
import { writeJson } from "../output.ts";
import { must } from "../../settings/failure.ts";
import { clientFlags } from "../serve-flags.ts";

export const keysList = command({
  path: "keys list",
  summary: "Show the keys of an account, newest first",
  operands: {},
  flags: { account: accountFlag, ...clientFlags },
  examples: ["keys list --account acc_7Gk2mQ9xYt4B"],
  run: async ({ flags, context }) => {
    const { terminal } = context;
    const listed = await withClient(flags, context, (client) => client.keys.list(flags.account));
    const keys = must(listed);
    if (flags.json) await writeJson(terminal, keys.map(keyJson));
    else if (keys.length > 0) await writeKeys(terminal, keys);
    else terminal.err("The account has no key.\n");
    return "done";
  },
});
