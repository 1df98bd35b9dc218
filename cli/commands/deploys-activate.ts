import { toWire } from "../../lib/management/index.ts";
import { command } from "../command.ts";
import { deployName } from "../deploy-view.ts";
import { suggestedDomains, tellSuggestions } from "../domain-suggestions.ts";
import { writeJson } from "../output.ts";
import { must } from "../../settings/failure.ts";
import { projectFlag } from "../project-fields.ts";
import { clientFlags } from "../serve-flags.ts";
import { withClient } from "../client.ts";

export const deploysActivate = command({
  path: "deploys activate",
  summary: "Publish a deploy that was sent before, in one step",
  operands: {
    deploy: { placeholder: "DEPLOY", help: "Id of the deploy, as `deploys list` shows it." },
  },
  flags: { project: projectFlag, ...clientFlags },
  examples: ["deploys activate k3v9q2m7x1c8b5n4z6w0 --project brave-otter-1f2e"],
  run: async ({ flags, operands, context }) => {
    const { terminal } = context;
    const { live, url, domainSuggestions } = await withClient(flags, context, async (client) => {
      const project = must(await client.projects.byId(flags.project));
      return {
        live: must(await client.deploys.activate(project.id, operands.deploy)),
        url: project.url,
        domainSuggestions: await suggestedDomains(client, project.id),
      };
    });
    if (flags.json) await writeJson(terminal, toWire({ ...live, url, domainSuggestions }));
    else {
      terminal.err(`Live now: ${deployName(live)}\n`);
      tellSuggestions(domainSuggestions, flags.project, context);
      await terminal.out(`${url}\n`);
    }
    return "done";
  },
});
