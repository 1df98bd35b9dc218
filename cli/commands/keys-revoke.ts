import { command } from "../command.ts";
import { confirm, yesFlag } from "../confirm.ts";
import { keyOperand } from "../fields.ts";
import { withClient } from "../client.ts";
import { writeKey } from "../key-view.ts";
import { must } from "../../settings/failure.ts";
import { clientFlags } from "../serve-flags.ts";

export const keysRevoke = command({
  path: "keys revoke",
  summary: "End a key for good, within a second",
  operands: { key: keyOperand },
  flags: { yes: yesFlag, ...clientFlags },
  examples: ["keys revoke 4fGq8Zt1Lm", "keys revoke 4fGq8Zt1Lm --yes"],
  run: async ({ flags, operands, context }) => {
    const { terminal } = context;
    await confirm(
      terminal,
      `Revoke the key ${operands.key}? Whoever uses it is refused.`,
      flags.yes,
    );
    const revoked = await withClient(flags, context, (client) => client.keys.revoke(operands.key));
    await writeKey(terminal, must(revoked), flags.json);
    return "done";
  },
});
