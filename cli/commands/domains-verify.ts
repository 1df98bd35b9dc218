import { toWire, type DomainView } from "../../lib/management/index.ts";
import { command } from "../command.ts";
import { domainOperand, findDomain, whereFlag } from "../domain-fields.ts";
import { writeDomain } from "../domain-view.ts";
import { exitOf, waitFor } from "../domain-wait.ts";
import type { Exit } from "../../settings/failure.ts";
import { optionalValue } from "../flag.ts";
import { writeJson } from "../output.ts";
import { createProgress } from "../progress.ts";
import { clientFlags } from "../serve-flags.ts";
import { shellWord } from "../terminal.ts";
import { integer } from "../../settings/values.ts";
import { withClient } from "../client.ts";

const DEFAULT_WAIT = "300";

export const domainsVerify = command({
  path: "domains verify",
  summary: "Look at the DNS of a domain now, and say what is right and what is not",
  details:
    "Takes ten seconds at most; with --wait it goes on until the domain is live, or something has to be done. Ends with 0 when the domain is verified or further, 6 when something has to be done, 75 when the DNS could not be asked or has not settled.",
  operands: { domain: domainOperand },
  flags: {
    wait: optionalValue(
      {
        name: "wait",
        placeholder: "SECONDS",
        help: `Go on until it is live. Without a number: ${DEFAULT_WAIT}.`,
        parse: integer({ min: 1, max: 86_400 }),
      },
      DEFAULT_WAIT,
    ),
    project: whereFlag,
    ...clientFlags,
  },
  examples: [
    "domains verify pets.shelter.org",
    "domains verify pets.shelter.org --wait",
    "domains verify pets.shelter.org --wait 60 --json",
  ],
  run: async ({ flags, operands, context }) => {
    const { terminal, clock, program } = context;
    const progress = createProgress(terminal, clock, "");
    const view = await withClient(flags, context, async (client) => {
      const found = await findDomain(client, operands.domain, flags.project);
      const waitMs = (flags.wait ?? 0) * 1_000;
      try {
        return await waitFor(found, { domains: client.domains, clock, progress, waitMs });
      } finally {
        progress.clear();
      }
    });
    if (flags.json) await writeJson(terminal, toWire(view));
    else await writeDomain(terminal, view, clock.now());
    const exit = exitOf(view);
    const which = flags.project === undefined ? "" : ` --project ${shellWord(flags.project)}`;
    const typed = (what: string): string => `${program} domains ${what} ${view.domain}${which}`;
    const next = nextWords(view, exit, { typed, waited: flags.wait !== undefined });
    if (next !== undefined) terminal.err(`\n${next}\n`);
    return exit;
  },
});

interface Next {
  readonly typed: (what: string) => string;
  readonly waited: boolean;
}

/** What to type after this; undefined: nothing. */
function nextWords(
  { status, dns }: DomainView,
  exit: Exit,
  { typed, waited }: Next,
): string | undefined {
  if (status === "live" || status === "removed") return undefined;
  if (exit === "notOk") {
    const isOwners = dns.findings.some(({ severity }) => severity === "blocking");
    return `${isOwners ? "Once that is done" : "To try again now"}: ${typed("verify")} --wait`;
  }
  return waited
    ? `Not live yet. The server goes on by itself, as long as one runs: ${typed("show")}`
    : `To go on until it is live: ${typed("verify")} --wait`;
}
