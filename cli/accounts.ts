import { plans, type Account } from "../lib/index.ts";
import { Failure, must } from "../settings/failure.ts";
import { oneOf } from "../settings/values.ts";
import type { Command, Context } from "./command.ts";
import { accountOperand, limitFlags, limitsGiven, planFlag } from "./fields.ts";
import { operation } from "./operation.ts";
import { confirm, writeTable, yesFlag } from "./output.ts";

const nameOperand = { placeholder: "NAME", help: "Name of the shelter, 1 to 120 characters." };

export const accountCommands: readonly Command[] = [
  operation({
    path: "accounts create",
    summary: "Create an account with an empty catalogue in each environment",
    operands: { name: nameOperand },
    flags: { plan: planFlag, ...limitFlags },
    examples: [
      'accounts create "Happy Tails"',
      'accounts create "City Shelter" --plan pro --json',
      'accounts create "All Shelters" --plan enterprise --per-minute 5000 --per-day 1000000',
    ],
    create: () => true,
    before: ({ flags }) => limitsGiven(flags.plan, flags),
    call: async ({ call }, { flags: { plan }, operands: { name } }, limits) =>
      must(await call("POST /accounts", { body: { name, plan, ...limits } })),
    show: showAccount,
  }),
  operation({
    path: "accounts list",
    summary: "List all accounts, oldest first",
    examples: ["accounts list", "accounts list --json"],
    call: async ({ all }) => must(await all("GET /accounts", { query: { limit: 1_000 } })),
    show: async (accounts, { context }) => {
      if (accounts.length > 0) return showAccounts(accounts, context);
      const { terminal, program } = context;
      terminal.err(`No accounts. Create one: ${program} accounts create NAME\n`);
    },
  }),
  operation({
    path: "accounts plan",
    summary: "Change the plan of an account; takes effect within a second",
    operands: {
      account: accountOperand,
      plan: { placeholder: "PLAN", help: `${plans.join(", ")}.`, choices: plans },
    },
    flags: limitFlags,
    examples: [
      "accounts plan acc_7Gk2mQ9xYt4B pro",
      "accounts plan acc_7Gk2mQ9xYt4B enterprise --per-minute 5000 --per-day 1000000",
    ],
    before: ({ flags, operands }) => {
      const plan = oneOf(plans)(operands.plan);
      if (!plan.ok) throw new Failure("usage", `PLAN ${plan.failure}`);
      return { plan: plan.value, ...limitsGiven(plan.value, flags) };
    },
    call: async ({ call }, { operands: { account } }, body) =>
      must(await call("PATCH /accounts/:account", { account, body })),
    show: showAccount,
  }),
  operation({
    path: "accounts rename",
    summary: "Rename an account",
    operands: { account: accountOperand, name: nameOperand },
    examples: ['accounts rename acc_7Gk2mQ9xYt4B "Happier Tails"'],
    call: async ({ call }, { operands: { account, name } }) =>
      must(await call("PATCH /accounts/:account", { account, body: { name } })),
    show: showAccount,
  }),
  operation({
    path: "accounts suspend",
    summary: "Reject an account's keys and take its sites offline, within a second",
    operands: { account: accountOperand },
    examples: ["accounts suspend acc_7Gk2mQ9xYt4B"],
    call: async ({ call }, { operands: { account } }) =>
      must(await call("POST /accounts/:account/suspend", { account })),
    show: showAccount,
  }),
  operation({
    path: "accounts resume",
    summary: "Resume a suspended account: its keys and sites work again",
    operands: { account: accountOperand },
    examples: ["accounts resume acc_7Gk2mQ9xYt4B"],
    call: async ({ call }, { operands: { account } }) =>
      must(await call("POST /accounts/:account/resume", { account })),
    show: showAccount,
  }),
  operation({
    path: "accounts delete",
    summary: "Delete an account with everything it owns",
    details: "This cannot be undone. `accounts suspend` stops an account and keeps its data.",
    operands: { account: accountOperand },
    flags: { yes: yesFlag },
    examples: ["accounts delete acc_7Gk2mQ9xYt4B", "accounts delete acc_7Gk2mQ9xYt4B --yes"],
    call: async ({ call }, { flags, operands: { account }, context }) => {
      const { name } = must(await call("GET /accounts/:account", { account }));
      const question = `Delete the account ${name} (${account}) with all its data?`;
      await confirm(context.terminal, question, flags.yes);
      must(await call("DELETE /accounts/:account", { account }));
      return { id: account, deleted: true };
    },
    show: ({ id }, { context }) => context.terminal.err(`Deleted ${id}.\n`),
  }),
];

function showAccount(account: Account, { context }: { readonly context: Context }): Promise<void> {
  return showAccounts([account], context);
}

function showAccounts(accounts: readonly Account[], { terminal }: Context): Promise<void> {
  const headings = ["ID", "NAME", "PLAN", "PER MINUTE", "PER DAY", "STATUS"];
  const rows = accounts.map(({ id, name, plan, limits, suspendedAt }) => [
    id,
    name,
    plan,
    String(limits.perMinute),
    String(limits.perDay),
    suspendedAt === undefined ? "active" : "suspended",
  ]);
  return writeTable(terminal, headings, rows);
}
