import { toWire } from "../../lib/management/index.ts";
import { command } from "../command.ts";
import { confirm, yesFlag } from "../confirm.ts";
import { domainOperand, findDomain, whereFlag } from "../domain-fields.ts";
import { bothNames } from "../domain-view.ts";
import { withDefault } from "../flag.ts";
import { writeJson } from "../output.ts";
import { must } from "../../settings/failure.ts";
import { clientFlags } from "../serve-flags.ts";
import { oneOf } from "../../settings/values.ts";
import { withClient } from "../client.ts";

const reasonFlag = withDefault(
  {
    name: "reason",
    placeholder: "REASON",
    help: "unspecified (default), keyCompromise, superseded or cessationOfOperation.",
    parse: oneOf(["unspecified", "keyCompromise", "superseded", "cessationOfOperation"]),
  },
  "unspecified",
);

export const certsRevoke = command({
  path: "certs revoke",
  summary: "Have a domain's certificate revoked",
  details:
    "While the domain is attached, the server first orders another certificate and serves it; the old one is revoked then, or a day later at the latest. keyCompromise blocks the old key for good.",
  operands: { domain: domainOperand },
  flags: { project: whereFlag, reason: reasonFlag, yes: yesFlag, ...clientFlags },
  examples: ["certs revoke pets.shelter.org --reason keyCompromise --yes"],
  run: async ({ flags, operands, context }) => {
    const { terminal, program } = context;
    const { domain: typed } = operands;
    const { own, view } = await withClient(flags, context, async (client) => {
      const { certificates, domains } = client;
      await confirm(terminal, `Revoke the certificate of ${typed}?`, flags.yes);
      const isOwn = flags.project === undefined && must(await domains.named(typed)).length === 0;
      if (isOwn) {
        return { own: true, view: must(await certificates.revokeHost(typed, flags.reason)) };
      }
      const found = await findDomain(client, typed, flags.project);
      const revoked = await certificates.revoke(found.project, found.domain, flags.reason);
      return { own: false, view: must(revoked) };
    });
    if (flags.json) await writeJson(terminal, toWire(view));
    else {
      terminal.err(
        `The certificate of ${bothNames(view)} will be revoked. Progress: ${program} ${own ? "certs list" : `domains show ${view.domain}`}\n`,
      );
    }
    return "done";
  },
});
