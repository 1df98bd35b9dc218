import { toWire } from "../../lib/management/index.ts";
import { command } from "../command.ts";
import { confirm, yesFlag } from "../confirm.ts";
import { writeJson } from "../output.ts";
import { must } from "../../settings/failure.ts";
import { clientFlags } from "../serve-flags.ts";
import { accountOfTokens } from "../token-fields.ts";
import { writeTokens } from "../token-view.ts";
import { withClient } from "../client.ts";

export const tokensRevoke = command({
  path: "tokens revoke",
  summary: "End a management token for good, within a second",
  operands: {
    token: {
      placeholder: "TOKEN",
      help: "Id of the token, as `tokens list` shows it; not the token itself.",
    },
  },
  flags: { account: accountOfTokens, yes: yesFlag, ...clientFlags },
  examples: [
    "tokens revoke 4fGq8Zt1Lm",
    "tokens revoke 4fGq8Zt1Lm --account acc_7Gk2mQ9xYt4B --yes",
  ],
  run: async ({ flags, operands, context }) => {
    const { terminal } = context;
    const question = `Revoke the token ${operands.token}? Whoever uses it is refused.`;
    await confirm(terminal, question, flags.yes);
    const ended = must(
      await withClient(flags, context, (client) =>
        client.tokens.revoke(operands.token, flags.account),
      ),
    );
    if (flags.json) await writeJson(terminal, toWire(ended));
    else await writeTokens(terminal, [ended]);
    return "done";
  },
});
