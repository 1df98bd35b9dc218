import { join } from "node:path";

import type { Host } from "./host.ts";

/** How a check ended. `absent`: the host has no mount for it. */
export type Outcome = "passed" | "absent" | "excused" | "failed";

export interface Row {
  readonly host: Host;
  readonly version: string;
  /** By the name of the check. */
  readonly outcomes: ReadonlyMap<string, Outcome>;
}

/** The names of the checks in the order of the columns. */
export interface Columns {
  /** Each has a column. */
  readonly direct: readonly string[];
  /** These share one. */
  readonly nginx: readonly string[];
  /** These share one. */
  readonly leaks: readonly string[];
}

const PAGE = join(import.meta.dir, "../../docs/hosts/README.md");
const BEGIN = "<!-- hosts:begin -->";
const END = "<!-- hosts:end -->";

const signs = { passed: "✓", absent: "–", excused: "✗", failed: "**✗**" } as const;

/** Returns the table as Markdown, its list of checks, and why `hosts` do not pass some. `kept` are rows of earlier runs. */
export function tableOf(
  rows: readonly Row[],
  columns: Columns,
  { hosts, kept }: { readonly hosts: readonly Host[]; readonly kept: readonly string[] },
): string {
  const head = headOf(columns);
  const fresh = new Set(rows.map(({ host }) => host.title));
  const known = new Set(hosts.map(({ title }) => title));
  const others = kept.filter((line) => !fresh.has(titleIn(line)) && known.has(titleIn(line)));
  const lines = [...others, ...rows.map((row) => lineOf(row, columns))];
  const reasons = hosts.flatMap(({ title, excused }) =>
    Object.entries(excused).map(([name, reason]) => `- ${title}, "${name}": ${reason}.`),
  );
  return [
    head,
    `|---|---${"|:-:".repeat(columns.direct.length + 2)}|`,
    ...lines.toSorted((a, b) => a.localeCompare(b)),
    "",
    ...columns.direct.map((name, index) => `${index + 1}. ${name}`),
    "",
    ...reasons,
  ].join("\n");
}

function headOf({ direct }: Columns): string {
  return `| host | version | ${direct.map((_, index) => index + 1).join(" | ")} | nginx | leaks |`;
}

function lineOf({ host, version, outcomes }: Row, { direct, nginx, leaks }: Columns): string {
  const cells = direct.map((name) => signs[outcomes.get(name) ?? "absent"]);
  const together = (names: readonly string[]): string => {
    const ran = names.filter((name) => outcomes.has(name));
    const passed = ran.filter((name) => outcomes.get(name) === "passed").length;
    if (ran.length === 0) return signs.absent;
    return passed === ran.length ? signs.passed : `${passed}/${ran.length}`;
  };
  const line = [host.title, version, ...cells, together(nginx), together(leaks)];
  return `| ${line.join(" | ")} |`;
}

function titleIn(line: string): string {
  return line.split("|")[1]?.trim() ?? "";
}

/** Writes the table into the page of the hosts. Rows of hosts that did not run stay while the checks are the same. */
export async function writeTable(
  rows: readonly Row[],
  columns: Columns,
  { hosts, date }: { readonly hosts: readonly Host[]; readonly date: string },
): Promise<void> {
  const page = await Bun.file(PAGE).text();
  const [before = "", rest = ""] = page.split(BEGIN);
  const [old = "", after] = rest.split(END);
  if (after === undefined) throw new Error(`${PAGE} has no ${BEGIN} and ${END}.`);
  const checksAre = columns.direct.map((name, index) => `${index + 1}. ${name}`).join("\n");
  const kept = old.includes(checksAre)
    ? old.split("\n").filter((line) => line.startsWith("| ") && titleIn(line) !== "host")
    : [];
  const table = tableOf(rows, columns, { hosts, kept });
  const text = `${before}${BEGIN}\n\nLast run: ${date}.\n\n${table}\n\n${END}${after}`;
  await Bun.write(PAGE, text);
}
