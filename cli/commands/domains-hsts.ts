import { done } from "../../lib/base/result.ts";
import { toWire } from "../../lib/management/index.ts";
import { command } from "../command.ts";
import { domainOperand, findDomain, whereFlag } from "../domain-fields.ts";
import { bothNames } from "../domain-view.ts";
import { withDefault } from "../flag.ts";
import { writeJson } from "../output.ts";
import { must } from "../../settings/failure.ts";
import { clientFlags } from "../serve-flags.ts";
import { duration, type Parse } from "../../settings/values.ts";
import { withClient } from "../client.ts";

const SIXTY_DAYS_MS = 60 * 24 * 3_600_000;

const forHowLong: Parse<number> = (written) => (written === "off" ? done(0) : duration(written));

export const domainsHsts = command({
  path: "domains hsts",
  summary: "Tell browsers to come to a domain by HTTPS alone",
  details:
    "Browsers remember it for as long as they were told: who takes the domain elsewhere before that is over needs HTTPS there too.",
  operands: { domain: domainOperand },
  flags: {
    for: withDefault(
      {
        name: "for",
        placeholder: "DURATION",
        help: "Such as 60d; `off` says it no more. Default: 60d.",
        parse: forHowLong,
      },
      SIXTY_DAYS_MS,
    ),
    project: whereFlag,
    ...clientFlags,
  },
  examples: ["domains hsts pets.shelter.org", "domains hsts pets.shelter.org --for off"],
  run: async ({ flags, operands, context }) => {
    const { terminal } = context;
    const view = await withClient(flags, context, async (client) => {
      const { project, domain } = await findDomain(client, operands.domain, flags.project);
      const hstsSeconds = Math.round(flags.for / 1_000);
      return must(await client.domains.update(project, domain, { hstsSeconds }));
    });
    if (flags.json) await writeJson(terminal, toWire(view));
    else {
      terminal.err(
        view.hstsSeconds === 0
          ? `Browsers are not told any more to come to ${bothNames(view)} by HTTPS alone.\n`
          : `Browsers are told to come to ${bothNames(view)} by HTTPS alone, for ${view.hstsSeconds} seconds.\n`,
      );
    }
    return "done";
  },
});
