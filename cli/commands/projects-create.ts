import { command } from "../command.ts";
import { accountFlag } from "../fields.ts";
import { must } from "../../settings/failure.ts";
import { projectChange, projectFlags } from "../project-fields.ts";
import { writeProject } from "../project-view.ts";
import { clientFlags } from "../serve-flags.ts";
import { shellWord } from "../terminal.ts";
import { withClient } from "../client.ts";

export const projectsCreate = command({
  path: "projects create",
  summary: "Make a site over an account's animals",
  details:
    "Without --slug it gets an address of its own, such as brave-otter-1f2e. Nothing is to be seen there until something is deployed.",
  operands: { name: { placeholder: "NAME", help: "For people, 1 to 80 characters." } },
  flags: { account: accountFlag, ...projectFlags, ...clientFlags },
  examples: [
    'projects create "Happy Tails" --account acc_7Gk2mQ9xYt4B',
    'projects create "Our cats" --account acc_7Gk2mQ9xYt4B --slug cats --category 2 --json',
  ],
  run: async ({ flags, operands, context }) => {
    const { terminal, program } = context;
    const input = { accountId: flags.account, name: operands.name, ...projectChange(flags) };
    const project = must(
      await withClient(flags, context, (client) => client.projects.create(input)),
    );
    await writeProject(terminal, project, flags.json);
    if (!flags.json) {
      const how = `${program} deploy --starter --project ${shellWord(project.slug)}`;
      terminal.err(`\nPublish the storefront: ${how}\n`);
    }
    return "done";
  },
});
