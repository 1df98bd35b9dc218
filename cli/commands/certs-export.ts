import { command } from "../command.ts";
import { confirm, yesFlag } from "../confirm.ts";
import { domainOperand, findDomain, whereFlag } from "../domain-fields.ts";
import { bothNames } from "../domain-view.ts";
import { writeJson } from "../output.ts";
import { must } from "../../settings/failure.ts";
import { clientFlags } from "../serve-flags.ts";
import { withClient } from "../client.ts";

export const certsExport = command({
  path: "certs export",
  summary: "Write a certificate and its private key to stdout, as PEM",
  details:
    "Whoever has the key can pretend to be the domain. That it was exported stands in what happened to the domain.",
  operands: { domain: domainOperand },
  flags: { project: whereFlag, yes: yesFlag, ...clientFlags },
  examples: ["certs export pets.shelter.org --yes > pets.pem"],
  run: async ({ flags, operands, context }) => {
    const { terminal } = context;
    const exported = await withClient(flags, context, async (client) => {
      const found = await findDomain(client, operands.domain, flags.project);
      await confirm(terminal, `Export the private key of ${bothNames(found)}?`, flags.yes);
      return must(await client.certificates.export(found.project, found.domain));
    });
    if (flags.json) await writeJson(terminal, exported);
    else {
      await terminal.out(exported.chain + exported.privateKey);
      terminal.err("That holds the private key: keep it where its owner alone can read it.\n");
    }
    return "done";
  },
});
