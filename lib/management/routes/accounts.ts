import { problem, type Problem } from "../../base/problem.ts";
import { done, refused, type Result } from "../../base/result.ts";
import { planLimits, type Account } from "../../model/account.ts";
import {
  withBody,
  type ManagementAnswer,
  type ManagementCall,
  type ManagementEndpoint,
} from "../endpoint.ts";
import { nextLink } from "../next-link.ts";
import { limitParameter, numberIn, textIn, textParameter } from "../parameters.ts";
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

export const accountEndpoints: readonly ManagementEndpoint[] = [
  {
    operationId: "listAccounts",
    method: "GET",
    path: "/accounts",
    tag: "accounts",
    access: "platform",
    role: "viewer",
    summary: "List accounts",
    description: "All of them for an operator, their own for everybody else. Oldest first.",
    parameters: [
      textParameter("after", "Only accounts after the one with this id.", {
        maxLength: 40,
        rule: "must be the id of an account",
      }),
      limitParameter({ maximum: 1_000, fallback: DEFAULT_PAGE }),
    ],
    success: {
      status: 200,
      description: "One page; where there is more, `Link` leads to it.",
      schema: accountsShape,
      example: [example],
      headers: ["Link"],
    },
    refusals: ["invalid_cursor"],
    handle: async (call, { store }) => {
      const { accountId } = call.principal;
      if (accountId === undefined) return accountPage(call, await store.accounts.list());
      const own = await store.accounts.byId(accountId);
      return accountPage(call, own === undefined ? [] : [own]);
    },
  },
  withBody({
    operationId: "createAccount",
    method: "POST",
    path: "/accounts",
    tag: "accounts",
    access: "platform",
    role: "operator",
    summary: "Create an account",
    description: "It gets an empty catalogue in each environment. Enterprise must be given limits.",
    parameters: [],
    body: NewAccountSchema,
    success: {
      status: 201,
      description: "The account.",
      schema: accountShape,
      example,
      headers: ["Location"],
    },
    refusals: ["invalid_value"],
    handle: async ({ body: { name, plan, limits }, base }, { client }) => {
      const created = await client.accounts.create({
        name,
        ...(plan === undefined ? {} : { plan }),
        ...(limits === undefined ? {} : { limits }),
      });
      if (!created.ok) return created;
      const headers = { location: `${base}/accounts/${created.value.id}` };
      return done({ status: 201, value: created.value, headers });
    },
  }),
  {
    operationId: "getAccount",
    method: "GET",
    path: "/accounts/:account",
    tag: "accounts",
    access: "account",
    role: "viewer",
    summary: "Read an account",
    description: "Its name, plan and limits.",
    parameters: [],
    success: { status: 200, description: "The account.", schema: accountShape, example },
    refusals: [],
    handle: ({ account }) => done({ status: 200, value: account }),
  },
  withBody({
    operationId: "updateAccount",
    method: "PATCH",
    path: "/accounts/:account",
    tag: "accounts",
    access: "account",
    role: "owner",
    summary: "Change an account",
    description:
      "What is absent stays. Owners may rename; plan and limits are for operators. A plan counts at once.",
    parameters: [],
    body: AccountPatchSchema,
    success: { status: 200, description: "The account.", schema: accountShape, example },
    refusals: ["invalid_value"],
    handle: async ({ account, principal, body }, { client }) =>
      answered(await updateAccount(client, { account, principal, ...body })),
  }),
  {
    operationId: "deleteAccount",
    method: "DELETE",
    path: "/accounts/:account",
    tag: "accounts",
    access: "account",
    role: "operator",
    weighty: true,
    summary: "Delete an account",
    description: "With everything it owns. It cannot be undone.",
    parameters: [],
    success: { status: 204, description: "It is gone." },
    refusals: [],
    handle: async ({ account }, { client }) => {
      const gone = await client.accounts.delete(account.id);
      return gone.ok ? done({ status: 204 }) : gone;
    },
  },
  {
    operationId: "suspendAccount",
    method: "POST",
    path: "/accounts/:account/suspend",
    tag: "accounts",
    access: "account",
    role: "operator",
    summary: "Suspend an account",
    description:
      "Its keys and sites are refused within a second; its tokens can read and not change.",
    parameters: [],
    success: {
      status: 200,
      description: "The account.",
      schema: accountShape,
      example: { ...example, suspendedAt: "2026-11-21T08:00:00.000Z" },
    },
    refusals: [],
    handle: async ({ account }, { client }) => answered(await client.accounts.suspend(account.id)),
  },
  {
    operationId: "resumeAccount",
    method: "POST",
    path: "/accounts/:account/resume",
    tag: "accounts",
    access: "account",
    role: "operator",
    summary: "Resume an account",
    description: "Ends a suspension.",
    parameters: [],
    success: { status: 200, description: "The account.", schema: accountShape, example },
    refusals: [],
    handle: async ({ account }, { client }) => answered(await client.accounts.resume(account.id)),
  },
];

function answered(outcome: Result<Account, Problem>): Result<ManagementAnswer, Problem> {
  return outcome.ok ? done({ status: 200, value: outcome.value }) : outcome;
}

function accountPage(
  call: ManagementCall,
  accounts: readonly Account[],
): Result<ManagementAnswer, Problem> {
  const after = textIn(call.query, "after");
  const limit = numberIn(call.query, "limit") ?? DEFAULT_PAGE;
  const last = after === undefined ? -1 : accounts.findIndex(({ id }) => id === after);
  if (after !== undefined && last === -1) return refused(unknownPlace);
  const page = accounts.slice(last + 1, last + 1 + limit);
  const more = last + 1 + limit < accounts.length;
  return done({
    status: 200,
    value: page,
    headers: more ? nextLink(call, "/accounts", { after: page.at(-1)?.id, limit }) : {},
  });
}

const unknownPlace: Problem = problem(
  "invalid_cursor",
  "The account that the page should begin after is not there. Start again without it.",
);
