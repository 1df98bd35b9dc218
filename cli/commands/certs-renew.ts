import { toWire } from "../../lib/management/index.ts";
import { command } from "../command.ts";
import { domainOperand, findDomain, whereFlag } from "../domain-fields.ts";
import { bothNames } from "../domain-view.ts";
import { writeJson } from "../output.ts";
import { must } from "../problem-failure.ts";
import { clientFlags } from "../serve-flags.ts";
import { withClient } from "../with-client.ts";

export const certsRenew = command({
  path: "certs renew",
  summary: "Order the next certificate of a domain now",
  details:
    "The server orders it as soon as the DNS passes; what there is stays until then. Each order counts towards the limits of the certificate authority.",
  operands: { domain: domainOperand },
  flags: { project: whereFlag, ...clientFlags },
  examples: ["certs renew pets.shelter.org"],
  run: async ({ flags, operands, context }) => {
    const { terminal, program } = context;
    const view = await withClient(flags, context, async (client) => {
      const { project, domain } = await findDomain(client, operands.domain, flags.project);
      return must(await client.certificates.renew(project, domain));
    });
    if (flags.json) await writeJson(terminal, toWire(view));
    else {
      terminal.err(
        `The next certificate of ${bothNames(view)} is ordered by the server. How far it is: ${program} domains show ${view.domain}\n`,
      );
    }
    return "done";
  },
});
