import { isoTime } from "../../lib/base/clock.ts";
import { toWire } from "../../lib/management/index.ts";
import { command } from "../command.ts";
import { writeJson } from "../output.ts";
import { must } from "../../settings/failure.ts";
import { clientFlags } from "../serve-flags.ts";
import { withClient } from "../client.ts";

export const setupLink = command({
  path: "setup-link",
  summary: "Make a link for the first operator: good once, for 30 minutes",
  details:
    "Whoever opens it in a browser, or gives it to `tokens claim`, may do everything. A new link ends the one before.",
  operands: {},
  flags: clientFlags,
  examples: ["setup-link"],
  run: async ({ flags, context }) => {
    const { terminal } = context;
    const link = must(await withClient(flags, context, (client) => client.setup.link()));
    if (flags.json) await writeJson(terminal, toWire(link));
    else {
      terminal.err(`Good once, until ${isoTime(link.expiresAt)}:\n`);
      await terminal.out(`${link.url}\n`);
    }
    return "done";
  },
});
