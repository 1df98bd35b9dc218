import { toWire } from "../../lib/management/index.ts";
import { command } from "../command.ts";
import { writeDomains } from "../domain-view.ts";
import { Failure, must } from "../../settings/failure.ts";
import { optional } from "../flag.ts";
import { writeJson } from "../output.ts";
import { clientFlags } from "../serve-flags.ts";
import { text } from "../../settings/values.ts";
import { withClient } from "../client.ts";

export const domainsList = command({
  path: "domains list",
  summary: "Show the domains of a project, of an account, or all",
  operands: {},
  flags: {
    project: optional({
      name: "project",
      placeholder: "PROJECT",
      help: "Only those of this project.",
      parse: text,
    }),
    account: optional({
      name: "account",
      placeholder: "ACCOUNT",
      help: "Only those of this account.",
      parse: text,
    }),
    ...clientFlags,
  },
  examples: ["domains list", "domains list --project brave-otter-1f2e --json"],
  run: async ({ flags, context }) => {
    const { terminal, program } = context;
    const { project, account } = flags;
    if (project !== undefined && account !== undefined) {
      throw new Failure("usage", "A project is of one account: leave --account or --project out.");
    }
    const listed = await withClient(flags, context, ({ domains }) =>
      domains.list({
        ...(project === undefined ? {} : { project }),
        ...(account === undefined ? {} : { accountId: account }),
      }),
    );
    const views = must(listed);
    if (flags.json) await writeJson(terminal, toWire(views));
    else if (views.length > 0) await writeDomains(terminal, views);
    else {
      terminal.err(
        `There is no domain. Add one: ${program} domains add DOMAIN --project PROJECT\n`,
      );
    }
    return "done";
  },
});
