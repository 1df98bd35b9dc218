import { command } from "../command.ts";
import { keyOperand } from "../fields.ts";
import { optional } from "../flag.ts";
import { withClient } from "../client.ts";
import { writeIssued } from "../key-view.ts";
import { must } from "../../settings/failure.ts";
import { clientFlags } from "../serve-flags.ts";
import { duration } from "../../settings/values.ts";

export const keysRotate = command({
  path: "keys rotate",
  summary: "Make a successor of a key; the old one goes on for a while",
  operands: { key: keyOperand },
  flags: {
    overlapMs: optional({
      name: "overlap",
      placeholder: "DURATION",
      help: "How long the old key goes on, 0s to 7d. Default: 24h.",
      parse: duration,
    }),
    ...clientFlags,
  },
  examples: ["keys rotate 4fGq8Zt1Lm", "keys rotate 4fGq8Zt1Lm --overlap 7d"],
  run: async ({ flags, operands, context }) => {
    const { overlapMs } = flags;
    const input = { keyId: operands.key, ...(overlapMs === undefined ? {} : { overlapMs }) };
    const issued = await withClient(flags, context, (client) => client.keys.rotate(input));
    await writeIssued(context.terminal, must(issued), flags.json);
    return "done";
  },
});
