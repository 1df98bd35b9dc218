import { toWire } from "../../lib/management/index.ts";
import { command } from "../command.ts";
import { minute } from "../domain-view.ts";
import { writeJson, writeTable } from "../output.ts";
import { must } from "../../settings/failure.ts";
import { clientFlags } from "../serve-flags.ts";
import { withClient } from "../client.ts";

export const certsList = command({
  path: "certs list",
  summary: "Show the certificates of all domains",
  operands: {},
  flags: clientFlags,
  examples: ["certs list", "certs list --json"],
  run: async ({ flags, context }) => {
    const { terminal, program } = context;
    const listed = await withClient(flags, context, ({ certificates }) => certificates.list());
    const certificates = must(listed);
    if (flags.json) await writeJson(terminal, toWire(certificates));
    else if (certificates.length === 0) {
      terminal.err(
        `There is no certificate yet. The log of the server says why an order failed; to order again now: ${program} certs renew HOST\n`,
      );
    } else {
      await writeTable(
        terminal,
        ["DOMAIN", "PROJECT", "ENDS", "RENEWED FROM", "ISSUER", "LAST FAILURE"],
        certificates.map(({ domain, project, notAfter, renewAt, issuer, reason }) => [
          domain,
          project ?? "(this service)",
          minute(notAfter),
          minute(renewAt),
          issuer,
          reason ?? "",
        ]),
      );
      for (const { domain, explanationUrl } of certificates) {
        if (explanationUrl === null) continue;
        terminal.err(
          `Why ${domain} is to be replaced, in the words of its CA: ${explanationUrl}\n`,
        );
      }
    }
    return "done";
  },
});
