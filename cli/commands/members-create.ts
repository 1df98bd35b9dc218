import { roles } from "../../lib/management/index.ts";
import { command } from "../command.ts";
import { Failure, must } from "../../settings/failure.ts";
import { optional } from "../flag.ts";
import { accountOfMembers, emailOperand } from "../member-fields.ts";
import { writeMemberJson, writeResetLink } from "../member-view.ts";
import { clientFlags } from "../serve-flags.ts";
import { oneOf, text } from "../../settings/values.ts";
import { withClient } from "../client.ts";

export const membersCreate = command({
  path: "members create",
  summary: "Let somebody sign in, by a link to a password of their own",
  details:
    "An operator may do everything. An owner, staff and viewers belong to an account: viewers read, staff also publish and keep the animals, an owner also makes keys and adds people.",
  operands: { email: emailOperand },
  flags: {
    account: accountOfMembers,
    role: optional({
      name: "role",
      placeholder: "ROLE",
      help: `${roles.join(", ")}. Default without --account: operator.`,
      parse: oneOf(roles),
    }),
    name: optional({
      name: "name",
      placeholder: "NAME",
      help: "What they are called; told wherever something says who did it.",
      parse: text,
    }),
    ...clientFlags,
  },
  examples: [
    "members create ada@example.org --name Ada",
    "members create grace@shelter.org --account acc_7Gk2mQ9xYt4B --role staff",
  ],
  run: async ({ flags, operands, context }) => {
    const { account, name } = flags;
    const of = placeOf(account, flags.role);
    const input = {
      email: operands.email,
      ...(name === undefined ? {} : { name }),
      ...(of === undefined ? {} : { in: of }),
    };
    // Nobody can belong to an account of an installation that does not exist yet.
    const create = of === undefined;
    const created = must(
      await withClient(flags, context, (client) => client.members.create(input), { create }),
    );
    const { member, link } = created;
    if (flags.json) await writeMemberJson(context.terminal, { ...member, link });
    else await writeResetLink(context.terminal, { email: member.email, link });
    return "done";
  },
});

type Role = (typeof roles)[number];

/** The account and role of somebody new; undefined for an operator. */
function placeOf(
  accountId: string | undefined,
  role: Role | undefined,
): { readonly accountId: string; readonly role: Exclude<Role, "operator"> } | undefined {
  if (accountId === undefined) {
    if (role === undefined || role === "operator") return undefined;
    throw new Failure("usage", `The role ${role} is one of an account: add --account.`);
  }
  if (role === undefined) {
    throw new Failure("usage", "--role is needed with --account: owner, staff or viewer.");
  }
  if (role === "operator") {
    throw new Failure("usage", "An operator stands over all accounts: leave --account out.");
  }
  return { accountId, role };
}
