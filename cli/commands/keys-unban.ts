import { command } from "../command.ts";
import { keyOperand } from "../fields.ts";
import { withClient } from "../client.ts";
import { writeKey } from "../key-view.ts";
import { must } from "../../settings/failure.ts";
import { clientFlags } from "../serve-flags.ts";

export const keysUnban = command({
  path: "keys unban",
  summary: "Lift the ban of a key; a next one is longer all the same",
  operands: { key: keyOperand },
  flags: clientFlags,
  examples: ["keys unban 4fGq8Zt1Lm"],
  run: async ({ flags, operands, context }) => {
    const lifted = await withClient(flags, context, (client) => client.keys.unban(operands.key));
    await writeKey(context.terminal, must(lifted), flags.json);
    return "done";
  },
});
