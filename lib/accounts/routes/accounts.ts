import { problem, type Problem } from "../../base/problem.ts";
import { done, refused, type Result } from "../../base/result.ts";
import { planLimits, type Account } from "../../model/account.ts";
import { endpoint, Reply } from "../../http/endpoint.ts";
import { inAccount, onPlatform } from "../../management/endpoint.ts";
import { pageOf } from "../../management/next-link.ts";
import { limitParameter, textParameter } from "../../http/parameters.ts";
import {
  AccountPatchSchema,
  accountShape,
  accountsShape,
  NewAccountSchema,
} from "../shapes/account.ts";
import { includes } from "../principal.ts";
import { withoutUndefined } from "../../base/without-undefined.ts";
import { lacksRole } from "../../management/refusals.ts";

const example = {
  id: "acc_8fJ2kQ0aZx1B",
  name: "Happy Tails",
  plan: "free",
  limits: planLimits.free,
  createdAt: "2026-11-20T09:30:00.000Z",
};

export const accountEndpoints = [
  endpoint({
    operationId: "listAccounts",
    method: "GET",
    path: "/accounts",
    tag: "accounts",
    access: onPlatform("viewer"),
    summary: "List accounts",
    description: "All accounts for an operator, the caller's own for others. Oldest first.",
    query: {
      after: textParameter("Only accounts after the one with this ID.", {
        maxLength: 40,
        rule: "must be the ID of an account",
      }),
      limit: limitParameter({ maximum: 1_000, fallback: 100 }),
    },
    success: {
      status: 200,
      description: "One page. `Link` leads to the next one.",
      schema: accountsShape,
      example: [example],
      headers: ["Link"],
    },
    refusals: ["invalid_cursor"],
    run: async (call, { store }) => {
      const { accountId } = call.principal;
      if (accountId === undefined) return accountPage(call, await store.accounts.list());
      const own = await store.accounts.byId(accountId);
      return accountPage(call, own === undefined ? [] : [own]);
    },
  }),
  endpoint({
    operationId: "createAccount",
    method: "POST",
    path: "/accounts",
    tag: "accounts",
    access: onPlatform("operator"),
    summary: "Create an account",
    description:
      "The account gets an empty catalogue in each environment. Enterprise needs `limits`.",
    body: NewAccountSchema,
    success: {
      status: 201,
      description: "The account.",
      schema: accountShape,
      example,
      headers: ["Location"],
    },
    refusals: ["invalid_value"],
    run: async ({ body, base }, { client }) => {
      const created = await client.accounts.create(body);
      if (!created.ok) return created;
      const headers = { location: `${base}/accounts/${created.value.id}` };
      return done(new Reply(created.value, { headers }));
    },
  }),
  endpoint({
    operationId: "getAccount",
    method: "GET",
    path: "/accounts/:account",
    tag: "accounts",
    access: inAccount("viewer"),
    summary: "Get an account",
    description: "The account's name, plan and limits.",
    success: { status: 200, description: "The account.", schema: accountShape, example },
    refusals: [],
    run: ({ account }) => done(account),
  }),
  endpoint({
    operationId: "updateAccount",
    method: "PATCH",
    path: "/accounts/:account",
    tag: "accounts",
    access: inAccount("owner"),
    summary: "Update an account",
    description:
      "Omitted fields stay unchanged. Owners may change the name, operators also the plan and the limits. A new plan takes effect at once.",
    body: AccountPatchSchema,
    success: { status: 200, description: "The account.", schema: accountShape, example },
    refusals: ["invalid_value"],
    run: async ({ account, principal, body: { name, plan, limits } }, { client }) => {
      const accountId = account.id;
      let changed: Result<Account, Problem> = done(account);
      if (plan !== undefined || limits !== undefined) {
        if (!includes(principal.role, "operator")) return refused(lacksRole("operator"));
        changed = await client.accounts.changePlan({
          accountId,
          plan: plan ?? account.plan,
          ...withoutUndefined({ limits }),
        });
      }
      // The name was checked with the body, so it cannot be refused after the plan was changed.
      return changed.ok && name !== undefined
        ? client.accounts.rename({ accountId, name })
        : changed;
    },
  }),
  endpoint({
    operationId: "deleteAccount",
    method: "DELETE",
    path: "/accounts/:account",
    tag: "accounts",
    access: inAccount("operator", { sensitive: true }),
    summary: "Delete an account",
    description: "Deletes the account with everything it owns. This cannot be undone.",
    success: { status: 204, description: "The account was deleted." },
    refusals: [],
    run: ({ account }, { client }) => client.accounts.delete(account.id),
  }),
  endpoint({
    operationId: "suspendAccount",
    method: "POST",
    path: "/accounts/:account/suspend",
    tag: "accounts",
    access: inAccount("operator"),
    summary: "Suspend an account",
    description:
      "Its keys are rejected and its sites go offline within a second. Its tokens can read but not change anything.",
    success: {
      status: 200,
      description: "The account.",
      schema: accountShape,
      example: { ...example, suspendedAt: "2026-11-21T08:00:00.000Z" },
    },
    refusals: [],
    run: ({ account }, { client }) => client.accounts.suspend(account.id),
  }),
  endpoint({
    operationId: "resumeAccount",
    method: "POST",
    path: "/accounts/:account/resume",
    tag: "accounts",
    access: inAccount("operator"),
    summary: "Resume an account",
    description: "Ends a suspension.",
    success: { status: 200, description: "The account.", schema: accountShape, example },
    refusals: [],
    run: ({ account }, { client }) => client.accounts.resume(account.id),
  }),
];

function accountPage(
  call: {
    readonly base: string;
    readonly query: { readonly after?: string; readonly limit: number };
  },
  accounts: readonly Account[],
): Result<Reply<readonly Account[]>, Problem> {
  const { after, limit } = call.query;
  const last = after === undefined ? -1 : accounts.findIndex(({ id }) => id === after);
  if (after !== undefined && last === -1) return refused(unknownPlace);
  const found = accounts.slice(last + 1, last + 2 + limit);
  const { rows, headers } = pageOf(call, "/accounts", found, { limit });
  return done(new Reply(rows, { headers }));
}

const unknownPlace: Problem = problem(
  "invalid_cursor",
  "The account in `after` does not exist. Start again without it.",
);
