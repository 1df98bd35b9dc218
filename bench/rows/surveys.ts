import { join } from "node:path";
import { ensureTools } from "../../scripts/debian.ts";
import { startInternet } from "../../test/helpers/internet.ts";
import { pinned, run } from "../child.ts";
import { median } from "../compare.ts";
import { atMost, figure, type Gap, type Row } from "../row.ts";

/** Row 14: the CPU time of checking the DNS of a thousand domains. */
export const surveys: Row = {
  name: "surveys",

  measure: async (bench) => {
    const missing = await ensureTools(TOOLS);
    if (missing !== undefined) return [gap(missing)];
    bench.say(`row 14: DNS checks of ${DOMAINS.toLocaleString("en")} domains`);
    await secondsFor(DOMAINS);
    const runs: number[] = [];
    for (let index = 0; index < bench.runs; index++) runs.push(await secondsFor(DOMAINS));
    const ours = median(runs);
    const what = `DNS checks of ${DOMAINS.toLocaleString("en")} domains, CPU time`;
    const facts = { row: 14, what, ours, against: "nothing", theirs: 0, unit: "s" } as const;
    return [figure({ ...facts, value: ours }, atMost(8, "s"))];
  },

  smoke: async () => {
    const lacks = TOOLS.find(({ command }) => Bun.which(command) === null);
    if (lacks !== undefined) return [gap(`${lacks.debianPackage} is not installed`)];
    await secondsFor(5);
    return [];
  },
};

const DOMAINS = 1_000;
const TOOLS = [
  { command: "knotd", debianPackage: "knot" },
  { command: "kdig", debianPackage: "knot-dnsutils" },
  { command: "unbound", debianPackage: "unbound" },
];
const CLIENT = join(import.meta.dir, "../clients/surveys.ts");

function gap(reason: string): Gap {
  return { row: 14, what: "DNS checks", reason };
}

/** The domains share one zone, each with its own name and target. */
async function secondsFor(count: number): Promise<number> {
  const target = (index: number): string => index.toString(16).padStart(32, "0");
  const numbers = Array.from({ length: count }, (_, index) => index);
  await using internet = await startInternet(
    {
      "petstore.example": { lines: ["*.cname A 198.51.100.7"] },
      "shelter.org": {
        signed: true,
        lines: numbers.map(
          (index) => `pets${index} CNAME ${target(index)}.cname.petstore.example.`,
        ),
      },
    },
    // Like real resolvers.
    { remembers: true },
  );
  const words = [CLIENT, internet.resolver, String(count)];
  return Number(await run(pinned("server", [process.execPath, ...words])));
}
