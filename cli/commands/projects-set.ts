import { command } from "../command.ts";
import { Failure, must } from "../../settings/failure.ts";
import { optional } from "../flag.ts";
import { projectChange, projectFlags, projectOperand } from "../project-fields.ts";
import { writeProject } from "../project-view.ts";
import { clientFlags } from "../serve-flags.ts";
import { text } from "../../settings/values.ts";
import { withClient } from "../client.ts";

export const projectsSet = command({
  path: "projects set",
  summary: "Change a project: its name, its address, what it shows and how",
  details:
    "What is not named stays as it is. Whoever comes by the old slug is sent on to the new one for 30 days.",
  operands: { project: projectOperand },
  flags: {
    name: optional({
      name: "name",
      placeholder: "NAME",
      help: "For people, 1 to 80 characters.",
      parse: text,
    }),
    ...projectFlags,
    ...clientFlags,
  },
  examples: [
    "projects set brave-otter-1f2e --slug cats",
    'projects set cats --name "Our cats" --category 2 --accent "#2f6f4f"',
    "projects set cats --category all --status available",
  ],
  run: async ({ flags, operands, context }) => {
    const { project: id } = operands;
    const change = {
      ...(flags.name === undefined ? {} : { name: flags.name }),
      ...projectChange(flags),
    };
    if (Object.keys(change).length === 0) {
      throw new Failure("usage", "Nothing is to be changed: add --name, --slug or another option.");
    }
    const changed = await withClient(flags, context, async ({ projects }) => {
      if (change.theme === undefined) return projects.update(id, change);
      // A theme is changed as a whole.
      const { theme } = must(await projects.byId(id));
      return projects.update(id, { ...change, theme: { ...theme, ...change.theme } });
    });
    await writeProject(context.terminal, must(changed), flags.json);
    return "done";
  },
});
