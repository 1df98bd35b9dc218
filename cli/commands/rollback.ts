import { toWire, type ManagementClient, type ProjectView } from "../../lib/management/index.ts";
import { command } from "../command.ts";
import { confirm, yesFlag } from "../confirm.ts";
import { deployName } from "../deploy-view.ts";
import { suggestedDomains, tellSuggestions } from "../domain-suggestions.ts";
import { optional } from "../flag.ts";
import { writeJson } from "../output.ts";
import { must } from "../../settings/failure.ts";
import { projectFlag } from "../project-fields.ts";
import { clientFlags } from "../serve-flags.ts";
import { text } from "../../settings/values.ts";
import { withClient } from "../client.ts";

export const rollback = command({
  path: "rollback",
  summary: "Publish again what was live before, in one step",
  details: "Done twice, it goes back two deploys.",
  operands: {},
  flags: {
    project: projectFlag,
    to: optional({
      name: "to",
      placeholder: "DEPLOY",
      help: "Id of the deploy, as `deploys list` shows it. Default: the one that was live before.",
      parse: text,
    }),
    yes: yesFlag,
    ...clientFlags,
  },
  examples: [
    "rollback --project brave-otter-1f2e",
    "rollback --project brave-otter-1f2e --to k3v9q2m7x1c8b5n4z6w0 --yes",
  ],
  run: async ({ flags, context }) => {
    const { terminal } = context;
    const { live, url, domainSuggestions } = await withClient(flags, context, async (client) => {
      const { projects, deploys } = client;
      const project = must(await projects.byId(flags.project));
      const question = await questionOf(deploys, project, flags.to);
      await confirm(terminal, question, flags.yes);
      return {
        live: must(await deploys.rollback(project.id, flags.to)),
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

async function questionOf(
  deploys: ManagementClient["deploys"],
  { id, url, liveDeploy }: ProjectView,
  to: string | undefined,
): Promise<string> {
  if (to !== undefined) return `Publish ${deployName(must(await deploys.byId(id, to)))} at ${url}?`;
  const live = liveDeploy === undefined ? "" : ` before ${deployName(liveDeploy)}`;
  return `Publish what was live${live} at ${url} again?`;
}
