import { readableMinute } from "../lib/base/readable.ts";
import type { PetstoreClient } from "../domains/operations.ts";
import type { MemberView, ResetLinkView } from "../lib/members/index.ts";
import { Failure, must } from "../settings/failure.ts";
import { optionalText, toggle, type Command, type Context, type Operand } from "./command.ts";
import { roleDetails, roleFlag, roleGiven } from "./fields.ts";
import { missingText } from "./missing.ts";
import { operation } from "./operation.ts";
import { confirm, writeTable, yesFlag } from "./output.ts";

const listedAccount = optionalText(
  "account",
  "ACCOUNT",
  "ID of the account. Default: the operators, who belong to no account.",
);

const memberAccount = optionalText(
  "account",
  "ACCOUNT",
  "ID of the member's account. Operators can omit it.",
);

const emailOperand: Operand = {
  placeholder: "EMAIL",
  help: "Email address with which the member signs in.",
};

export const memberCommands: readonly Command[] = [
  operation({
    path: "members list",
    summary: "List the operators, or the members of an account",
    flags: { account: listedAccount },
    examples: ["members list", "members list --account acc_7Gk2mQ9xYt4B"],
    call: (client, { flags }) => membersOf(client, flags.account),
    show: async (members, { context: { terminal } }) => {
      if (members.length === 0) {
        terminal.err("No members.\n");
        return;
      }
      await writeTable(
        terminal,
        ["ID", "E-MAIL", "NAME", "ROLE", "ACCOUNT", "STATUS", "PASSKEYS", "LAST SEEN"],
        members.map(({ id, email, name, role, accountId, status, passkeys, lastSeenAt }) => [
          id,
          email,
          name,
          role,
          accountId ?? "all",
          status,
          String(passkeys),
          lastSeenAt === undefined ? "never" : readableMinute(lastSeenAt),
        ]),
      );
    },
  }),
  operation({
    path: "members create",
    summary: "Add a member, and print the link to choose a password",
    details: `${roleDetails} With a mail server (\`smtp-url\`), the member also gets the link by mail.`,
    operands: { email: emailOperand },
    flags: {
      account: listedAccount,
      role: roleFlag,
      name: optionalText("name", "NAME", "Name of the member, shown next to their activity."),
      language: optionalText("language", "TAG", "Language of the mail: de or en. Default: en."),
      "no-mail": toggle("no-mail", "Only print the link: send no mail."),
    },
    examples: [
      "members create ada@example.org --name Ada",
      "members create grace@shelter.org --account acc_7Gk2mQ9xYt4B --role staff",
    ],
    // A new installation has no accounts, only operators.
    create: ({ flags }) => flags.account === undefined,
    before: ({ flags: { account, role } }) => roleGiven(account, role),
    call: async ({ call }, { flags, operands: { email } }, place) => {
      const { name, language } = flags;
      const invited = { email, name, language, mail: !flags["no-mail"] };
      if (place === undefined) return must(await call("POST /members", { body: invited }));
      const { accountId: account, role } = place;
      const body = { ...invited, role };
      return must(await call("POST /accounts/:account/members", { account, body }));
    },
    json: ({ member, link, mailed }) => ({ ...member, link, mailed }),
    show: async ({ member: { email }, link, mailed }, called) => {
      await showLink({ email, ...link, mailed }, called);
    },
  }),
  operation({
    path: "members reset-link",
    summary: "Create a link to choose a new password: for one use, valid for a day",
    details:
      "The person who opens it chooses a password; that ends all their sessions and removes their passkeys. A new link replaces the previous one.",
    operands: { email: emailOperand },
    flags: { account: memberAccount },
    examples: ["members reset-link ada@example.org"],
    call: async (client, { flags, operands }) => {
      const { id, email, accountId } = await memberNamed(client, operands.email, flags.account);
      const created =
        accountId === undefined
          ? await client.call("POST /members/:member/reset-link", { member: id })
          : await client.call("POST /accounts/:account/members/:member/reset-link", {
              account: accountId,
              member: id,
            });
      return { id, email, ...must(created) };
    },
    show: showLink,
  }),
  operation({
    path: "members remove",
    summary: "Remove a member, and end their sessions within a second",
    operands: { email: emailOperand },
    flags: { account: memberAccount, yes: yesFlag },
    examples: ["members remove grace@shelter.org --yes"],
    call: async (client, { flags, operands, context }) => {
      const { id, email, accountId } = await memberNamed(client, operands.email, flags.account);
      const question = `Remove ${email}? They will no longer be able to sign in.`;
      await confirm(context.terminal, question, flags.yes);
      must(
        accountId === undefined
          ? await client.call("DELETE /members/:member", { member: id })
          : await client.call("DELETE /accounts/:account/members/:member", {
              account: accountId,
              member: id,
            }),
      );
      return { id, email };
    },
    show: ({ email }, { context }) => context.terminal.err(`Removed ${email}.\n`),
  }),
];

/** Lists the members of an account; without an account, the operators. */
async function membersOf(
  { all }: PetstoreClient,
  account: string | undefined,
): Promise<readonly MemberView[]> {
  return must(
    account === undefined
      ? await all("GET /members")
      : await all("GET /accounts/:account/members", { account }),
  );
}

/** Finds the member with that email address, in the account or anywhere. */
async function memberNamed(
  client: PetstoreClient,
  email: string,
  accountId: string | undefined,
): Promise<MemberView> {
  const wanted = email.trim().toLowerCase();
  const members =
    accountId === undefined
      ? must(await client.all("GET /members", { query: { email: wanted } }))
      : await membersOf(client, accountId);
  const found = members.find((one) => one.email === wanted);
  if (found !== undefined) return found;
  const all = accountId === undefined ? await client.call("GET /members") : undefined;
  const known = all?.ok === true ? all.value : members;
  const candidates = known.map((one) => ({ typed: one.email }));
  const noun = accountId === undefined ? "member" : `member of ${accountId}`;
  throw new Failure("notFound", missingText(noun, email, candidates));
}

/** Writes only the address to stdout. */
async function showLink(
  {
    email,
    mailed,
    url,
    expiresAt,
  }: ResetLinkView & { readonly email: string; readonly mailed: boolean },
  { context: { terminal } }: { readonly context: Context },
): Promise<void> {
  if (mailed) terminal.err(`${email} also gets this link by mail.\n`);
  terminal.err(`Send this link to ${email}. It works once, until ${readableMinute(expiresAt)}:\n`);
  await terminal.out(`${url}\n`);
}
