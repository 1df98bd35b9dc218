import { isoTime } from "../lib/base/clock.ts";
import type { UsagePeriod, UsageRow } from "../lib/management/index.ts";
import { writeTable } from "./output.ts";
import type { Style } from "../server/log.ts";
import type { Terminal } from "./terminal.ts";

export async function writeUsage(
  terminal: Terminal,
  rows: readonly UsageRow[],
  by: UsagePeriod,
): Promise<void> {
  if (terminal.outIsTerminal) await terminal.out(`${usageChart(rows, by, terminal.style)}\n`);
  const cells = rows.map(
    ({ at, keyId, environment, operation, requests, limited, refused, failed }) => [
      instant(at, by),
      keyId,
      environment,
      operation,
      ...[requests, limited, refused, failed].map(String),
    ],
  );
  const headings = ["AT", "KEY", "ENVIRONMENT", "OPERATION", "REQUESTS"];
  await writeTable(terminal, [...headings, "LIMITED", "REFUSED", "FAILED"], cells);
}

const BAR = 40;

/** A line per minute or day in which anything was asked, as long as its share of the busiest one. */
export function usageChart(rows: readonly UsageRow[], by: UsagePeriod, style: Style): string {
  const sums = new Map<number, { requests: number; limited: number }>();
  for (const { at, requests, limited } of rows) {
    const sum = sums.get(at) ?? { requests: 0, limited: 0 };
    sums.set(at, { requests: sum.requests + requests, limited: sum.limited + limited });
  }
  const most = Math.max(1, ...[...sums.values()].map(({ requests }) => requests));
  const ordered = [...sums].toSorted(([a], [b]) => a - b);
  const lines = ordered.map(([at, { requests, limited }]) => {
    const width = Math.max(1, Math.round((requests / most) * BAR));
    const over = Math.min(width, Math.ceil((limited / most) * BAR));
    const bar = style.green("█".repeat(width - over)) + style.red("█".repeat(over));
    const refused = limited === 0 ? "" : `, ${limited.toLocaleString("en")} over the limit`;
    return `${instant(at, by)}  ${bar} ${requests.toLocaleString("en")}${refused}\n`;
  });
  return lines.join("");
}

/** `2026-11-20` of a day, `2026-11-20 09:30` of a minute; UTC. */
function instant(at: number, by: UsagePeriod): string {
  const whole = isoTime(at);
  return by === "day" ? whole.slice(0, 10) : whole.slice(0, 16).replace("T", " ");
}
