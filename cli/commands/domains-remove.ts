import { toWire } from "../../lib/management/index.ts";
import { command } from "../command.ts";
import { confirm, yesFlag } from "../confirm.ts";
import { domainOperand, findDomain, whereFlag } from "../domain-fields.ts";
import { bothNames } from "../domain-view.ts";
import { writeJson } from "../output.ts";
import { must } from "../../settings/failure.ts";
import { clientFlags } from "../serve-flags.ts";
import { shellWord } from "../terminal.ts";
import { withClient } from "../client.ts";

export const domainsRemove = command({
  path: "domains remove",
  summary: "Take a domain away from its project; it is not served any more at once",
  details:
    "Its certificate is kept for 30 days: added again to the same project until then, it is live at once. The DNS record is yours to delete.",
  operands: { domain: domainOperand },
  flags: { project: whereFlag, yes: yesFlag, ...clientFlags },
  examples: ["domains remove pets.shelter.org", "domains remove pets.shelter.org --yes"],
  run: async ({ flags, operands, context }) => {
    const { terminal, program } = context;
    const removed = await withClient(flags, context, async (client) => {
      const found = await findDomain(client, operands.domain, flags.project);
      const { project, domain, status, role } = found;
      if (status === "removed") return found;
      const others =
        role === "primary"
          ? " What leads to it will find nothing, until another one is primary."
          : "";
      const question = `Remove ${bothNames(found)} from ${project}? It answers no more.${others}`;
      await confirm(terminal, question, flags.yes);
      return must(await client.domains.remove(project, domain));
    });
    if (flags.json) await writeJson(terminal, toWire(removed));
    else {
      const how = `${program} domains add ${removed.domain} --project ${shellWord(removed.project)}`;
      terminal.err(`${removed.headline}\nIt can be had back for 30 days: ${how}\n`);
      terminal.err(
        "If it is not to come back, delete its DNS record too: it would lead visitors nowhere.\n",
      );
    }
    return "done";
  },
});
