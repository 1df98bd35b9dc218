import { command } from "../command.ts";
import { optional } from "../flag.ts";
import { writeJson } from "../output.ts";
import { must } from "../../settings/failure.ts";
import { projectJson, writeProjects } from "../project-view.ts";
import { clientFlags } from "../serve-flags.ts";
import { text } from "../../settings/values.ts";
import { withClient } from "../client.ts";

export const projectsList = command({
  path: "projects list",
  summary: "Show the projects, newest first, and those that can be restored",
  operands: {},
  flags: {
    account: optional({
      name: "account",
      placeholder: "ACCOUNT",
      help: "Only those of this account.",
      parse: text,
    }),
    ...clientFlags,
  },
  examples: ["projects list", "projects list --account acc_7Gk2mQ9xYt4B --json"],
  run: async ({ flags, context }) => {
    const { terminal, program } = context;
    const listed = await withClient(flags, context, (client) =>
      client.projects.list(flags.account),
    );
    const projects = must(listed);
    if (flags.json) await writeJson(terminal, projects.map(projectJson));
    else if (projects.length > 0) await writeProjects(terminal, projects);
    else {
      terminal.err(
        `There is no project. Make one: ${program} projects create NAME --account ACCOUNT\n`,
      );
    }
    return "done";
  },
});
