import { toWire, type AuthorityAccountView } from "../../lib/management/index.ts";
import { command, type Command, type Context } from "../command.ts";
import { confirm, yesFlag } from "../confirm.ts";
import { minute } from "../domain-view.ts";
import { optional } from "../flag.ts";
import { writeJson } from "../output.ts";
import { must } from "../../settings/failure.ts";
import { clientFlags } from "../serve-flags.ts";
import { text } from "../../settings/values.ts";
import { withClient } from "../client.ts";

const authorityFlag = optional({
  name: "authority",
  placeholder: "URL",
  help: "Address of the authority's directory. Default: the one that new orders go to.",
  parse: text,
});

const NONE = "(none)";

export const certsAccountShow: Command = command({
  path: "certs account show",
  summary: "Show this service's account with its certificate authority",
  details:
    "Asks the authority for the account's status. Exit code 6: the account cannot order certificates.",
  operands: {},
  flags: clientFlags,
  examples: ["certs account show", "certs account show --json"],
  run: async ({ flags, context }) => {
    const { terminal } = context;
    const listed = await withClient(flags, context, ({ certificates }) => certificates.accounts());
    const accounts = must(listed);
    if (flags.json) await writeJson(terminal, toWire(accounts));
    else await terminal.out(accounts.map(told).join("\n"));
    return accounts.some(({ status }) => !WORKS.has(status)) ? "notOk" : "done";
  },
});

/** An account that was not made yet is made by the first order. */
const WORKS: ReadonlySet<AuthorityAccountView["status"]> = new Set(["valid", "none"]);

export const certsAccountRollover: Command = command({
  path: "certs account rollover",
  summary: "Change the key of this service's account with its certificate authority",
  details:
    "The account stays the same, and so do CAA records that name it. Do this when the key may be compromised.",
  operands: {},
  flags: { authority: authorityFlag, yes: yesFlag, ...clientFlags },
  examples: ["certs account rollover --yes"],
  run: async ({ flags, context }) => {
    await confirm(context.terminal, "Change the key of the account?", flags.yes);
    const changed = await withClient(flags, context, ({ certificates }) =>
      certificates.rolloverAccount(flags.authority),
    );
    return tell(context, flags, must(changed), "The account has a new key.");
  },
});

export const certsAccountReplace: Command = command({
  path: "certs account replace",
  summary: "Make a new account with the certificate authority",
  details:
    "For an account that was closed, or whose key is lost. The new one accepts the authority's terms, and orders that waited for the operator begin at once. Certificates stay valid. CAA records that name the account (accounturi) have to be changed.",
  operands: {},
  flags: { authority: authorityFlag, yes: yesFlag, ...clientFlags },
  examples: ["certs account replace --yes"],
  run: async ({ flags, context }) => {
    const question = "Make a new account, and accept the authority's terms?";
    await confirm(context.terminal, question, flags.yes);
    const made = await withClient(flags, context, ({ certificates }) =>
      certificates.replaceAccount(flags.authority),
    );
    return tell(context, flags, must(made), "All orders go to the new account.");
  },
});

async function tell(
  { terminal }: Context,
  { json }: { readonly json: boolean },
  account: AuthorityAccountView,
  news: string,
): Promise<"done"> {
  if (json) await writeJson(terminal, toWire(account));
  else {
    await terminal.out(told(account));
    terminal.err(`${news}\n`);
  }
  return "done";
}

function told(account: AuthorityAccountView): string {
  const { authority, url, status, problem, fix, contact, createdAt, replaced } = account;
  const rows = [
    ["Directory", authority],
    ["Account", url ?? "(made by the first order)"],
    ["Status", problem === null ? status : `${status}: ${problem}`],
    ...(fix === null ? [] : [["To do", fix]]),
    ["Contact", contact.join(", ") || NONE],
    ["EAB key id", account.externalAccountKeyId ?? NONE],
    ["Key thumbprint", account.thumbprint ?? NONE],
    ["Terms", account.termsOfServiceUrl ?? NONE],
    ["Made", createdAt === null ? NONE : minute(createdAt)],
    ...replaced.map((one) => ["Replaced", `${one.url} (${minute(one.replacedAt)})`]),
  ];
  return rows.map(([name = "", value = ""]) => `${name.padEnd(16)}${value}\n`).join("");
}
