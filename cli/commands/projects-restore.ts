import { command } from "../command.ts";
import { must } from "../../settings/failure.ts";
import { projectOperand } from "../project-fields.ts";
import { writeProject } from "../project-view.ts";
import { clientFlags } from "../serve-flags.ts";
import { withClient } from "../client.ts";

export const projectsRestore = command({
  path: "projects restore",
  summary: "Take back the deletion of a project, within 24 hours",
  operands: { project: projectOperand },
  flags: clientFlags,
  examples: ["projects restore brave-otter-1f2e"],
  run: async ({ flags, operands, context }) => {
    const restored = await withClient(flags, context, (client) =>
      client.projects.restore(operands.project),
    );
    await writeProject(context.terminal, must(restored), flags.json);
    return "done";
  },
});
