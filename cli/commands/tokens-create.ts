import { roles } from "../../lib/management/index.ts";
import { command } from "../command.ts";
import { Failure, must } from "../../settings/failure.ts";
import { optional } from "../flag.ts";
import { clientFlags } from "../serve-flags.ts";
import { accountOfTokens } from "../token-fields.ts";
import { writeIssuedToken } from "../token-view.ts";
import { duration, oneOf, text } from "../../settings/values.ts";
import { withClient } from "../client.ts";

export const tokensCreate = command({
  path: "tokens create",
  summary: "Make a management token for --server; the only time that it is shown",
  details:
    "An operator may do everything. An owner, staff and viewers belong to an account: viewers read, staff also publish and keep the animals, an owner also makes keys and tokens.",
  operands: {},
  flags: {
    account: accountOfTokens,
    role: optional({
      name: "role",
      placeholder: "ROLE",
      help: `${roles.join(", ")}. Default without --account: operator.`,
      parse: oneOf(roles),
    }),
    name: optional({
      name: "name",
      placeholder: "NAME",
      help: "Who or what it is for; told wherever something says who did it.",
      parse: text,
    }),
    expiresInMs: optional({
      name: "expires-in",
      placeholder: "DURATION",
      help: "30s, 90m, 24h, 7d. Default: never.",
      parse: duration,
    }),
    ...clientFlags,
  },
  examples: [
    "tokens create --account acc_7Gk2mQ9xYt4B --role staff --name ci > petstore.token",
    "tokens create --name admin --expires-in 30d",
  ],
  run: async ({ flags, context }) => {
    const { account, name, expiresInMs } = flags;
    const role = flags.role ?? (account === undefined ? "operator" : undefined);
    if (role === undefined) {
      throw new Failure("usage", "--role is needed with --account: owner, staff or viewer.");
    }
    if ((role === "operator") !== (account === undefined)) {
      throw new Failure(
        "usage",
        account === undefined
          ? `The role ${role} is one of an account: add --account.`
          : "An operator stands over all accounts: leave --account out.",
      );
    }
    const input = {
      role,
      ...(account === undefined ? {} : { accountId: account }),
      ...(name === undefined ? {} : { name }),
      ...(expiresInMs === undefined ? {} : { expiresInMs }),
    };
    const issued = await withClient(flags, context, (client) => client.tokens.create(input));
    await writeIssuedToken(context.terminal, must(issued), flags.json);
    return "done";
  },
});
