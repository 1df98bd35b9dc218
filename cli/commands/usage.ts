import { environments } from "../../lib/index.ts";
import { toWire, usagePeriods } from "../../lib/management/index.ts";
import { command } from "../command.ts";
import { accountFlag } from "../fields.ts";
import { optional, withDefault } from "../flag.ts";
import { writeJson } from "../output.ts";
import { must } from "../../settings/failure.ts";
import { clientFlags } from "../serve-flags.ts";
import { writeUsage } from "../usage-view.ts";
import { instant, oneOf, text } from "../../settings/values.ts";
import { withClient } from "../client.ts";

export const usage = command({
  path: "usage",
  summary: "Show what an account's keys asked for, by minute or day and operation",
  details: "LIMITED were refused with 429, REFUSED with another 4xx; FAILED was our own fault.",
  operands: {},
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
    keyId: optional({
      name: "key",
      placeholder: "KEY",
      help: "Only what this key asked for, by its id.",
      parse: text,
    }),
    from: optional({
      name: "from",
      placeholder: "TIME",
      help: "2026-11-20 or 2026-11-20T09:30:00Z. Default: the last hour, or the last 30 days.",
      parse: instant,
    }),
    to: optional({
      name: "to",
      placeholder: "TIME",
      help: "Up to, not including. Default: now.",
      parse: instant,
    }),
    ...clientFlags,
  },
  examples: [
    "usage --account acc_7Gk2mQ9xYt4B",
    "usage --account acc_7Gk2mQ9xYt4B --by minute --environment staging",
    "usage --account acc_7Gk2mQ9xYt4B --from 2026-11-01 --to 2026-12-01 --json",
  ],
  run: async ({ flags, context }) => {
    const { terminal } = context;
    const { account, by, environment, keyId, from, to } = flags;
    const query = {
      accountId: account,
      by,
      ...(from === undefined ? {} : { from }),
      ...(to === undefined ? {} : { to }),
      ...(environment === undefined ? {} : { environment }),
      ...(keyId === undefined ? {} : { keyId }),
    };
    const rows = must(await withClient(flags, context, (client) => client.usage.read(query)));
    if (flags.json) await writeJson(terminal, toWire(rows));
    else if (rows.length > 0) await writeUsage(terminal, rows, by);
    else terminal.err("Nothing was asked for in that time.\n");
    return "done";
  },
});
