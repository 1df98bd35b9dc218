import { randomBase62 } from "../base/id.ts";
import { problem, type Problem } from "../base/problem.ts";
import { done, refused, type Result } from "../base/result.ts";
import {
  isLimit,
  planLimits,
  plans,
  type Account,
  type Limits,
  type Plan,
} from "../model/account.ts";
import { faultOfName, normalText } from "../model/text.ts";
import type { Change } from "../storage/change.ts";
import type { ActionContext } from "./context.ts";
import { noSuchAccount } from "./default-account.ts";

export interface NewAccount {
  readonly name: string;
  readonly plan?: Plan | undefined;
  readonly limits?: Limits | undefined;
}

/** Creates an account with an empty catalogue in each environment. Default plan: free. */
export async function createAccount(
  { commit, clock, random }: ActionContext,
  { name, plan = "free", limits }: NewAccount,
): Promise<Result<Account, Problem>> {
  const wrong = wrongName(name);
  if (wrong !== undefined) return refused(wrong);
  const agreed = limitsOf(plan, limits);
  if (!agreed.ok) return agreed;
  const account: Account = {
    id: `acc_${randomBase62(random, 12)}`,
    name: normalText(name),
    plan,
    limits: agreed.value,
    createdAt: clock.now(),
  };
  const committed = await commit([{ kind: "account.create", account }]);
  return committed.ok ? done(account) : refused(noSuchAccount);
}

export async function readAccount(
  { store }: ActionContext,
  accountId: string,
): Promise<Result<Account, Problem>> {
  const account = await store.accounts.byId(accountId);
  return account === undefined ? refused(noSuchAccount) : done(account);
}

export async function renameAccount(
  context: ActionContext,
  { accountId, name }: { readonly accountId: string; readonly name: string },
): Promise<Result<Account, Problem>> {
  const wrong = wrongName(name);
  if (wrong !== undefined) return refused(wrong);
  const at = context.clock.now();
  return apply(context, accountId, {
    kind: "account.rename",
    accountId,
    name: normalText(name),
    at,
  });
}

export async function changePlan(
  context: ActionContext,
  input: { readonly accountId: string; readonly plan: Plan; readonly limits?: Limits | undefined },
): Promise<Result<Account, Problem>> {
  const agreed = limitsOf(input.plan, input.limits);
  if (!agreed.ok) return agreed;
  const { accountId, plan } = input;
  const at = context.clock.now();
  return apply(context, accountId, {
    kind: "account.plan",
    accountId,
    plan,
    limits: agreed.value,
    at,
  });
}

/** Suspends an account: its keys are refused. A repeated call keeps the first time. */
export async function suspendAccount(
  context: ActionContext,
  accountId: string,
): Promise<Result<Account, Problem>> {
  const account = await readAccount(context, accountId);
  if (!account.ok || account.value.suspendedAt !== undefined) return account;
  const at = context.clock.now();
  return apply(context, accountId, { kind: "account.suspend", accountId, suspendedAt: at, at });
}

export async function resumeAccount(
  context: ActionContext,
  accountId: string,
): Promise<Result<Account, Problem>> {
  const at = context.clock.now();
  return apply(context, accountId, {
    kind: "account.suspend",
    accountId,
    suspendedAt: undefined,
    at,
  });
}

/** Deletes an account and everything it owns. This cannot be undone. */
export async function deleteAccount(
  context: ActionContext,
  accountId: string,
): Promise<Result<undefined, Problem>> {
  const committed = await context.commit([
    { kind: "account.delete", accountId, at: context.clock.now() },
  ]);
  context.forget("account", accountId);
  return committed.ok ? done(undefined) : refused(noSuchAccount);
}

async function apply(
  context: ActionContext,
  accountId: string,
  change: Change,
): Promise<Result<Account, Problem>> {
  const committed = await context.commit([change]);
  context.forget("account", accountId);
  return committed.ok ? readAccount(context, accountId) : refused(noSuchAccount);
}

function wrongName(name: unknown): Problem | undefined {
  const fault = typeof name === "string" ? faultOfName(name, 120) : "must be a string";
  return fault === undefined ? undefined : problem("invalid_value", `The name ${fault}.`);
}

function limitsOf(plan: Plan, limits: Limits | undefined): Result<Limits, Problem> {
  if (!plans.includes(plan)) {
    return refused(problem("invalid_value", `The plan must be one of ${plans.join(", ")}.`));
  }
  if (plan !== "enterprise") {
    return limits === undefined
      ? done(planLimits[plan])
      : refused(
          problem(
            "invalid_value",
            `The plan ${plan} has fixed limits; only enterprise has its own.`,
          ),
        );
  }
  if (limits === undefined || !isLimit(limits.perMinute) || !isLimit(limits.perDay)) {
    return refused(
      problem(
        "invalid_value",
        "The plan enterprise needs its limits: requests per minute and per day, integers of 1 or more.",
      ),
    );
  }
  return { ok: true, value: { perMinute: limits.perMinute, perDay: limits.perDay } };
}
