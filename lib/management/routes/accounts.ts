import { problem, type Problem } from "../../base/problem.ts";
import { done, refused, type Result } from "../../base/result.ts";
import { planLimits, type Account } from "../../model/account.ts";
import { endpoint, Reply } from "../endpoint.ts";
import { nextLink } from "../next-link.ts";
import { limitParameter, textParameter } from "../../http/parameters.ts";
import {
  AccountPatchSchema,
  accountShape,
  accountsShape,
  NewAccountSchema,
} from "../schemas/account.ts";
import { updateAccount } from "../actions/accounts.ts";

const example = {
  id: "acc_8fJ2kQ0aZx1B",
  name: "Happy Tails",
  plan: "free",
  limits: planLimits.free,
  createdAt: "2026-11-20T09:30:00.000Z",
};

const DEFAULT_PAGE = 100;

export const accountEndpoints = [
  endpoint({
    operationId: "listAccounts",
    method: "GET",
    path: "/accounts",
    tag: "accounts",
    access: "platform",
    role: "viewer",
    summary: "List accounts",
    description: "All of them for an operator, their own for everybody else. Oldest first.",
    query: {
      after: textParameter("Only accounts after the one with this id.", {
        maxLength: 40,
        rule: "must be the id of an account",
      }),
      limit: limitParameter({ maximum: 1_000, fallback: DEFAULT_PAGE }),
    },
    success: {
      status: 200,
      description: "One page; where there is more, `Link` leads to it.",
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
    access: "platform",
    role: "operator",
    summary: "Create an account",
    description: "It gets an empty catalogue in each environment. Enterprise must be given limits.",
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
    access: "account",
    role: "viewer",
    summary: "Read an account",
    description: "Its name, plan and limits.",
    success: { status: 200, description: "The account.", schema: accountShape, example },
    refusals: [],
    run: ({ account }) => done(account),
  }),
  endpoint({
    operationId: "updateAccount",
    method: "PATCH",
    path: "/accounts/:account",
    tag: "accounts",
    access: "account",
    role: "owner",
    summary: "Change an account",
    description:
      "What is absent stays. Owners may rename; plan and limits are for operators. A plan counts at once.",
    body: AccountPatchSchema,
    success: { status: 200, description: "The account.", schema: accountShape, example },
    refusals: ["invalid_value"],
    run: ({ account, principal, body }, { client }) =>
      updateAccount(client, { account, principal, ...body }),
  }),
  endpoint({
    operationId: "deleteAccount",
    method: "DELETE",
    path: "/accounts/:account",
    tag: "accounts",
    access: "account",
    role: "operator",
    weighty: true,
    summary: "Delete an account",
    description: "With everything it owns. It cannot be undone.",
    success: { status: 204, description: "It is gone." },
    refusals: [],
    run: ({ account }, { client }) => client.accounts.delete(account.id),
  }),
  endpoint({
    operationId: "suspendAccount",
    method: "POST",
    path: "/accounts/:account/suspend",
    tag: "accounts",
    access: "account",
    role: "operator",
    summary: "Suspend an account",
    description:
      "Its keys and sites are refused within a second; its tokens can read and not change.",
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
    access: "account",
    role: "operator",
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
    readonly query: { readonly after?: string; readonly limit?: number };
  },
  accounts: readonly Account[],
): Result<Reply<readonly Account[]>, Problem> {
  const { after, limit = DEFAULT_PAGE } = call.query;
  const last = after === undefined ? -1 : accounts.findIndex(({ id }) => id === after);
  if (after !== undefined && last === -1) return refused(unknownPlace);
  const page = accounts.slice(last + 1, last + 1 + limit);
  const more = last + 1 + limit < accounts.length;
  return done(
    new Reply(page, {
      headers: more ? nextLink(call, "/accounts", { after: page.at(-1)?.id, limit }) : {},
    }),
  );
}

const unknownPlace: Problem = problem(
  "invalid_cursor",
  "The account that the page should begin after is not there. Start again without it.",
);
