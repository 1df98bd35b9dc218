import { writeAccount } from "../account-view.ts";
import { command } from "../command.ts";
import { accountOperand } from "../fields.ts";
import { withInstallation } from "../installation.ts";
import { must } from "../problem-failure.ts";
import { installationFlags } from "../serve-flags.ts";

export const accountsResume = command({
  path: "accounts resume",
  summary: "Let the keys of a suspended account work again",
  operands: { account: accountOperand },
  flags: installationFlags,
  examples: ["accounts resume acc_7Gk2mQ9xYt4B"],
  run: async ({ flags, operands, context }) => {
    const changed = await withInstallation(flags, context, (client) =>
      client.accounts.resume(operands.account),
    );
    await writeAccount(context.terminal, must(changed), flags.json);
    return "done";
  },
});
