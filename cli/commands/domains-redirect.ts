import { redirectStatuses, toWire } from "../../lib/management/index.ts";
import { done, refused } from "../../lib/base/result.ts";
import { command } from "../command.ts";
import { domainOperand, findDomain, whereFlag } from "../domain-fields.ts";
import { bothNames, writeDomain } from "../domain-view.ts";
import { optional } from "../flag.ts";
import { writeJson } from "../output.ts";
import { must } from "../../settings/failure.ts";
import { clientFlags } from "../serve-flags.ts";
import { withClient } from "../client.ts";

export const domainsRedirect = command({
  path: "domains redirect",
  summary: "Let a domain lead to another one of the same project",
  details:
    "Path and query are kept. Both must have been added, since visitors come to both by HTTPS. Circles and chains are refused.",
  operands: {
    from: { ...domainOperand, placeholder: "FROM" },
    to: { placeholder: "TO", help: "The domain that it leads to." },
  },
  flags: {
    status: optional({
      name: "status",
      placeholder: "STATUS",
      help: `What it answers: ${redirectStatuses.join(", ")}. Default: 308, for good and with the method kept.`,
      parse: (written) => {
        const status = redirectStatuses.find((one) => String(one) === written);
        return status === undefined
          ? refused(`must be one of ${redirectStatuses.join(", ")}`)
          : done(status);
      },
    }),
    project: whereFlag,
    ...clientFlags,
  },
  examples: [
    "domains redirect www.shelter.org shelter.org",
    "domains redirect old.shelter.org shelter.org --status 301",
  ],
  run: async ({ flags, operands, context }) => {
    const { terminal, clock } = context;
    const view = await withClient(flags, context, async (client) => {
      const found = await findDomain(client, operands.from, flags.project);
      const { status } = flags;
      const change = {
        redirectTo: operands.to,
        ...(status === undefined ? {} : { redirectStatus: status }),
      };
      return must(await client.domains.update(found.project, found.domain, change));
    });
    if (flags.json) await writeJson(terminal, toWire(view));
    else {
      await writeDomain(terminal, view, clock.now());
      terminal.err(`\n${bothNames(view)} leads to ${view.redirectTo} from now on.\n`);
    }
    return "done";
  },
});
