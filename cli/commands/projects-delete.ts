import { DAY_MS, isoTime } from "../../lib/base/clock.ts";
import { command } from "../command.ts";
import { confirm, yesFlag } from "../confirm.ts";
import { writeJson } from "../output.ts";
import { must } from "../../settings/failure.ts";
import { projectOperand } from "../project-fields.ts";
import { clientFlags } from "../serve-flags.ts";
import { shellWord } from "../terminal.ts";
import { withClient } from "../client.ts";

export const projectsDelete = command({
  path: "projects delete",
  summary: "Take a site off the net; it can be restored for 24 hours",
  operands: { project: projectOperand },
  flags: { yes: yesFlag, ...clientFlags },
  examples: ["projects delete brave-otter-1f2e", "projects delete brave-otter-1f2e --yes"],
  run: async ({ flags, operands, context }) => {
    const { terminal, program, clock } = context;
    const gone = await withClient(flags, context, async ({ projects }) => {
      const project = must(await projects.byId(operands.project));
      const { id, name, url } = project;
      await confirm(terminal, `Delete the project ${name}? ${url} answers no more.`, flags.yes);
      must(await projects.delete(id));
      return project;
    });
    const { id, slug } = gone;
    const restorableUntil = isoTime(clock.now() + DAY_MS);
    if (flags.json) await writeJson(terminal, { id, slug, deleted: true, restorableUntil });
    else {
      const how = `${program} projects restore ${shellWord(slug)}`;
      terminal.err(`Deleted ${slug}. Until ${restorableUntil} it can be had back: ${how}\n`);
    }
    return "done";
  },
});
