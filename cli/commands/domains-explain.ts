import { toWire, type ExplanationView } from "../../lib/management/index.ts";
import { command } from "../command.ts";
import { findingLines } from "../domain-findings.ts";
import { domainOperand } from "../domain-fields.ts";
import { recordLines } from "../domain-records.ts";
import { bothNames, section } from "../domain-view.ts";
import { type Exit, must } from "../../settings/failure.ts";
import { explainSomewhere } from "../explain-here.ts";
import { writeJson } from "../output.ts";
import { clientFlags } from "../serve-flags.ts";
import { wrap } from "../wrap.ts";

const WIDTH = 80;

export const domainsExplain = command({
  path: "domains explain",
  summary: "Say what a name would come up against, before anything is changed",
  details:
    "The name need not be added anywhere, and no data directory is needed: its DNS is looked at, nothing is written. Ends with 6 when something would fail even with the right record, with 75 when nothing could be learned.",
  operands: { domain: domainOperand },
  flags: clientFlags,
  examples: ["domains explain pets.shelter.org", "domains explain shelter.org --json"],
  run: async ({ flags, operands, context }) => {
    const { terminal, program } = context;
    const view = must(await explainSomewhere(operands.domain, flags, context));
    const exit = exitOf(view);
    if (flags.json) {
      await writeJson(terminal, toWire(view));
      return exit;
    }
    await terminal.out(`${linesOf(view).join("\n")}\n`);
    const { domain } = view;
    terminal.err(
      exit === "done"
        ? `\nTo add it, and see the value: ${program} domains add ${domain} --project PROJECT\n`
        : `\n${exit === "notOk" ? "Once that is mended" : "To try again"}: ${program} domains explain ${domain}\n`,
    );
    return exit;
  },
});

/** 6: something would fail even with the right record. 75: nothing could be learned. */
function exitOf({ obstacles, zone }: ExplanationView): Exit {
  if (obstacles.some(isBlocking)) return "notOk";
  return zone === null ? "tryLater" : "done";
}

function isBlocking({ severity }: ExplanationView["obstacles"][number]): boolean {
  return severity === "blocking";
}

function linesOf(view: ExplanationView): readonly string[] {
  const { headline, obstacles, changes, records, lookAlike } = view;
  return [
    bothNames(view),
    "",
    ...wrap(headline, WIDTH),
    ...section(
      obstacles.some(isBlocking) ? "What stands in the way:" : "What was noticed:",
      obstacles.flatMap(findingLines),
    ),
    ...section("What will have to be changed:", changes.flatMap(findingLines)),
    ...section(
      "What will be asked for, once the domain is added:",
      recordLines(records, { states: false }),
    ),
    ...section("Where:", placeLines(view)),
    ...(lookAlike === null
      ? []
      : ["", ...wrap("The name has letters that look like those of another alphabet.", WIDTH)]),
  ];
}

function placeLines({ zone, nameServers, provider }: ExplanationView): readonly string[] {
  if (zone === null) return [];
  const whose = provider === null ? "" : ` at ${provider.name}`;
  const help = provider?.help ?? null;
  return [
    ...wrap(`The records of ${zone} are managed${whose}. Its name servers:`, WIDTH - 2),
    ...nameServers,
    ...(help === null ? [] : [`How to enter a record there: ${help}`]),
  ].map((line) => `  ${line}`);
}
