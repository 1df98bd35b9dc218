import { toWire } from "../../lib/management/index.ts";
import { command } from "../command.ts";
import { domainOperand, findDomain, whereFlag } from "../domain-fields.ts";
import { writeDomain } from "../domain-view.ts";
import { writeJson } from "../output.ts";
import { clientFlags } from "../serve-flags.ts";
import { withClient } from "../client.ts";

export const domainsShow = command({
  path: "domains show",
  summary: "Show how a domain is: its records, what is wrong, its certificate",
  details:
    "It tells what was found when the DNS was last looked at; `domains verify` looks at it now. One that was removed is shown for 30 days.",
  operands: { domain: domainOperand },
  flags: { project: whereFlag, ...clientFlags },
  examples: ["domains show pets.shelter.org", "domains show pets.shelter.org --json"],
  run: async ({ flags, operands, context }) => {
    const { terminal, clock } = context;
    const view = await withClient(flags, context, (client) =>
      findDomain(client, operands.domain, flags.project),
    );
    if (flags.json) await writeJson(terminal, toWire(view));
    else await writeDomain(terminal, view, clock.now());
    return "done";
  },
});
