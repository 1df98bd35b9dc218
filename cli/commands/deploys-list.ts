import { toWire } from "../../lib/management/index.ts";
import { command } from "../command.ts";
import { writeDeploys } from "../deploy-view.ts";
import { writeJson } from "../output.ts";
import { must } from "../../settings/failure.ts";
import { projectFlag } from "../project-fields.ts";
import { clientFlags } from "../serve-flags.ts";
import { withClient } from "../client.ts";

export const deploysList = command({
  path: "deploys list",
  summary: "Show what was sent to a project, newest first",
  operands: {},
  flags: { project: projectFlag, ...clientFlags },
  examples: ["deploys list --project brave-otter-1f2e"],
  run: async ({ flags, context }) => {
    const { terminal } = context;
    const listed = await withClient(flags, context, (client) => client.deploys.list(flags.project));
    const deploys = must(listed);
    if (flags.json) await writeJson(terminal, toWire(deploys));
    else if (deploys.length > 0) await writeDeploys(terminal, deploys);
    else terminal.err("Nothing was deployed to the project yet.\n");
    return "done";
  },
});
