import { isoTime } from "../lib/base/clock.ts";
import { environments } from "../lib/index.ts";
import { usagePeriods, type UsagePeriod, type UsageRow } from "../lib/management/index.ts";
import type { Style } from "../server/process/log.ts";
import { must } from "../settings/failure.ts";
import { instant, oneOf } from "../settings/values.ts";
import { optional, optionalText, withDefault, type Command } from "./command.ts";
import { accountFlag } from "./fields.ts";
import { operation } from "./operation.ts";
import { writeTable } from "./output.ts";

export const usage: Command = operation({
  path: "usage",
  summary: "Show API usage of an account, by minute or day and operation",
  details:
    "LIMITED counts 429 responses, REFUSED other 4xx responses, FAILED server failures (5xx).",
  flags: {
    account: accountFlag,
    by: withDefault(
      {
        name: "by",
        placeholder: "PERIOD",
        help: "minute or day (UTC). Default: day.",
        parse: oneOf(usagePeriods),
      },
      "day",
    ),
    environment: optional({
      name: "environment",
      placeholder: "ENVIRONMENT",
      help: "production or staging. Default: both.",
      parse: oneOf(environments),
    }),
    keyId: optionalText("key", "KEY", "Only requests with this key, by its ID."),
    from: optional({
      name: "from",
      placeholder: "TIME",
      help: "Start of the range, such as 2026-11-20 or 2026-11-20T09:30:00Z. Default: the last hour, or the last 30 days.",
      parse: instant,
    }),
    to: optional({
      name: "to",
      placeholder: "TIME",
      help: "End of the range, exclusive. Default: now.",
      parse: instant,
    }),
  },
  examples: [
    "usage --account acc_7Gk2mQ9xYt4B",
    "usage --account acc_7Gk2mQ9xYt4B --by minute --environment staging",
    "usage --account acc_7Gk2mQ9xYt4B --from 2026-11-01 --to 2026-12-01 --json",
  ],
  call: async ({ all }, { flags: { account, by, environment, keyId: key, from, to } }) => {
    const query = { by, environment, key, from: timeOf(from), to: timeOf(to) };
    return must(await all("GET /accounts/:account/usage", { account, query }));
  },
  show: async (rows, { flags: { by }, context: { terminal } }) => {
    if (rows.length === 0) {
      terminal.err("No requests in that time.\n");
      return;
    }
    if (terminal.outIsTerminal) await terminal.out(`${usageChart(rows, by, terminal.style)}\n`);
    const headings = ["AT", "KEY", "ENVIRONMENT", "OPERATION", "REQUESTS"];
    await writeTable(
      terminal,
      [...headings, "LIMITED", "REFUSED", "FAILED"],
      rows.map(({ at, keyId, environment, operation: id, requests, limited, refused, failed }) => [
        periodStart(at, by),
        keyId,
        environment,
        id,
        ...[requests, limited, refused, failed].map(String),
      ]),
    );
  },
});

function timeOf(at: number | undefined): string | undefined {
  return at === undefined ? undefined : isoTime(at);
}

const BAR = 40;

/** Draws one line per minute or day with requests, in proportion to the busiest one. */
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
    return `${periodStart(at, by)}  ${bar} ${requests.toLocaleString("en")}${refused}\n`;
  });
  return lines.join("");
}

/** `2026-11-20` for a day, `2026-11-20 09:30` for a minute; UTC. */
function periodStart(at: number, by: UsagePeriod): string {
  const whole = isoTime(at);
  return by === "day" ? whole.slice(0, 10) : whole.slice(0, 16).replace("T", " ");
}
