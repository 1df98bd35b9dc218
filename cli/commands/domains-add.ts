import { toWire } from "../../lib/management/index.ts";
import { command } from "../command.ts";
import { domainOperand } from "../domain-fields.ts";
import { writeDomain } from "../domain-view.ts";
import { writeJson } from "../output.ts";
import { must } from "../problem-failure.ts";
import { projectFlag } from "../project-fields.ts";
import { clientFlags } from "../serve-flags.ts";
import { shellWord } from "../shell.ts";
import { withClient } from "../with-client.ts";

export const domainsAdd = command({
  path: "domains add",
  summary: "Give a project a domain of its own, and show the DNS record to enter",
  details:
    "The first domain of a project shows its site, further ones lead to that one. Needs the plan Pro or above and a deploy that is live. From then on the DNS is looked at by itself, and the certificate is made and renewed by itself.",
  operands: { domain: domainOperand },
  flags: { project: projectFlag, ...clientFlags },
  examples: [
    "domains add pets.shelter.org --project brave-otter-1f2e",
    "domains add shelter.org --project brave-otter-1f2e --json",
  ],
  run: async ({ flags, operands, context }) => {
    const { terminal, program, clock } = context;
    const added = await withClient(flags, context, ({ domains }) =>
      domains.add(flags.project, operands.domain),
    );
    const view = must(added);
    if (flags.json) {
      await writeJson(terminal, toWire(view));
      return "done";
    }
    await writeDomain(terminal, view, clock.now());
    const project = shellWord(flags.project);
    terminal.err(`\nOnce it is entered: ${program} domains verify ${view.domain} --wait\n`);
    if (view.twin !== null) {
      terminal.err(`The other one too: ${program} domains add ${view.twin} --project ${project}\n`);
    }
    return "done";
  },
});
