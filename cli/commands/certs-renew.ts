import { toWire } from "../../lib/management/index.ts";
import { command } from "../command.ts";
import { domainOperand, findDomain, whereFlag } from "../domain-fields.ts";
import { bothNames, minute } from "../domain-view.ts";
import { writeJson } from "../output.ts";
import { must } from "../../settings/failure.ts";
import { clientFlags } from "../serve-flags.ts";
import { withClient } from "../client.ts";

export const certsRenew = command({
  path: "certs renew",
  summary: "Order the next certificate of a domain now",
  details:
    "Also for hosts of the service itself, such as the base domain. The server orders the certificate as soon as the DNS passes, without waiting out earlier failures; the present one stays until then. Each order counts towards the limits of the certificate authority; three a day are made for one domain.",
  operands: { domain: domainOperand },
  flags: { project: whereFlag, ...clientFlags },
  examples: ["certs renew pets.shelter.org"],
  run: async ({ flags, operands, context }) => {
    const { terminal, program } = context;
    const renewed = await withClient(flags, context, async (client) => {
      const { certificates, domains } = client;
      const own =
        flags.project === undefined && must(await domains.named(operands.domain)).length === 0;
      if (own) return { own, view: must(await certificates.renewHost(operands.domain)) };
      const { project, domain } = await findDomain(client, operands.domain, flags.project);
      return { own, view: must(await certificates.renew(project, domain)) };
    });
    const { own, view } = renewed;
    if (flags.json) await writeJson(terminal, toWire(view));
    else {
      const { nextAttemptAt, reason } = view.certificate;
      const failed = reason === null ? "" : ` The last order failed: ${reason}`;
      const when = nextAttemptAt === null ? "" : ` It is ordered at ${minute(nextAttemptAt)}.`;
      terminal.err(
        `The server orders the next certificate of ${bothNames(view)}.${when}${failed} Follow it with: ${program} ${own ? "certs list" : `domains show ${view.domain}`}\n`,
      );
    }
    return "done";
  },
});
