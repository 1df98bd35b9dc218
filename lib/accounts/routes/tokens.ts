import { done } from "../../base/result.ts";
import { endpoint } from "../../http/endpoint.ts";
import { inAccount, onPlatform } from "../../management/endpoint.ts";
import {
  issuedTokenShape,
  NewAccountTokenSchema,
  NewTokenSchema,
  tokenShape,
  tokensShape,
} from "../shapes/token.ts";
import { issuedToken } from "./setup.ts";

const operators = { tag: "tokens", access: onPlatform("operator") } as const;
const owners = { tag: "tokens", access: inAccount("owner") } as const;

const example = {
  id: "8fJ2kQ0aZx",
  role: "operator",
  name: "laptop",
  status: "active",
  createdAt: "2026-11-20T09:30:00.000Z",
};
const accountExample = { ...example, role: "staff", accountId: "acc_8fJ2kQ0aZx1B" };
const revoked = { status: "revoked", revokedAt: "2026-11-21T08:00:00.000Z" };
const bearer = { token: "pet_manage_8fJ2kQ0aZx_…" };

const issued = {
  status: 201,
  description: "The token. Its secret is shown only here.",
  schema: issuedTokenShape,
  headers: ["Location"],
} as const;

export const tokenEndpoints = [
  endpoint({
    operationId: "listTokens",
    method: "GET",
    path: "/tokens",
    ...operators,
    summary: "List the operators' tokens",
    description:
      "Newest first. Tokens that no longer work are listed for 90 days, up to the newest 100.",
    success: {
      status: 200,
      description: "All tokens, without their secrets.",
      schema: tokensShape,
      example: [example],
    },
    refusals: [],
    run: async (_call, { tokens }) => done(await tokens.list(undefined)),
  }),
  endpoint({
    operationId: "createToken",
    method: "POST",
    path: "/tokens",
    ...operators,
    access: onPlatform("operator", { sensitive: true }),
    summary: "Create an operator's token",
    description: "The token has all permissions for all accounts.",
    body: NewTokenSchema,
    success: { ...issued, example: { ...example, ...bearer } },
    refusals: ["invalid_value", "limit_reached"],
    run: async ({ body, principal, base }, { tokens }) =>
      issuedToken(await tokens.create({ ...body, role: "operator", by: principal }), base),
  }),
  endpoint({
    operationId: "revokeToken",
    method: "DELETE",
    path: "/tokens/:token",
    ...operators,
    summary: "Revoke an operator's token",
    description:
      "The token is refused at once, and within a second by every process. This cannot be undone.",
    success: {
      status: 200,
      description: "The revoked token.",
      schema: tokenShape,
      example: { ...example, ...revoked },
    },
    refusals: ["not_found"],
    run: ({ params: { token } }, { tokens }) => tokens.revoke(token, undefined),
  }),
  endpoint({
    operationId: "listAccountTokens",
    method: "GET",
    path: "/accounts/:account/tokens",
    ...owners,
    summary: "List an account's tokens",
    description:
      "Newest first. Tokens that no longer work are listed for 90 days, up to the newest 100.",
    success: {
      status: 200,
      description: "All tokens, without their secrets.",
      schema: tokensShape,
      example: [accountExample],
    },
    refusals: [],
    run: async ({ account }, { tokens }) => done(await tokens.list(account.id)),
  }),
  endpoint({
    operationId: "createAccountToken",
    method: "POST",
    path: "/accounts/:account/tokens",
    ...owners,
    access: inAccount("owner", { sensitive: true }),
    summary: "Create a token of an account",
    description:
      "`viewer` reads, `staff` changes animals and sites, `owner` has all permissions within the account. The token's role is at most the caller's.",
    body: NewAccountTokenSchema,
    success: { ...issued, example: { ...accountExample, ...bearer } },
    refusals: ["invalid_value", "limit_reached"],
    run: async ({ body, principal, account, base }, { tokens }) =>
      issuedToken(await tokens.create({ ...body, accountId: account.id, by: principal }), base),
  }),
  endpoint({
    operationId: "revokeAccountToken",
    method: "DELETE",
    path: "/accounts/:account/tokens/:token",
    ...owners,
    summary: "Revoke a token of an account",
    description:
      "The token is refused at once, and within a second by every process. This cannot be undone.",
    success: {
      status: 200,
      description: "The revoked token.",
      schema: tokenShape,
      example: { ...accountExample, ...revoked },
    },
    refusals: ["not_found"],
    run: ({ params: { token }, account }, { tokens }) => tokens.revoke(token, account.id),
  }),
];
