import { writeAccount } from "../account-view.ts";
import { command } from "../command.ts";
import { limitFlags, limitsGiven, planFlag } from "../fields.ts";
import { withClient } from "../client.ts";
import { must } from "../../settings/failure.ts";
import { clientFlags } from "../serve-flags.ts";

export const accountsCreate = command({
  path: "accounts create",
  summary: "Make an account with an empty catalogue in each environment",
  operands: { name: { placeholder: "NAME", help: "Of the shelter, 1 to 120 characters." } },
  flags: { plan: planFlag, ...limitFlags, ...clientFlags },
  examples: [
    'accounts create "Happy Tails"',
    'accounts create "City Shelter" --plan pro --json',
    'accounts create "All Shelters" --plan enterprise --per-minute 5000 --per-day 1000000',
  ],
  run: async ({ flags, operands, context }) => {
    const { plan } = flags;
    const input = { name: operands.name, plan, ...limitsGiven(plan, flags) };
    const created = await withClient(flags, context, (client) => client.accounts.create(input), {
      create: true,
    });
    await writeAccount(context.terminal, must(created), flags.json);
    return "done";
  },
});
