import { command } from "../command.ts";
import { accountFlag, allowFlag, environmentFlag, scopeFlag } from "../fields.ts";
import { optional } from "../flag.ts";
import { withClient } from "../client.ts";
import { writeIssued } from "../key-view.ts";
import { must } from "../../settings/failure.ts";
import { clientFlags } from "../serve-flags.ts";
import { duration, text } from "../../settings/values.ts";

export const keysCreate = command({
  path: "keys create",
  summary: "Make an API key; the only time that it is shown",
  operands: {},
  flags: {
    account: accountFlag,
    environment: environmentFlag,
    name: optional({
      name: "name",
      placeholder: "NAME",
      help: "What it is for, to tell it from others.",
      parse: text,
    }),
    scopes: scopeFlag,
    expiresInMs: optional({
      name: "expires-in",
      placeholder: "DURATION",
      help: "30s, 90m, 24h, 7d. Default: never.",
      parse: duration,
    }),
    allowedAddresses: allowFlag,
    ...clientFlags,
  },
  examples: [
    "keys create --account acc_7Gk2mQ9xYt4B",
    "keys create --account acc_7Gk2mQ9xYt4B --environment staging --expires-in 24h",
    "keys create --account acc_7Gk2mQ9xYt4B --allow 203.0.113.0/24",
    "keys create --account acc_7Gk2mQ9xYt4B --scope pets:read --scope orders:read --name website",
  ],
  run: async ({ flags, context }) => {
    const { account, environment, name, scopes, expiresInMs, allowedAddresses } = flags;
    const input = {
      accountId: account,
      environment,
      ...(name === undefined ? {} : { name }),
      ...(scopes === undefined ? {} : { scopes }),
      ...(expiresInMs === undefined ? {} : { expiresInMs }),
      ...(allowedAddresses === undefined ? {} : { allowedAddresses }),
    };
    const issued = await withClient(flags, context, (client) => client.keys.create(input));
    await writeIssued(context.terminal, must(issued), flags.json);
    return "done";
  },
});
