import { toWire } from "../../lib/management/index.ts";
import { command } from "../command.ts";
import { domainOperand, findDomain, whereFlag } from "../domain-fields.ts";
import { bothNames, writeDomains } from "../domain-view.ts";
import { writeJson } from "../output.ts";
import { must } from "../../settings/failure.ts";
import { clientFlags } from "../serve-flags.ts";
import { withClient } from "../client.ts";

export const domainsPrimary = command({
  path: "domains primary",
  summary: "Let a domain show the site, and the others of its project lead to it",
  operands: { domain: domainOperand },
  flags: { project: whereFlag, ...clientFlags },
  examples: ["domains primary shelter.org"],
  run: async ({ flags, operands, context }) => {
    const { terminal } = context;
    const { view, all } = await withClient(flags, context, async (client) => {
      const found = await findDomain(client, operands.domain, flags.project);
      const { project, domain } = found;
      const changed = must(await client.domains.update(project, domain, { role: "primary" }));
      return { view: changed, all: must(await client.domains.list({ project })) };
    });
    if (flags.json) await writeJson(terminal, toWire(view));
    else {
      await writeDomains(terminal, all);
      terminal.err(`\n${bothNames(view)} shows the site from now on.\n`);
    }
    return "done";
  },
});
